/** What we send back: the user's own rows with their accessions or issues beside them, and the receipt. */
import { stringify } from 'csv-stringify/sync';
import type { Issue } from '../../registry/samples/sample-batch.js';
import { OUR_ROWS } from '../dialect.js';
import type { SheetPlan } from '../header/columns.js';
import { SINGLE } from '../header/header-name.js';
import { RECEIPT_END, RECEIPT_START } from '../rows/receipt.js';
import { printCell, printRow } from './print-row.js';
import type { SheetRow } from './rows.js';
import { topRows } from './top-rows.js';

const { identifier: IDENTIFIER, release: RELEASE } = SINGLE;

/** Recognised when an errors file is sent again, and ignored (header-name.ts). */
const ERROR_COLUMNS = ['Error Line', 'Error Column', 'Error Code', 'Error Value', 'Error Message', 'Error Suggestion'];

/** What a result says of a row beyond its cells. An empty text leaves the cell as the user wrote it. */
export interface Written {
  accession: string;
  /** Absent for every row of a sheet whose dates are all its own. */
  release?: string;
}

/**
 * The original header row. A Sample Identifier column is added last when there is none, before it a Release Date
 * column for dates that came with the upload (`dated`). With its line end.
 */
export const resultHeader = (plan: SheetPlan, dated: boolean): string => resultHead(plan, dated).map(printRow).join('');

/** The same as cells, with the rows that stand above and below it. */
export function resultHead(plan: SheetPlan, dated: boolean): string[][] {
  const release = dated && plan.releaseColumn === undefined ? [RELEASE] : [];
  const identifier = plan.identifierColumn === undefined ? [IDENTIFIER] : [];
  return topRows(plan, [...release, ...identifier]);
}

/** The original row with its accession and its date. With its line end. */
export const resultRow = (plan: SheetPlan, row: SheetRow, written: Written): string =>
  printRow(resultCells(plan, row, written));

/** The same as cells. */
export function resultCells(plan: SheetPlan, row: SheetRow, { accession, release }: Written): string[] {
  const columns = plan.header.length;
  const cells = row.cells.slice(0, columns);
  while (cells.length < columns) cells.push('');
  if (release !== undefined) {
    if (plan.releaseColumn === undefined) cells.push(release);
    else if ((cells[plan.releaseColumn] as string).trim() === '') cells[plan.releaseColumn] = release;
  }
  if (plan.identifierColumn === undefined) cells.push(accession);
  else if (accession !== '' && (cells[plan.identifierColumn] as string).trim() !== accession) {
    cells[plan.identifierColumn] = accession;
  }
  cells.push(...extraCells(row, columns));
  return cells;
}

/** The receipt below the rows: a blank line, then its rows between two markers, as many at a time as are given. */
export async function* receipt(parts: AsyncIterable<string[][]>): AsyncGenerator<string> {
  yield `\n${RECEIPT_START}\n`;
  for await (const rows of parts) yield printOurs(rows);
  yield `${RECEIPT_END}\n`;
}

export function errorsHeader(plan: SheetPlan): string {
  return topRows(plan, ERROR_COLUMNS, ownColumns(plan)).map(printRow).join('');
}

/** A rejected row with all its cells and what is wrong with it; issues of one row are parted by ` | `. */
export function errorsRow(plan: SheetPlan, row: SheetRow, issues: readonly Issue[]): string {
  const columns = plan.header.length;
  const cells = row.cells.slice(0, columns);
  while (cells.length < columns) cells.push('');
  const all = (text: (issue: Issue) => string | undefined) =>
    issues.every((issue) => !text(issue)) ? '' : issues.map((issue) => text(issue) ?? '').join(' | ');
  const ours = [
    String(row.line),
    all(({ column, columnLetter }) => (column && columnLetter ? `${column} (${columnLetter})` : column)),
    all(({ code }) => code),
    all(({ value }) => value),
    all(({ message }) => message),
    all(({ suggestion }) => suggestion),
  ];
  const extra = extraCells(row, columns).map((cell) => `\t${printCell(cell)}`);
  return `${ownColumns(plan)
    .map((column) => printCell(cells[column] as string))
    .join('\t')}\t${printOurs([ours]).slice(0, -1)}${extra.join('')}\n`;
}

/** Without the error columns of an errors file that was sent again. */
export function ownColumns({ header, errorColumns }: SheetPlan): number[] {
  const errors = new Set(errorColumns);
  return header.flatMap((_, column) => (errors.has(column) ? [] : [column]));
}

/** Cells beyond the header that are not blank: why such a row is rejected, so they must come back with it. */
function extraCells(row: SheetRow, columns: number): string[] {
  const extra = row.cells.slice(columns);
  return extra.some((cell) => cell.trim() !== '') ? extra : [];
}

/** Rows of our own: every cell on one line, none that a spreadsheet would calculate. */
export const printOurs = (rows: readonly string[][]): string =>
  stringify(
    rows.map((row) => row.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' '))),
    OUR_ROWS,
  );
