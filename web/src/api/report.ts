import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import type { BadRow, IssueReport } from './issues.js';
import { get } from './request.js';
import { submissionPath } from './submissions.js';

type ReportDocument = Answered<'/submissions/{id}/errors'>;

/** Every bad row with its cells and issues, and the warnings of the good ones, which come without cells. */
export const issueReport = (id: string) =>
  queryOptions({
    queryKey: ['issues', id],
    queryFn: async ({ signal }) => reportOf(await get<ReportDocument>(`${submissionPath(id)}/errors`, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

export const useIssueReport = (id: string) => useQuery(issueReport(id));

export function reportOf({ rejected, warnings }: ReportDocument): IssueReport {
  const columns = rejected[0]?.cells.map(({ column }) => column) ?? [];
  const rows = rejected.map(
    ({ line, cells, issues }): BadRow => ({ line, cells: cells.map(({ value }) => value), issues }),
  );
  for (const warning of warnings) rows.push({ line: warning.line, cells: [], issues: [warning] });
  return { columns, rows: rows.sort((one, other) => one.line - other.line) };
}
