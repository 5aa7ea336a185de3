import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReportDocument, reportOf } from './issues.js';
import { get } from './request.js';
import { endedKey, submissionPath } from './submissions.js';

/** Every bad row and every good row with warnings, with its cells and issues. */
export const issueReport = (id: string) =>
  queryOptions({
    queryKey: endedKey(id, 'issues'),
    queryFn: async ({ signal }) => reportOf(await get<ReportDocument>(`${submissionPath(id)}/errors`, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

export const useIssueReport = (id: string) => useQuery(issueReport(id));
