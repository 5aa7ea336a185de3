/** Cells copied in a spreadsheet program and pasted into the sheet: each goes into a cell of its own. */
import { readRows, type SheetRow } from '../../sheet/read-rows.js';
import type { Edit } from './fixing.js';

/** Texts of the cells on the clipboard, as spreadsheet programs write them; undefined for text that belongs into one line of one cell. */
export function copiedCells(text: string): string[][] | undefined {
  if (!/[\t\r\n]/.test(text)) return undefined;
  const cells = rowsOf(text);
  const one = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined;
  return one !== undefined && !/[\r\n]/.test(one) ? undefined : cells;
}

/** A quote that is never closed is no quote of a spreadsheet program. */
function rowsOf(text: string): string[][] {
  try {
    return [...readRows(text, '\t')].map(({ cells }) => cells);
  } catch {
    return text.split(/\r\n|\r|\n/).map((line) => line.split('\t'));
  }
}

export interface Pasted {
  edits: Edit[];
  /** Cells for which the sheet has no row or column. */
  leftOut: number;
}

/** From that cell on to the right and down, through the rows that are shown. */
export function pasteInto(
  rows: readonly SheetRow[],
  width: number,
  at: { line: number; place: number },
  copied: readonly (readonly string[])[],
): Pasted {
  const first = rows.findIndex(({ line }) => line === at.line);
  const pasted: Pasted = { edits: [], leftOut: 0 };
  for (const [down, cells] of copied.entries()) {
    const row = rows[first + down];
    for (const [right, text] of cells.entries()) {
      const column = at.place + right;
      if (row && column < width) pasted.edits.push({ line: row.line, column, text, original: row.cells[column] ?? '' });
      else pasted.leftOut += 1;
    }
  }
  return pasted;
}
