/** Rows behind a blank one that begin another table: the wells of a plate, a legend. A sample there is like the samples above. */
import { type Finding, type SenseCheck, type SenseRow, teachingRows } from './finding.js';
import { CONTROL } from './repeated-check.js';

/** Rows at the top that show what samples are like, and how many do at least. */
const TEACHING_ROWS = 200;
const FEWEST_ROWS = 2;
/** Cells of a header beside its first, and how often at least each value of a column comes that repeats them. */
const FEWEST_WORDS = 2;
const REPEATED = 2;
/** Letters of a header. */
const LONGEST = 60;
const DIGIT = /\d/;
const NUMBER = /^[-+<>~]?[\d.,]*\d%?$/;

interface Column {
  /** Of the rows that teach, those that fill it, and those of them that have a number there. */
  filled: number;
  numbers: number;
  values: Set<string>;
}

export class BlockCheck implements SenseCheck {
  readonly wanted = [];
  readonly #columns: Column[] = [];
  #taught = 0;
  /** That teach. */
  #rows = TEACHING_ROWS;
  /** Names of samples are codes, not words. */
  #codes = 0;
  /** A row stood apart: those behind it teach nothing. */
  #isBehind = false;

  learn({ name, packed, apart }: SenseRow): void {
    this.#isBehind ||= apart && this.#taught >= FEWEST_ROWS;
    if (this.#isBehind || this.#taught >= this.#rows) return;
    this.#rows = Math.min(this.#rows, teachingRows(TEACHING_ROWS, packed));
    this.#taught++;
    if (DIGIT.test(name)) this.#codes++;
    packed.split('\t').forEach((value, cell) => {
      this.#columns[cell] ??= { filled: 0, numbers: 0, values: new Set() };
      const column = this.#columns[cell];
      if (value === '') return;
      column.filled++;
      column.values.add(value);
      if (NUMBER.test(value)) column.numbers++;
    });
  }

  look({ name, packed, apart }: SenseRow, found: Finding[]): void {
    if (!apart || this.#taught < FEWEST_ROWS || this.#codes < this.#taught) return;
    const values = packed.split('\t');
    if (![name, ...values].every(isWord) || name === '' || CONTROL.test(name)) return;
    if (!(this.#isUnlike(values) || this.#isNew(values)) || found.some(({ code }) => code === 'suspect.name')) return;
    found.push({
      code: 'suspect.name',
      cell: -1,
      value: name,
      what: 'stands apart from the rows above and reads like the header of another table: if it is one, upload that as a file of its own, for the rows below would be samples',
    });
  }

  /** Several words, none of which a sample has, and one of them where samples have the same over and over. */
  #isNew(values: readonly string[]): boolean {
    const filled = [...values.keys()].filter((cell) => values[cell] !== '');
    const columns = filled.map((cell) => this.#columns[cell]);
    return (
      filled.length >= FEWEST_WORDS &&
      filled.every((cell, at) => !columns[at]?.values.has(values[cell] as string)) &&
      columns.some((column) => column !== undefined && column.values.size * REPEATED <= column.filled)
    );
  }

  /** A word stands where the samples have numbers, or nothing where each of them has something. */
  #isUnlike(values: readonly string[]): boolean {
    return this.#columns.some(({ filled, numbers }, cell) => {
      const value = values[cell] ?? '';
      return value === '' ? filled === this.#taught : filled > 0 && numbers === filled;
    });
  }
}

const isWord = (text: string): boolean => text.length <= LONGEST && !DIGIT.test(text);
