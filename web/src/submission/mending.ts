/** What the reader has changed in rows that need mending, and the sheet that comes of it. */
import type { IssueReport } from '../api/issues.js';

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

/** The cells of a line with its edits. */
export function mendedCells(cells: readonly string[], edits: ReadonlyMap<number, string> | undefined): string[] {
  const mended = [...cells];
  for (const [column, text] of edits ?? []) {
    while (mended.length <= column) mended.push('');
    mended[column] = text;
  }
  return mended;
}

/** The header and the rows that have edits, or without any edits all of them, as a TSV. `rewrite` sees every cell last. */
export function mendedRows(
  report: IssueReport,
  edits: Edits,
  rewrite: (column: number, text: string) => string = (_, text) => text,
): string {
  const rows = report.rows
    .filter(({ line, cells }) => (edits.size === 0 ? cells.length > 0 : edits.has(line)))
    .map(({ line, cells }) => mendedCells(cells, edits.get(line)).map((text, column) => rewrite(column, text)));
  return tsvOf([report.columns, ...rows]);
}

export const tsvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(tsvCell).join('\t')}\n`).join('');

/** A cell is quoted only where it would be read as something else. */
const tsvCell = (text: string): string => (/[\t\n\r]|^\s*"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** `s_liver.tsv` → `s_liver mended.tsv`. */
export const mendedName = (fileName: string): string =>
  `${fileName.replace(/\.(tsv|txt|tab|csv|xlsx)$/i, '').replace(/ mended$/, '')} mended.tsv`;
