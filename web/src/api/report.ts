import { useQuery } from '@tanstack/react-query';
import { errorsFileReport } from '../sheet/errors-file.js';
import type { CellIssue } from './contract.js';
import type { IssueReport } from './issues.js';
import { requestText } from './request.js';
import { submissionPath } from './submissions.js';

interface ReportDocument {
  columns: (string | { header: string })[];
  rows: { line: number; cells: string[]; issues: Omit<CellIssue, 'line'>[] }[];
}

/** Every bad row with its cells and issues: as JSON, or from a service that has only the errors file, from that. */
export function useIssueReport(id: string, wanted: boolean) {
  return useQuery({
    queryKey: ['issues', id],
    queryFn: async ({ signal }): Promise<IssueReport> => {
      const { text, type } = await requestText(`${submissionPath(id)}/errors`, {
        headers: { Accept: 'application/json, text/tab-separated-values;q=0.5' },
        signal,
      });
      return type.includes('json') ? reportOf(JSON.parse(text) as ReportDocument) : errorsFileReport(text);
    },
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
