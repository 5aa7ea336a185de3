/**
 * Rows below a header that explain its columns in sentences (`A unique name of the sample`, `Age of the donor in years`): as the
 * first rows of a sheet, unlike all samples below them.
 */
import type { CheckedSheet } from '../../../registry/checklist.js';
import { saysRequired } from '../../header/column-notes.js';
import { type Finding, isNoValue, type SenseCheck, type SenseRow, TAUGHT_CHARACTERS } from './finding.js';
import { CONTROL } from './repeated-check.js';

/** Rows that may explain, rows that show what samples are like, and how many do at least. */
const MOST_ROWS = 5;
const TEACHING_ROWS = 40;
const FEWEST_ROWS = 2;
/** Share of the samples that have something in common from which on it is what samples have. */
const MOST = 0.8;
const LONGEST = 500;
const DIGIT = /\d/;
const BLANK = /\S\s+\S/;
const NUMBER = /^[-+<>~]?[\d.,]*\d%?$|^\d{4}-\d\d(?:-\d\d)?$/;
const SENTENCE = /^(?:\S+\s+){3}/;
const WORDS = /\p{L}{2}/u;
const WORD = /\p{L}{4,}/gu;
/** `sample.biomaterial_core.biomaterial_id`: what a program calls the column. An underscore may be one thing alone here: were it two, a name of thirty would be read in a thousand million ways. */
const PATH = /^(?=.*[._][a-z])[a-z](?:[a-z_]|\.(?=[a-z]))*$/i;

type Row = { name: string; values: readonly string[] };

export class ExplainedCheck implements SenseCheck {
  readonly wanted = [];
  readonly #headers: readonly ReadonlySet<string>[];
  /** The first rows of the sheet, by line. */
  readonly #rows = new Map<number, Row>();

  constructor({ cells }: Pick<CheckedSheet, 'cells'>) {
    this.#headers = cells.map(({ column }) => wordsOf(column));
  }

  isDone(rows: number, characters: number): boolean {
    return rows >= TEACHING_ROWS || characters >= TAUGHT_CHARACTERS;
  }

  learn({ line, name, packed }: SenseRow): void {
    if (this.#rows.size < TEACHING_ROWS) this.#rows.set(line, { name, values: packed.split('\t') });
  }

  look({ line, name }: SenseRow, found: Finding[]): void {
    const lines = [...this.#rows.keys()];
    const at = lines.indexOf(line);
    if (at < 0 || at >= MOST_ROWS || found.some(({ code }) => code === 'suspect.name')) return;
    const rows = [...this.#rows.values()];
    const first = rows.findIndex(({ name: each }) => !mayExplain(each));
    if (first <= at || !this.#explains(rows[at] as Row, rows.slice(first))) return;
    found.push({
      code: 'suspect.name',
      cell: -1,
      value: name,
      what: 'reads like an explanation of the columns: delete the row if it is no sample',
    });
  }

  #explains({ name, values }: Row, samples: readonly Row[]): boolean {
    if (samples.length < FEWEST_ROWS || CONTROL.test(name)) return false;
    const most = (test: (name: string) => boolean): boolean =>
      samples.filter((sample) => test(sample.name)).length >= samples.length * MOST;
    const unlike =
      (most((each) => DIGIT.test(each)) && !DIGIT.test(name)) ||
      (most((each) => !BLANK.test(each)) && BLANK.test(name));
    return unlike && values.some((value, cell) => isOfColumn(value, cell, this.#headers, samples));
  }
}

/** A sentence, a word for what must be filled, or what a program calls a column. */
const mayExplain = (name: string): boolean =>
  name.length <= LONGEST &&
  (SENTENCE.test(name) ||
    saysRequired(name) ||
    (!DIGIT.test(name) && WORDS.test(name) && (BLANK.test(name) || PATH.test(name))));

const wordsOf = (text: string): Set<string> => new Set(text.slice(0, LONGEST).toLowerCase().match(WORD) ?? []);

/** Words where every sample has a number, or several of which one is in the header. */
function isOfColumn(
  value: string,
  cell: number,
  headers: readonly ReadonlySet<string>[],
  samples: readonly Row[],
): boolean {
  if (value.length > LONGEST || !WORDS.test(value) || isNoValue(value)) return false;
  const others = samples.map(({ values }) => values[cell] ?? '').filter((text) => text !== '');
  if (others.length >= FEWEST_ROWS && others.every((text) => NUMBER.test(text))) return true;
  return BLANK.test(value) && !others.includes(value) && [...wordsOf(value)].some((word) => headers[cell]?.has(word));
}
