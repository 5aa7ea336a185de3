/** Cells that were parted from the others where nobody meant it, or not parted where they should be. */
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { columnLetter, DELIMITER_WORDS } from '../dialect.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';

/** The first cell beyond the header row. What the sheet's profile adds follows on the header's columns, and is none. */
export function extraCells(row: Row, plan: SheetPlan): Issue[] {
  const { header, added = [], delimiter } = plan;
  const extra = row.firstFilled(header.length + added.length);
  if (extra < 0) return [];
  const column = extra - added.length;
  const stray =
    delimiter === '\t'
      ? 'a cell further left may hold a tab too many'
      : `${DELIMITER_WORDS[delimiter]} further left may belong into a cell, which then needs quotes around it`;
  const message =
    `The row has a cell in column ${columnLetter(column)}, beyond the last header (column ${columnLetter(header.length - 1)}). ` +
    `Remove it, or give the column a header; ${stray}.`;
  return [rowIssue('row.extra-cells', cellPlace(plan, row.line, column), { value: row.cell(extra), message })];
}

/** The last row of a file that was cut off: what it lacks may be what came behind. `taken`: it is not refused for something else. */
export function cutOff(row: Row, plan: SheetPlan, taken: boolean): Issue {
  const last = row.cells - 1;
  const message =
    `The file ends within this row: it has ${row.cells} of ${plan.header.length} cells and no line end, and every row above has all of them. ` +
    `${taken ? 'The row was taken as it stands. ' : ''}If the file was cut off, send it whole; otherwise end its last line with a line break.`;
  return rowIssue('row.cut-off', cellPlace(plan, row.line, last), { value: row.cell(last), message });
}
