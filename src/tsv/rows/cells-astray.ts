/** Cells that were parted from the others where nobody meant it, or not parted where they should be. */
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { columnLetter, countLineBreaks, DELIMITER_WORDS, DELIMITERS } from '../dialect.js';
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

/** Cells with whole rows inside: a quote opened them that was never meant to. */
export function swallowedRows(row: Row, plan: SheetPlan): Issue[] {
  const issues: Issue[] = [];
  const { header, identifierColumn } = plan;
  // In a result, a row that was good has its accession.
  const isGood = identifierColumn !== undefined && row.isFilled(identifierColumn);
  const widths = isGood ? [header.length] : widthsOf(plan);
  for (let cell = 0; cell < row.cells; cell++) {
    const text = row.raw(cell);
    if (!DELIMITERS.some((delimiter) => text.includes(delimiter))) continue;
    const lines = text.split(/\r\n|\n|\r/);
    if (!holdsRows(lines, plan, widths) && (plan.rowsAreLines || !isRows(lines, row, cell, plan, widths))) continue;
    const until = row.line + countLineBreaks(text);
    const message = `A quote opens this cell and closes it on line ${until} only, with what look like whole rows between. Take the quote away, or close it where the cell ends.`;
    issues.push(rowIssue('cell.quote-swallows-rows', cellPlace(plan, row.line, cell), { value: text, message }));
  }
  return issues;
}

/** How many cells a row may have had when it was read first: our own columns at the end of a sheet that is sent again are left out one by one. */
function widthsOf({ header, identifierColumn, releaseColumn, errorColumns }: SheetPlan): number[] {
  const widths = [header.length];
  const ours = [identifierColumn, releaseColumn, ...errorColumns];
  for (let width = header.length; ours.includes(width - 1); width--) widths.push(width - 1);
  return widths;
}

const holdsRows = (lines: readonly string[], plan: SheetPlan, widths: readonly number[]): boolean =>
  lines.slice(1, -1).some((line) => looksLikeRow(line, plan, widths));

/**
 * Read as they stand, all lines that a quoted cell goes over are rows of the table, as where two samples have a ditto mark. A mark has nothing behind
 * it; cells that begin with words may hold commas on several lines, but hardly as many tabs.
 */
function isRows(lines: readonly string[], row: Row, cell: number, plan: SheetPlan, widths: readonly number[]): boolean {
  const [first, ...others] = lines;
  const last = others.pop();
  if (first === undefined || last === undefined || row.cells > plan.header.length) return false;
  // Our results have tabs, whatever parted the cells when the sheet was read first.
  const delimiters = widths.length > 1 ? DELIMITERS : [plan.delimiter];
  const delimiter =
    delimiters.find((each) => first.startsWith(each) || (first === '' && last.includes(each))) ?? plan.delimiter;
  if (delimiter !== '\t' && last.includes(`${delimiter} `)) return false;
  const isMark = first === '' || first.startsWith(delimiter);
  if (!isMark && (delimiter !== '\t' || plan.header.length < 3)) return false;
  const parts = (line: string): number => line.split(delimiter).length;
  if (parts(last) + row.cells - 1 - cell !== plan.header.length) return false;
  return widths.some((width) => [cell + parts(first), ...others.map(parts)].every((cells) => cells === width));
}

/** In prose a blank follows on a comma, in rows only where the sheet is written so. */
function looksLikeRow(line: string, { delimiter, header }: SheetPlan, widths: readonly number[]): boolean {
  const cells = line.split(delimiter).length;
  if (cells < 3 || !widths.includes(cells)) return false;
  return delimiter === '\t' || !line.includes(`${delimiter} `) || header.some((text) => text.startsWith(' '));
}
