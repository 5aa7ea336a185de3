/** The rejected rows of a submission with their bad cells marked: what an .xlsx of them is made of, and the JSON of the same. */
import { addTo } from '../../registry/lists.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import { columnLetter } from '../../tsv/dialect.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import type { SheetRow } from '../../tsv/print/rows.js';
import { topRows } from '../../tsv/print/top-rows.js';
import { ownColumns } from '../../tsv/print/write.js';

export interface MarkedCell {
  text: string;
  mark?: 'header' | 'error' | 'warning';
  /** Said of the cell. */
  comment?: string;
}

/** PORT: prints a table as an .xlsx file. */
export interface MarkedWorkbook {
  /** What a worksheet holds, cells counted with empty ones, and characters of one cell. */
  limits: { rows: number; cells: number; cellText: number };
  /** `commented`: cells may have comments. */
  print(rows: AsyncIterable<readonly MarkedCell[]>, sheet: { name: string; commented: boolean }): AsyncIterable<Buffer>;
}

/** Ignored when the file is sent again (tsv/header/header-name.ts). */
const OURS = ['Error Line', 'Error Column', 'Error Message', 'Error Suggestion'];

/** The rows at the top of the sheet, the header among them, as a sheet of some of its rows needs them. */
export const ownHead = (plan: SheetPlan): string[][] => topRows(plan, [], ownColumns(plan));

export const markedHeader = (plan: SheetPlan): MarkedCell[][] =>
  topRows(plan, OURS, ownColumns(plan)).map((row) => row.map((text) => ({ text, mark: 'header' })));

export function markedRow(plan: SheetPlan, row: SheetRow, issues: readonly Issue[]): MarkedCell[] {
  const byLetter = new Map<string, Issue[]>();
  for (const issue of issues) {
    if (issue.columnLetter === undefined) continue;
    addTo(byLetter, issue.columnLetter, issue);
  }
  const cells = ownColumns(plan).map((column): MarkedCell => {
    const text = row.cells[column] ?? '';
    const found = byLetter.get(columnLetter(column));
    if (!found) return { text };
    const bad = found.some(({ severity }) => severity === 'error');
    return { text, mark: bad ? 'error' : 'warning', comment: found.map(inWords).join('\n') };
  });
  const all = (of: (issue: Issue) => string | undefined): string =>
    issues.every((issue) => !of(issue)) ? '' : issues.map((issue) => of(issue) ?? '').join(' | ');
  const ours = [
    String(row.line),
    all(({ column, columnLetter: letter }) => (column && letter ? `${column} (${letter})` : column)),
    all(({ message }) => message),
    all(({ suggestion }) => suggestion),
  ];
  return [...cells, ...ours.map((text) => ({ text }))];
}

/** The row with its issues, as one JSON object; with its accession where it was registered. */
export function rowJson(plan: SheetPlan, row: SheetRow, issues: readonly Issue[], accession?: string): string {
  const cells = ownColumns(plan).map((column) => ({ column: plan.header[column], value: row.cells[column] ?? '' }));
  return JSON.stringify({ line: row.line, ...(accession === undefined ? {} : { accession }), cells, issues });
}

const inWords = ({ message, suggestion }: Issue): string =>
  suggestion === undefined || message.includes(suggestion) ? message : `${message} Suggestion: ${suggestion}`;
