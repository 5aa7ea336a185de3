/**
 * What samples of one batch have in common, read where it changes: every value that a statement hands over costs some 0.25 µs,
 * and a text as much again.
 */
import { SHARED_COLUMNS, type SharedValues, sharedSum } from '../../sample-checksum.js';

export interface Shared {
  /** In the order of SHARED_COLUMNS. */
  values: readonly unknown[];
  row: SharedValues;
  sum: number;
}

/** SQL: nothing where they are what was given, in the order of SHARED_COLUMNS; else JSON of them. */
export const OTHER_SHARED = `case when ${SHARED_COLUMNS.map((name) => `${name} is ?`).join(' and ')} then ''
  else json_array(${SHARED_COLUMNS.join(', ')}) end`;

export class SharedReading<Kept extends Shared = Shared> {
  #given: Kept | undefined;
  #last: { text: string; shared: Kept } | undefined;

  /** For the places of OTHER_SHARED in the statement that is run next: what was read last. */
  given(): readonly unknown[] {
    this.#given = this.#last?.shared;
    return this.#given?.values ?? SHARED_COLUMNS.map(() => null);
  }

  /** Of what OTHER_SHARED says of a row. */
  of(text: string): Kept {
    if (text === '') return this.#given as Kept;
    if (this.#last?.text === text) return this.#last.shared;
    const values = JSON.parse(text) as unknown[];
    const row = Object.fromEntries(SHARED_COLUMNS.map((name, at) => [name, values[at]])) as unknown as SharedValues;
    const shared: Shared = { values, row, sum: sharedSum(row) };
    this.#last = { text, shared: shared as Kept };
    return this.#last.shared;
  }
}
