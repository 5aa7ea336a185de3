/**
 * Warnings for what spreadsheets do to data, row by row beside the reading. The first rows are looked at cell by cell
 * and teach what each column is like; later rows pass one regular expression each and a look-up per column of few
 * different values. Measured at 15 columns, 9 of them of few values: 1 µs per row up to row 20 000, then 0.5 µs, of which
 * 0.3 µs are the expression.
 */
import { ownText } from '../../registry/own-text.js';
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { SheetPlace } from '../../registry/row-places.js';
import {
  batchCells,
  batchName,
  type Issue,
  type RejectedRow,
  type SampleBatch,
} from '../../registry/samples/sample-batch.js';
import { CaseVariants } from './case-variants.js';
import { type ColumnNature, ColumnSample } from './column-nature.js';
import { type Damage, damageOf, suspectsIn } from './damage.js';

/** Rows that teach, each looked at cell by cell. */
const LEARNING_ROWS = 2000;
/** Up to here every row's columns are looked at, behind it every fourth row's; the expression sees every row throughout. */
const ALL_ROWS = 20_000;
const EVERY = 4;
/** Warnings of one file; a sheet that is damaged throughout is known to be so long before. */
const MAX_WARNINGS = 20_000;
/** What is kept of a column: different values, their spellings, and verdicts on them; and of all columns of a sheet, so that each of thousands has less. */
const KEPT = { values: 400, spellings: 500, verdicts: 2_000 };
const KEPT_IN_ALL = { values: 200_000, spellings: 200_000, verdicts: 500_000 };
const LEAST_KEPT = 20;
const MAX_VALUE = 100;
const SEPARATOR = '\t';
/** A date as a number of days, with two decimals at most. */
const SERIAL_LENGTH = 8;
const MAX_USUAL = 6;
const NONE: readonly Issue[] = [];

/** Of a row, in the text of its batch. */
interface Cells {
  text: string;
  start: number;
  end: number;
  isSuspect: (row: string) => boolean;
}

interface Watched {
  place: SheetPlace;
  sample: ColumnSample;
  nature: ColumnNature;
  variants: CaseVariants;
  /** Its values are words of which some come again, so that one may be spelled in two cases. */
  repeatsWords: boolean;
  verdicts: Map<string, Damage | undefined>;
  mostVerdicts: number;
  /** Longest value that its column alone can make doubtful; 0 when only the expression over the row finds anything. */
  maxLength: number;
  /** The few values without damage of a column that has only few: compared in place, no string is cut out for them. */
  usual: string[];
}

export class Warnings {
  readonly #columns: Watched[];
  readonly #name: Watched;
  #rows = 0;
  #warnings = 0;

  /** `cells`: the columns of the kept cells in order; `name`: the column of the sample's name. */
  constructor(cells: readonly SheetPlace[], name: SheetPlace) {
    const most = keptOf(cells.length + 1);
    this.#columns = cells.map((place) => watch(place, most));
    this.#name = watch(name, most);
  }

  /** Warnings for the good rows of a batch, in order of lines. Batches come in order of lines too. */
  inspect(batch: SampleBatch): RejectedRow[] {
    if (this.#rows < LEARNING_ROWS) this.#learn(batch);
    const { spans, lines } = batch;
    const texts = batch.texts.map((text) => ({ text, isSuspect: suspectsIn(text) }));
    const found: RejectedRow[] = [];
    for (let row = 0; row < batch.count && this.#warnings < MAX_WARNINGS; row++) {
      const line = lines[row] as number;
      const name = batchName(batch, row);
      const end = batch.documents.has(row) ? 0 : (spans[row * 4 + 3] as number);
      const { text, isSuspect } = texts[batch.inTexts?.[row] ?? 0] as (typeof texts)[number];
      const issues = this.#inspectRow(line, name, { text, start: spans[row * 4 + 2] as number, end, isSuspect });
      if (issues.length > 0) found.push({ line, name, issues: [...issues] });
    }
    return found;
  }

  #inspectRow(line: number, name: string, { text, start, end, isSuspect }: Cells): readonly Issue[] {
    const learning = this.#rows++ < LEARNING_ROWS;
    const suspect = learning || (end > start && isSuspect(text.substring(start, end)));
    let issues = NONE;
    if (suspect || isSuspect(name)) issues = this.#look(this.#name, name, line, issues);
    else if (this.#rows > ALL_ROWS && this.#rows % EVERY !== 0) return issues;
    let at = start;
    for (let i = 0; i < this.#columns.length && at < end; i++) {
      const column = this.#columns[i] as Watched;
      const found = text.indexOf(SEPARATOR, at);
      const cellEnd = found < 0 ? end : Math.min(found, end);
      const length = cellEnd - at;
      if (length > 0 && (learning || !isUsual(column.usual, text, at, length))) {
        const value = doubtful(column, text, at, length, suspect ? isSuspect : undefined, learning);
        if (value !== '') issues = this.#look(column, value, line, issues);
      }
      at = cellEnd + 1;
    }
    this.#warnings += issues.length;
    return issues;
  }

  #learn(batch: SampleBatch): void {
    const rows = Math.min(batch.count, LEARNING_ROWS - this.#rows);
    for (let row = 0; row < rows; row++) {
      this.#name.sample.add(batchName(batch, row));
      if (batch.documents.has(row)) continue;
      const cells = batchCells(batch, row).split(SEPARATOR);
      this.#columns.forEach((column, i) => {
        const value = cells[i];
        if (!value) return;
        column.sample.add(value);
        column.variants.add(value);
      });
    }
    for (const column of [...this.#columns, this.#name]) settle(column);
  }

  #look(column: Watched, value: string, line: number, issues: readonly Issue[]): readonly Issue[] {
    const { verdicts } = column;
    let damage = verdicts.get(value);
    if (damage === undefined && !verdicts.has(value)) {
      damage = check(value, column);
      if (verdicts.size >= column.mostVerdicts) verdicts.clear();
      if (value.length <= MAX_VALUE) verdicts.set(ownText(value), damage);
    }
    return damage ? [...issues, warningOf(damage, value, column.place, line)] : issues;
  }
}

