/** Issues as a flat list, one per row of the table, with what the reader looks for among them. */
import { columnNumber } from '../../../src/tsv/dialect.js';
import type { CellIssue } from '../api/contract.js';
import type { BadRow, IssueReport } from '../api/issues.js';
import { HELD_BACK } from '../show/to-fix.js';

export interface ListedIssue {
  key: string;
  row: BadRow;
  issue: CellIssue;
  /** 0-based column of the cell; absent for an issue of the whole row. */
  place: number | undefined;
}

export interface IssueFilter {
  text: string;
  /** Code and column of a group, as `groupKey` spells them; empty for all. */
  group: string;
}

export const groupKey = ({ code, column }: { code: string; column?: string | undefined }): string =>
  `${code}\u0000${column ?? ''}`;

export function listIssues(report: IssueReport): ListedIssue[] {
  return report.rows.flatMap((row) =>
    row.issues
      .filter(({ code }) => code !== HELD_BACK)
      .map((issue, at) => ({
        key: `${row.line}.${at}`,
        row,
        issue,
        place: row.cells.length === 0 ? undefined : placeOf(issue, report.columns),
      })),
  );
}

/** What stands in the cell; cells beyond the last header are known from their issue alone. */
export const originalText = ({ row, issue, place }: ListedIssue): string =>
  place === undefined ? (issue.value ?? '') : (row.cells[place] ?? issue.value ?? '');

export function filterIssues(list: ListedIssue[], { text, group }: IssueFilter): ListedIssue[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && group === '') return list;
  return list.filter(({ issue }) => {
    if (group !== '' && groupKey(issue) !== group) return false;
    if (wanted === '') return true;
    const { line, column, value, message, suggestion } = issue;
    if (String(line) === wanted) return true;
    return [column, value, message, suggestion].some((part) => part?.toLowerCase().includes(wanted));
  });
}

/**
 * Where in the row an issue points: by letter, which may lie beyond the last header, else by the header when only one
 * column has it. Rows that come without their cells have no place to fix.
 */
export function placeOf({ columnLetter: letter, column }: CellIssue, columns: readonly string[]): number | undefined {
  if (letter !== undefined) return columnNumber(letter);
  if (column === undefined) return undefined;
  const first = columns.indexOf(column);
  return first >= 0 && columns.indexOf(column, first + 1) < 0 ? first : undefined;
}
