import { useQuery } from '@tanstack/react-query';
import type { CellIssue } from './contract.js';
import { columnLetter, type IssueReport } from './issues.js';
import { get } from './request.js';
import { submissionPath } from './submissions.js';

interface ReportDocument {
  columns: (string | { header: string })[];
  rows: { line: number; cells: string[]; issues: Omit<CellIssue, 'line'>[] }[];
}

/** Every bad row with its cells and issues. */
export function useIssueReport(id: string, wanted: boolean) {
  return useQuery({
    queryKey: ['issues', id],
    queryFn: async ({ signal }) => reportOf(await get<ReportDocument>(`${submissionPath(id)}/errors`, signal)),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

export function reportOf({ columns, rows }: ReportDocument): IssueReport {
  return {
    columns: columns.map((column) => (typeof column === 'string' ? column : column.header)),
    rows: rows.map(({ line, cells, issues }) => ({ line, cells, issues: issues.map((issue) => ({ ...issue, line })) })),
  };
}

export const letterAndHeader = (place: number, columns: readonly string[]): string =>
  `${columnLetter(place)} ${columns[place] ?? ''}`.trim();
