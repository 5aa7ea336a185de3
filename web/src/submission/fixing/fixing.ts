/** What the reader has changed in rows that need fixing, and the sheet that comes of it. */
import { fold } from '../../../../src/tsv/dialect.js';
import type { BadRow, IssueReport } from '../../api/issues.js';

/** Line → column position → the new text. Never changed in place. */
export type Edits = ReadonlyMap<number, ReadonlyMap<number, string>>;

export const NO_EDITS: Edits = new Map();

export interface Edit {
  line: number;
  column: number;
  text: string;
  /** What the sheet says. */
  original: string;
}

/** With these cells set; setting one back to what the sheet says takes its edit away. Any number at the cost of one copy. */
export function withEdits(edits: Edits, changes: Iterable<Edit>): Edits {
  const next = new Map(edits);
  for (const { line, column, text, original } of changes) {
    const row = new Map(next.get(line));
    if (text === original) row.delete(column);
    else row.set(column, text);
    if (row.size === 0) next.delete(line);
    else next.set(line, row);
  }
  return next;
}

/** Without the cells that hold what they hold in others. */
export function withoutEdits(edits: Edits, others: Edits): Edits {
  const next = new Map<number, ReadonlyMap<number, string>>();
  for (const [line, cells] of edits) {
    const left = [...cells].filter(([column, text]) => others.get(line)?.get(column) !== text);
    if (left.length > 0) next.set(line, new Map(left));
  }
  return next;
}

export const withoutLines = (edits: Edits, lines: readonly number[]): Edits =>
  new Map([...edits].filter(([line]) => !lines.includes(line)));

/** Those of these rows. */
export function editsOf(edits: Edits, rows: readonly { line: number }[]): Edits {
  const lines = new Set(rows.map(({ line }) => line));
  const others = [...edits.keys()].some((line) => !lines.has(line));
  return others ? new Map([...edits].filter(([line]) => lines.has(line))) : edits;
}

/** The cells of a line with its edits. */
export function fixedCells(cells: readonly string[], edits: ReadonlyMap<number, string> | undefined): string[] {
  const fixed = [...cells];
  for (const [column, text] of edits ?? []) {
    while (fixed.length <= column) fixed.push('');
    fixed[column] = text;
  }
  return fixed;
}

/**
 * The header and the rows that have edits, or without any edits all rejected ones, as a TSV. Rows that are registered
 * already name their sample, so that they change it. `rewrite` sees every cell last.
 */
export function fixedRows(
  report: IssueReport,
  edits: Edits,
  rewrite: (column: number, text: string) => string = (_, text) => text,
): string {
  const wanted = report.rows.filter(({ line, issues, accession }) =>
    edits.size === 0 ? accession === undefined && issues.some(({ severity }) => severity === 'error') : edits.has(line),
  );
  const found = report.columns.findIndex((header) => fold(header) === 'sampleidentifier');
  const lacking = found < 0 && wanted.some(({ accession }) => accession !== undefined);
  const header = lacking ? [...report.columns, 'Sample Identifier'] : report.columns;
  const identifier = lacking ? report.columns.length : found;
  const rows = wanted.map((row) =>
    identified(row, fixedCells(row.cells, edits.get(row.line)), identifier).map((text, column) =>
      rewrite(column, text),
    ),
  );
  return tsvOf([...report.above, header, ...report.below, ...rows]);
}

function identified({ accession }: BadRow, cells: string[], identifier: number): string[] {
  if (accession !== undefined) {
    while (cells.length <= identifier) cells.push('');
    cells[identifier] = accession;
  }
  return cells;
}

export const tsvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(tsvCell).join('\t')}\n`).join('');

/** A cell is quoted only where it would be read as something else. */
const tsvCell = (text: string): string => (/[\t\n\r]|^\s*"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** `s_liver.tsv` → `s_liver fixed.tsv`. */
export const fixedName = (fileName: string): string =>
  `${fileName.replace(/\.(tsv|txt|tab|csv|xlsx?|ods)$/i, '').replace(/ fixed$/, '')} fixed.tsv`;
