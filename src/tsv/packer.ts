/** A row → its packed cells: where they stand in the block, or, when something must change, as new text. */
import { CELL_SEPARATOR } from '../registry/packed-sample.js';
import type { SheetPlan } from './columns.js';
import { isBlank } from './dialect.js';
import type { Row } from './row.js';

export class RowPacker {
  /** Of the row packed last, when it could be taken as it stands: where its cells lie in the row's text. */
  from = 0;
  to = 0;
  /** Its cells, trimmed, without empty ones at the end, when it could not. */
  cells: string[] | undefined;
  readonly #kept: readonly number[];
  readonly #contiguous: boolean;

  constructor({ keptColumns }: SheetPlan) {
    this.#kept = keptColumns;
    this.#contiguous = keptColumns.every((column, cell) => column === (keptColumns[0] as number) + cell);
  }

  /** `replaced`: texts that stand in for cells of these numbers. */
  pack(row: Row, replaced?: ReadonlyMap<number, string>): void {
    this.cells = undefined;
    if (replaced === undefined && this.#contiguous && row.plain && this.#span(row)) return;
    const cells = this.#kept.map((column, cell) => replaced?.get(cell) ?? row.cell(column));
    while (cells.at(-1) === '') cells.pop();
    this.cells = cells;
  }

  /** A cell of the row packed last holds the separator, so that the row cannot be packed. */
  get separatorInside(): boolean {
    return this.cells?.some((cell) => cell.includes(CELL_SEPARATOR)) ?? false;
  }

  /** The packed cells as text, for a look at them; a separator inside a cell shows as a blank. */
  packed(row: Row): string {
    if (this.cells === undefined) return row.text.substring(this.from, this.to);
    return this.cells.map((cell) => cell.replaceAll(CELL_SEPARATOR, ' ')).join(CELL_SEPARATOR);
  }

  /** True when every kept cell stands trimmed in the text, one separator between them. */
  #span(row: Row): boolean {
    const { text, starts, ends } = row;
    const first = this.#kept[0] ?? row.cells;
    let last = Math.min(first + this.#kept.length, row.cells) - 1;
    while (last >= first && row.isBlankCell(last)) last--;
    if (last < first) {
      this.from = 0;
      this.to = 0;
      return true;
    }
    for (let cell = first; cell <= last; cell++) {
      const start = starts[cell] as number;
      const end = ends[cell] as number;
      if (start === end) continue;
      const head = text.charCodeAt(start);
      const tail = text.charCodeAt(end - 1);
      if ((head <= 32 || head >= 160) && isBlank(head)) return false;
      if ((tail <= 32 || tail >= 160) && isBlank(tail)) return false;
    }
    this.from = starts[first] as number;
    this.to = ends[last] as number;
    return true;
  }
}
