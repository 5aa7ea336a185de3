/** Cells that a quote opened which was never meant to: one that stands alone in its cell is a ditto mark, and the next one closes it. */
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { countLineBreaks, DELIMITERS, type Delimiter } from '../dialect.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';

const LINE_BREAK = /\r\n|\n|\r/;

/** Cells of one row that are held against all its others. */
const MOST_COMPARED = 100;
/** Columns that a result or a file of errors has beside those of the sheet. */
const MOST_OWN = 8;

/** How the sheet that a row is of was written, as far as that says how wide its rows were. */
interface Widths {
  /** What rows of the sheet may have had when it was read first. */
  widths: number[];
  /** What may have parted its cells: our results have tabs, whatever parted the cells when the sheet was read first. */
  delimiters: readonly Delimiter[];
  /** Empty cells at the end of the row may have been added since, or left out. */
  isPadded: boolean;
}

/** Cells that hold whole rows, or others of their row. */
export function quotesAstray(row: Row, plan: SheetPlan): Issue[] {
  const { header, identifierColumn, errorColumns, delimiter, rowsAreLines, added } = plan;
  // In a result, a row that was good has its accession.
  const isGood = identifierColumn !== undefined && row.isFilled(identifierColumn);
  const isFirst = identifierColumn === undefined && errorColumns.length === 0;
  if (row.plain && delimiter === '\t' && (isGood || isFirst)) return [];
  const widths = isGood ? [header.length] : widthsOf(plan);
  const wasSent = widths.length > 1;
  const sheet = { widths, delimiters: wasSent ? DELIMITERS : [delimiter], isPadded: wasSent || added !== undefined };
  const rows = row.lastLine > row.line ? swallowedRows(row, plan, sheet) : [];
  return rows.length > 0 || rowsAreLines ? rows : swallowedCells(row, plan, sheet);
}

/** Cells with whole rows inside. */
function swallowedRows(row: Row, plan: SheetPlan, sheet: Widths): Issue[] {
  const issues: Issue[] = [];
  let compared = 0;
  for (let cell = 0; cell < row.cells && compared < MOST_COMPARED; cell++) {
    const text = row.raw(cell);
    if (!DELIMITERS.some((delimiter) => text.includes(delimiter))) continue;
    compared++;
    const lines = text.split(LINE_BREAK);
    if (!holdsRows(lines, plan, sheet) && (plan.rowsAreLines || !isRows(lines, row, cell, plan, sheet))) continue;
    const until = row.line + countLineBreaks(text);
    const message = `A quote opens this cell and closes it on line ${until} only, with what look like whole rows between. Take the quote away, or close it where the cell ends.`;
    issues.push(rowIssue('cell.quote-swallows-rows', cellPlace(plan, row.line, cell), { value: text, message }));
  }
  return issues;
}

/** Cells that two marks of one row make: with those between them the row has no more cells than the sheet has columns. */
function swallowedCells(row: Row, plan: SheetPlan, { widths, delimiters, isPadded }: Widths): Issue[] {
  const held = new Map<number, number>();
  for (let cell = 0; cell < row.cells; cell++) {
    const delimiter = delimiters.find((each) => isBetweenMarks(row, cell, each));
    const text = delimiter === undefined ? '' : row.raw(cell);
    if (delimiter !== undefined && !LINE_BREAK.test(text)) held.set(cell, text.split(delimiter).length - 1);
  }
  if (held.size === 0) return [];
  const width = widths.find((columns) => {
    const more = [...held].reduce((sum, [cell, cells]) => (cell < columns ? sum + cells : sum), 0);
    return more > 0 && (isPadded ? filledOf(row, columns) : row.cells) + more <= columns;
  });
  if (width === undefined) return [];
  const message =
    'Two quotes that stand alone in their cells, as ditto marks do, are read as one cell in quotes, and what is behind them stands in columns that it is not of. ' +
    'Write the value in place of each mark.';
  return [...held.keys()]
    .filter((cell) => cell < width)
    .map((cell) =>
      rowIssue('cell.quote-swallows-rows', cellPlace(plan, row.line, cell), { value: row.raw(cell), message }),
    );
}

