/**
 * Forms whose rows are numbered, and partly filled in, before anybody has written into them: which rows are blank all the same, by one
 * rule for whoever reads the rows or counts them.
 */
import type { Row } from '../bytes/row.js';

/** Rows that hold nothing but this and have no name are blank. Columns are counted from 0. */
export interface NumberedRows {
  /** Their numbers say which row of the sheet it is. */
  columns: number[];
  /** What they hold is ours and says nothing of a sample. */
  aside: number[];
  /** What every row of the sheet holds; with it alone those below the last that has something of its own are blank. */
  alike?: { cells: { column: number; text: string }[]; below: number };
}

/** `12`, and `12.` or `12)` of lists. */
export const NUMBER = /^\d{1,9}[.)]?$/;

/** Whether the row, which has no name, holds its number and nothing that is of a sample. */
export function isBlankForm({ columns, aside, alike }: NumberedRows, row: Row): boolean {
  let isNumbered = false;
  for (let column = row.firstFilled(); column >= 0; column = row.firstFilled(column + 1)) {
    if (columns.includes(column)) {
      if (!NUMBER.test(row.cell(column))) return false;
      isNumbered = true;
    } else if (!aside.includes(column)) {
      if (alike === undefined || row.line <= alike.below) return false;
      const text = alike.cells.find((cell) => cell.column === column)?.text;
      if (text !== row.cell(column)) return false;
    }
  }
  return isNumbered;
}
