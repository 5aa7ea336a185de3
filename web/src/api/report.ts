import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import type { BadRow, IssueReport } from './issues.js';
import { get } from './request.js';
import { submissionPath } from './submissions.js';

type ReportDocument = Answered<'/submissions/{id}/errors'>;

/** Every bad row and every good row with warnings, with its cells and issues. */
export const issueReport = (id: string) =>
  queryOptions({
    queryKey: ['issues', id],
    queryFn: async ({ signal }) => reportOf(await get<ReportDocument>(`${submissionPath(id)}/errors`, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

export const useIssueReport = (id: string) => useQuery(issueReport(id));

export function reportOf({ rejected, warned }: ReportDocument): IssueReport {
  const columns = (rejected[0] ?? warned[0])?.cells.map(({ column }) => column) ?? [];
  const rows: BadRow[] = rejected.map(
    ({ line, cells, issues }): BadRow => ({ line, cells: cells.map(({ value }) => value), issues }),
  );
  for (const { line, accession, cells, issues } of warned) {
    rows.push({
      line,
      cells: cells.map(({ value }) => value),
      issues,
      ...(accession === undefined ? {} : { accession }),
    });
  }
  return { columns, rows: rows.sort((one, other) => one.line - other.line) };
}
