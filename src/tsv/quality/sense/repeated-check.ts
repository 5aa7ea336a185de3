/**
 * Rows that are equal but for their name, in a sheet that says something of its own of each row. Replicates are equal in
 * sheets of factors, and there every value comes more than once: such a sheet has no such row.
 */
import type { Finding, SenseCheck, SenseRow } from './finding.js';

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
const CONTROL = new RegExp(`(?:^|[^a-z])(?:${CONTROL_WORDS})(?: |$)`, 'i');

export class RepeatedCheck implements SenseCheck {
  readonly wanted = [];
  /** A row's cells → its line. */
  readonly #rows = new Map<string, number>();
  /** Of each packed cell, what the first rows have there. */
  readonly #values: { different: Set<string>; filled: number }[] = [];
  #taught = 0;
  #seen = 0;
  #equal = 0;

  isDone(rows: number, characters: number): boolean {
    return rows >= MAX_ROWS || characters >= MAX_CHARACTERS || (rows >= TEACHING_ROWS && !this.#values.some(isTelling));
  }

  learn({ packed }: SenseRow): void {
    if (this.#taught >= TEACHING_ROWS) return;
    this.#taught++;
    packed.split('\t').forEach((value, cell) => {
      this.#values[cell] ??= { different: new Set(), filled: 0 };
      const values = this.#values[cell];
      if (value === '' || values === undefined) return;
      values.filled++;
      values.different.add(value);
    });
  }

  look({ line, name, packed }: SenseRow, found: Finding[]): void {
    const first = this.#rows.get(packed);
    this.#seen++;
    if (first === undefined) {
      this.#rows.set(packed, line);
      return;
    }
    this.#equal++;
    if (this.#taught < FEWEST_ROWS || (this.#equal > 1 && this.#equal > this.#seen * MEANT)) return;
    const cells = packed.split('\t');
    if (REPLICATE.test(name) || cells.some((cell) => CONTROL.test(cell)) || !this.#tellsApart(cells)) return;
    const what = `has the values of line ${first} in every other column; was that row copied and not filled in?`;
    found.push({ code: 'suspect.repeated', cell: -1, value: name, what });
  }

  /** Whether the row has a value in a column whose values are different ones elsewhere. */
  #tellsApart(cells: readonly string[]): boolean {
    return this.#values.some((values, cell) => cells[cell] && isTelling(values));
  }
}

const isTelling = ({ different, filled }: { different: Set<string>; filled: number }): boolean =>
  filled >= FEWEST_ROWS && different.size >= filled * TELLING;
