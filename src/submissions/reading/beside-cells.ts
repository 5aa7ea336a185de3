/** Warnings of what a workbook's sheet has beside the values of its cells: rows that are not shown or struck through, links, comments. */
import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { BesideCells, ColumnNote, RowNotes } from '../../tsv/beside-cells.js';
import { columnLetter } from '../../tsv/dialect.js';
import { cellPlace } from '../../tsv/header/cell-place.js';
import type { SheetPlan } from '../../tsv/header/columns.js';

/** Columns that are named, of each kind. */
const MOST_SAID = 10;

export function besideCells(plan: SheetPlan, beside: BesideCells = {}): Issue[] {
  const { links = [], hidden, struck } = beside;
  // Of a sheet of rows to fix the comments are ours, whose author LibreOffice does not keep.
  const comments = plan.errorColumns.length > 0 ? [] : (beside.comments ?? []);
  return [
    ...(hidden && hidden.last > plan.headerEnd ? [hiddenRows(plan, hidden)] : []),
    ...(struck && struck.last > plan.headerEnd ? [struckRows(plan, struck)] : []),
    ...belowHeader(plan, links).map(({ column, cell, text }) =>
      rowIssue('sheet.links', cellPlace(plan, plan.headerLine, column), {
        value: text,
        message: `${cell} links to ${shorten(text)}; of cells that link to something their own text is stored alone. Where the addresses of this column matter, write them into a column of their own, such as Comment[external DB REF].`,
      }),
    ),
    ...belowHeader(plan, comments).map(({ column, cell, text }) =>
      rowIssue('sheet.comments', cellPlace(plan, plan.headerLine, column), {
        value: text,
        message: `${cell} has the comment "${shorten(text)}"; comments on cells are not stored. Where those of this column matter, write them into a column of their own.`,
      }),
    ),
  ];
}

function hiddenRows(plan: SheetPlan, { rows, first, last }: RowNotes): Issue {
  const line = first > plan.headerEnd ? first : last;
  const message =
    rows === 1
      ? `Line ${line} is not shown in the workbook (filtered out or hidden) and was read like the others. If it is not meant, delete it there and upload the workbook anew.`
      : `${rows} lines, such as ${line}, are not shown in the workbook (filtered out or hidden) and were read like the others. If they are not meant, delete them there and upload the workbook anew.`;
  return rowIssue('sheet.hidden-rows', { line: plan.headerLine }, { message });
}

function struckRows(plan: SheetPlan, { rows, first, last }: RowNotes): Issue {
  const line = first > plan.headerEnd ? first : last;
  const message =
    rows === 1
      ? `Every cell of line ${line} is struck through in the workbook; the line was read like the others. If its sample is not meant any more, delete the line there, undo the upload and upload the workbook anew.`
      : `Every cell of ${rows} lines, such as line ${line}, is struck through in the workbook; they were read like the others. If their samples are not meant any more, delete the lines there, undo the upload and upload the workbook anew.`;
  return rowIssue('sheet.struck-rows', { line: plan.headerLine }, { message });
}

/** A note at the header or above it says something of the column, and at a column without one, of nothing that is stored. */
function belowHeader(
  { header, headerEnd }: SheetPlan,
  notes: readonly ColumnNote[],
): { column: number; cell: string; text: string }[] {
  return notes
    .flatMap(({ column, first, last }) => {
      const note = [first, last].find(({ row }) => row > headerEnd);
      return note === undefined || column >= header.length
        ? []
        : [{ column, cell: `${columnLetter(column)}${note.row}`, text: note.text }];
    })
    .slice(0, MOST_SAID);
}