/** The value that is to be looked at; none where neither its column nor the expression over the row finds anything in it. */
function doubtful(
  { maxLength }: Watched,
  text: string,
  at: number,
  length: number,
  isSuspect: Cells['isSuspect'] | undefined,
  learning: boolean,
): string {
  const own = learning || length <= maxLength;
  if (!own && isSuspect === undefined) return '';
  const value = text.substring(at, at + length);
  // A value that is right in its column may make the whole row suspect: each cell is asked once more by itself.
  return own || isSuspect?.(value) ? value : '';
}

function isUsual(usual: readonly string[], text: string, at: number, length: number): boolean {
  for (let i = 0; i < usual.length; i++) {
    const value = usual[i] as string;
    if (value.length === length && text.startsWith(value, at)) return true;
  }
  return false;
}

/** Of each column, where there are so many. */
function keptOf(columns: number): typeof KEPT {
  const share = (what: keyof typeof KEPT): number =>
    Math.min(KEPT[what], Math.max(LEAST_KEPT, Math.floor(KEPT_IN_ALL[what] / columns)));
  return { values: share('values'), spellings: share('spellings'), verdicts: share('verdicts') };
}

function watch(place: SheetPlace, most: typeof KEPT): Watched {
  const sample = new ColumnSample(place.column, most.values);
  return {
    place,
    sample,
    nature: sample.nature(),
    variants: new CaseVariants(most.spellings),
    repeatsWords: false,
    verdicts: new Map(),
    mostVerdicts: most.verdicts,
    maxLength: Number.POSITIVE_INFINITY,
    usual: [],
  };
}

/** Takes over what was learned. A column of ids or free text is from now on left to the expression over the row. */
function settle(column: Watched): void {
  const { sample } = column;
  column.nature = sample.nature();
  column.verdicts.clear();
  const unlike = sample.values.size > 30 && sample.values.size * 2 > sample.rows;
  column.repeatsWords = !unlike && !column.variants.free && sample.hasWords();
  const { dates, paddedTo } = column.nature;
  const values = [...sample.values];
  column.usual = values.length > MAX_USUAL ? [] : values.filter((value) => check(value, column) === undefined);
  column.maxLength = Math.max(
    column.repeatsWords ? Number.POSITIVE_INFINITY : 0,
    dates ? SERIAL_LENGTH : 0,
    paddedTo === undefined ? 0 : paddedTo - 1,
  );
}

function check(value: string, column: Watched): Damage | undefined {
  const damage = damageOf(value, column.nature);
  if (damage) return damage;
  const usual = column.repeatsWords ? column.variants.usual(value) : undefined;
  if (usual === undefined) return undefined;
  return {
    code: 'suspect.case',
    what: `differs only in case from ${usual}, which its column has more often`,
    suggestion: usual,
  };
}

/** `what` follows on the value and its column. */
export function warningOf({ code, what, suggestion }: Damage, value: string, place: SheetPlace, line: number): Issue {
  const shown = shorten(value);
  const message = `"${shown}" in ${place.column} ${what}${what.endsWith('?') ? '' : '.'}`;
  const better = suggestion === value ? undefined : suggestion;
  return rowIssue(code, { line, ...place }, { value: shown, message, suggestion: better });
}
