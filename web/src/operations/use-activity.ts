import { useQuery } from '@tanstack/react-query';
import type { SubmissionStatus } from '../api/contract.js';
import { serverNow } from '../api/server-clock.js';
import { listSubmissions, type SubmissionQuery } from '../api/submissions.js';
import { activityOf, HOUR_MS } from './activity.js';

const MAX_PAGES = 20;
const EVERY_MS = 3_000;

/** Looked at anew every few seconds. */
export function useActivity() {
  return useQuery({
    queryKey: ['activity'],
    queryFn: async ({ signal }) => {
      const [recent, active, failures] = await Promise.all([
        listed({}, signal, isOfTheLastHour),
        listed({ status: 'ACTIVE' }, signal, () => true),
        listSubmissions({ status: 'FAILED' }, undefined, signal),
      ]);
      const all = new Map([...recent.found, ...active.found].map((one) => [one.submissionId, one]));
      const failed = failures.submissions;
      return { ...activityOf([...all.values()], serverNow()), failed, more: active.more };
    },
    refetchInterval: EVERY_MS,
  });
}

const isOfTheLastHour = ({ lastUpdateDate }: SubmissionStatus): boolean =>
  Date.parse(lastUpdateDate) > serverNow() - HOUR_MS;

/**
 * Back to the first page without one of these. What is active is asked for by itself: behind a page of what ended long ago
 * there may be one that has waited longer.
 */
async function listed(
  filter: Partial<SubmissionQuery>,
  signal: AbortSignal,
  isOfThese: (submission: SubmissionStatus) => boolean,
): Promise<{ found: SubmissionStatus[]; more: boolean }> {
  const found: SubmissionStatus[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { submissions, next } = await listSubmissions(filter, cursor, signal);
    found.push(...submissions);
    if (next === undefined || (submissions.length > 0 && !submissions.some(isOfThese))) return { found, more: false };
    cursor = next;
  }
  return { found, more: true };
}
