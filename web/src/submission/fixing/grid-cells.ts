/** Cells of the sheet with the reader's changes in them. */
import type { SheetRow } from '../../sheet/read-rows.js';
import type { Edit, Edits } from './fixing.js';

export const textAt = ({ line, cells }: SheetRow, place: number, edits: Edits): string =>
  edits.get(line)?.get(place) ?? cells[place] ?? '';

/** The rows right below a line whose cell is empty, up to the first that is not. */
export function emptyBelow(rows: readonly SheetRow[], line: number, place: number, edits: Edits): SheetRow[] {
  const from = rows.findIndex((row) => row.line > line);
  if (from < 0) return [];
  const filled = rows.findIndex((row, at) => at >= from && textAt(row, place, edits).trim() !== '');
  return rows.slice(from, filled < 0 ? rows.length : filled);
}

/** A text found in one column, or with -1 in all, and put another way; the empty text means cells that are empty. */
export function replacements(
  rows: readonly SheetRow[],
  edits: Edits,
  { column, find, put }: { column: number; find: string; put: string },
): Edit[] {
  if (find === put || (find === '' && column < 0)) return [];
  const found: Edit[] = [];
  for (const row of rows) {
    const last = column < 0 ? row.cells.length - 1 : column;
    for (let place = Math.max(column, 0); place <= last; place++) {
      const text = textAt(row, place, edits);
      if (find === '' ? text !== '' : !text.includes(find)) continue;
      const original = row.cells[place] ?? '';
      found.push({
        line: row.line,
        column: place,
        text: find === '' ? put : text.replaceAll(find, () => put),
        original,
      });
    }
  }
  return found;
}
