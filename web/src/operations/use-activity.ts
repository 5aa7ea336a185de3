import { useQuery } from '@tanstack/react-query';
import type { SubmissionStatus } from '../api/contract.js';
import { listSubmissions } from '../api/submissions.js';
import { activityOf, HOUR_MS } from './activity.js';

const MAX_PAGES = 20;
const EVERY_MS = 3_000;

/** Looked at anew every few seconds. */
export function useActivity() {
  return useQuery({
    queryKey: ['activity'],
    queryFn: async ({ signal }) => activityOf(await recentSubmissions(signal), Date.now()),
    refetchInterval: EVERY_MS,
  });
}

/** Back to the first page that holds nothing of the last hour and nothing that is still active. */
async function recentSubmissions(signal: AbortSignal): Promise<SubmissionStatus[]> {
  const all: SubmissionStatus[] = [];
  const since = Date.now() - HOUR_MS;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { submissions, next } = await listSubmissions({}, cursor, signal);
    all.push(...submissions);
    const fresh = submissions.some(
      ({ submissionStatus, lastUpdateDate }) => submissionStatus === 'ACTIVE' || Date.parse(lastUpdateDate) > since,
    );
    if (next === undefined || !fresh) break;
    cursor = next;
  }
  return all;
}
