/** Cells that say that a value is to be taken away (docs/decisions/0126-cells-that-clear.md). */
import { NextOf } from '../bytes/next-of.js';
import type { Row } from '../bytes/row.js';
import { isClearMarker } from '../dialect.js';
import type { SheetPlan } from '../header/columns.js';
import { spell } from './read-cells.js';

export class MarkedCells {
  /** Columns of the row that was read last whose cells held the marker; they are empty now. */
  columns: readonly number[] = [];
  readonly #marker: string;
  /** These take nothing away: a sample has a release in any case, and an identifier is none of its values. */
  readonly #kept: readonly (number | undefined)[];
  /** Its first character, small and large. */
  readonly #low: string;
  readonly #high: string;
  /** Where these come next in the block that was looked at last. */
  #block = '';
  #nextLow = new NextOf('', '');
  #nextHigh = this.#nextLow;

  constructor(
    marker: string,
    { releaseColumn, identifierColumn }: Pick<SheetPlan, 'releaseColumn' | 'identifierColumn'>,
  ) {
    this.#marker = marker;
    const [first] = marker as unknown as [string];
    this.#low = first;
    this.#high = first.toUpperCase();
    this.#kept = [releaseColumn, identifierColumn];
  }

  /** Empties the cells of the row that hold the marker. `block`: the text that the row is read from; its own may be another. */
  read(row: Row, block: string): void {
    if (this.columns.length > 0) this.columns = [];
    if (!this.#mayHold(row, block)) return;
    const columns: number[] = [];
    for (let cell = 0; cell < row.cells; cell++) {
      if (!this.#kept.includes(cell) && isClearMarker(row.cell(cell), this.#marker)) columns.push(cell);
    }
    if (columns.length === 0) return;
    const cells = row.toCells();
    for (const column of columns) cells[column] = '';
    spell(row, cells);
    this.columns = columns;
  }

  /** Most texts hold no such character; a block is looked through once for all of its rows. */
  #mayHold(row: Row, block: string): boolean {
    if (row.cells === 0) return false;
    const { text } = row;
    if (text !== block) return text.includes(this.#low) || text.includes(this.#high);
    if (block !== this.#block) {
      this.#block = block;
      this.#nextLow = new NextOf(block, this.#low);
      this.#nextHigh = this.#low === this.#high ? this.#nextLow : new NextOf(block, this.#high);
    }
    const from = row.starts[0] as number;
    const end = row.ends[row.cells - 1] as number;
    return this.#nextLow.from(from) < end || this.#nextHigh.from(from) < end;
  }
}
