/**
 * Rows that are equal but for their name, in a sheet that says something of its own of each row. Replicates are equal in
 * sheets of factors, and there every value comes more than once: such a sheet has no such row.
 */
import { type Finding, type SenseCheck, type SenseRow, teachingRows } from './finding.js';

/** Rows that are compared, and characters of the file that they keep in memory. */
const MAX_ROWS = 20_000;
const MAX_CHARACTERS = 8_000_000;
/** Rows that show which columns tell rows apart. */
const TEACHING_ROWS = 200;
const FEWEST_ROWS = 5;
/** Share of different values from which a column tells its rows apart. */
const TELLING = 0.8;
/** Share of equal rows from which they are meant so. */
const MEANT = 0.05;
const CONTROL_WORDS = 'pool|pooled|qc|blank|control|ctrl|mock|standard|std|ntc|negative|positive|water';
/** Names that say that a row is one of several equal ones. */
const REPLICATE = new RegExp(
  `(?:^|[^a-z])(?:r|rep|repl|replicate|tech|technical|bio|dup|duplicate|aliquot|vial|tube|lane|run|section|pos|neg|${CONTROL_WORDS})(?:[^a-z]|$)`,
  'i',
);
/** Names of blanks and controls. */
export const CONTROL = new RegExp(`(?:^|[^a-z])(?:${CONTROL_WORDS})(?: |$)`, 'i');

interface Column {
  cell: number;
  /** What the first rows have there. */
  different: Set<string>;
  filled: number;
}

export class RepeatedCheck implements SenseCheck {
  readonly wanted = [];
  /** What is compared of a row → the first row that has it. */
  #rows = new Map<string, { line: number; packed: string }>();
  readonly #columns: Column[] = [];
  /** Rows are found again by their value in the column that tells most of them apart: whole rows take ten times as long. */
  #by: Column | undefined;
  #taught = 0;
  /** Rows that teach. */
  #teaching = TEACHING_ROWS;
  /** Whether the first rows have shown which columns tell rows apart. */
  #isTaught = false;
  #seen = 0;
  #equal = 0;

  isDone(rows: number, characters: number): boolean {
    return rows >= MAX_ROWS || characters >= MAX_CHARACTERS || (this.#isTaught && !this.#columns.some(isTelling));
  }

  learn({ packed }: SenseRow): void {
    if (this.#isTaught) return;
    this.#taught++;
    packed.split('\t').forEach((value, cell) => {
      this.#columns[cell] ??= { cell, different: new Set(), filled: 0 };
      const column = this.#columns[cell];
      if (value === '') return;
      column.filled++;
      column.different.add(value);
    });
    this.#teaching = Math.min(this.#teaching, teachingRows(TEACHING_ROWS, packed));
    if (this.#taught >= this.#teaching) this.#choose();
  }

  look({ line, name, packed }: SenseRow, found: Finding[]): void {
    this.#seen++;
    const key = this.#keyOf(packed);
    if (key === '') return;
    const first = this.#rows.get(key);
    if (first === undefined) {
      this.#rows.set(key, { line, packed });
      return;
    }
    if (first.packed !== packed) return;
    this.#equal++;
    if (this.#taught < FEWEST_ROWS || (this.#equal > 1 && this.#equal > this.#seen * MEANT)) return;
    const cells = packed.split('\t');
    if (REPLICATE.test(name) || cells.some((cell) => CONTROL.test(cell)) || !this.#tellsApart(cells)) return;
    const what = `has the values of line ${first.line} in every other column; was that row copied and not filled in?`;
    found.push({ code: 'suspect.repeated', cell: -1, value: name, what });
  }

  #choose(): void {
    this.#isTaught = true;
    const telling = this.#columns.filter(isTelling).sort((one, other) => other.different.size - one.different.size);
    this.#by = telling[0];
    const rows = [...this.#rows.values()].reverse();
    this.#rows = new Map(rows.map((row) => [this.#keyOf(row.packed), row]));
  }

  #keyOf(packed: string): string {
    if (this.#by === undefined) return packed;
    let from = 0;
    for (let cell = this.#by.cell; cell > 0; cell--) {
      from = packed.indexOf('\t', from) + 1;
      if (from === 0) return '';
    }
    const to = packed.indexOf('\t', from);
    return packed.substring(from, to < 0 ? packed.length : to);
  }

  /** Whether the row has a value in a column whose values are different ones elsewhere. */
  #tellsApart(cells: readonly string[]): boolean {
    return this.#columns.some((column) => cells[column.cell] && isTelling(column));
  }
}

const isTelling = ({ different, filled }: Column): boolean =>
  filled >= FEWEST_ROWS && different.size >= filled * TELLING;