function isBetweenMarks({ text, starts, ends }: Row, cell: number, delimiter: Delimiter): boolean {
  const code = delimiter.charCodeAt(0);
  const end = ends[cell] as number;
  const start = starts[cell] as number;
  return end > start && text.charCodeAt(start) === code && text.charCodeAt(end - 1) === code;
}

/** How many of the first columns there are up to the last in which the row has something. */
function filledOf(row: Row, columns: number): number {
  let cells = Math.min(row.cells, columns);
  while (cells > 0 && row.isBlankCell(cells - 1)) cells--;
  return cells;
}

/** How many cells a row may have had when it was read first: our own columns at the end of a sheet that is sent again are left out one by one. */
function widthsOf({ header, identifierColumn, releaseColumn, errorColumns }: SheetPlan): number[] {
  const widths = [header.length];
  // The columns of errors are in their order, and there may be thousands: every row of the sheet is looked at.
  let error = errorColumns.length;
  for (let last = header.length - 1; widths.length <= MOST_OWN; last--) {
    if (errorColumns[error - 1] === last) error--;
    else if (last < 0 || (last !== identifierColumn && last !== releaseColumn)) break;
    widths.push(last);
  }
  return widths;
}

const holdsRows = (lines: readonly string[], plan: SheetPlan, sheet: Widths): boolean =>
  lines.slice(1, -1).some((line) => looksLikeRow(line, plan, sheet));

/**
 * Read as they stand, all lines that a quoted cell goes over are rows of the table, as where two samples have a ditto mark. A mark has nothing behind
 * it; cells that begin with words may hold commas on several lines, but hardly as many tabs.
 */
function isRows(lines: readonly string[], row: Row, cell: number, plan: SheetPlan, sheet: Widths): boolean {
  const { header, added = [] } = plan;
  const [first, last] = [lines[0] as string, lines.at(-1) as string];
  if (lines.length < 2 || row.firstFilled(header.length + added.length) >= 0) return false;
  const delimiter =
    sheet.delimiters.find((each) => first.startsWith(each) || (first === '' && last.includes(each))) ?? plan.delimiter;
  if (delimiter !== '\t' && last.includes(`${delimiter} `)) return false;
  const isMark = first === '' || first.startsWith(delimiter);
  if (!isMark && (delimiter !== '\t' || header.length < 3)) return false;
  // Empty cells beyond the header do not come back in a result: those of marks at the end of a row.
  const mayLack = sheet.isPadded && isMark && (last === '' || last.endsWith(delimiter));
  const behind = header.length + added.length;
  return sheet.widths.some((width) => {
    const written = cellsOfLines(row, cell, delimiter, { width, behind });
    const lastLine = written.pop() as number;
    const padding = sheet.isPadded ? Math.min(row.cells, width) - filledOf(row, width) : 0;
    if (lastLine - padding > width || (lastLine < width && !mayLack)) return false;
    return written.every((cells) => sheet.widths.includes(cells) && cells === written[0]);
  });
}

/** Where a row was written: in its first columns, and behind those that came with its profile or are ours. */
interface Written {
  width: number;
  behind: number;
}

/** How many cells each line of the row has as it stands: of this cell, and of others between marks, what parts cells does so. */
function cellsOfLines(row: Row, cell: number, delimiter: Delimiter, { width, behind }: Written): number[] {
  const lines: number[] = [0];
  for (let each = 0; each < row.cells; each++) {
    if (each >= width && each < behind) continue;
    if (each !== cell && !isBetweenMarks(row, each, delimiter)) {
      lines.push((lines.pop() as number) + 1);
      continue;
    }
    const [first, ...others] = row
      .raw(each)
      .split(LINE_BREAK)
      .map((line) => line.split(delimiter).length);
    lines.push((lines.pop() as number) + (first as number), ...others);
  }
  return lines;
}

/** In prose a blank follows on a comma, in rows only where the sheet is written so. */
function looksLikeRow(line: string, { delimiter, header }: SheetPlan, { widths }: Widths): boolean {
  const cells = line.split(delimiter).length;
  if (cells < 3 || !widths.includes(cells)) return false;
  return delimiter === '\t' || !line.includes(`${delimiter} `) || header.some((text) => text.startsWith(' '));
}
