import { useQueries } from '@tanstack/react-query';
import type { SubmissionStatus } from '../api/contract.js';
import { nextLookMs } from '../api/looks.js';
import { oneSubmission } from '../api/submissions.js';
import { rowsToFix } from '../show/to-fix.js';
import type { ChosenFile } from './file-list.js';

/** A sent file's submission is asked for again at least this often until it has ended. */
const LOOK_EVERY_MS = 2_000;

/** What became of the files that were sent, by submission; live to their ends. */
export function useOutcomes(files: readonly ChosenFile[]): ReadonlyMap<string, SubmissionStatus> {
  const ids = files.flatMap(({ state }) => (state.step === 'done' ? [state.submissionId] : []));
  return useQueries({
    queries: [...new Set(ids)].map((id) => ({
      ...oneSubmission(id),
      refetchInterval: ({ state }: { state: { data?: SubmissionStatus | undefined; dataUpdateCount: number } }) =>
        state.data === undefined || state.data.submissionStatus === 'ACTIVE'
          ? nextLookMs(state.dataUpdateCount, LOOK_EVERY_MS)
          : (false as const),
    })),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.submissionId, data] as const] : []))),
  });
}

/** How well it went: the worst stand first once all is sent. */
export type Standing = 'refused' | 'to-fix' | 'open' | 'good';
const ORDER: readonly Standing[] = ['refused', 'to-fix', 'open', 'good'];

export function standingOf({ state, check }: ChosenFile, outcomes: ReadonlyMap<string, SubmissionStatus>): Standing {
  if (state.step === 'failed') return 'refused';
  if (state.step !== 'done') return check?.problem === undefined ? 'open' : 'refused';
  const outcome = outcomes.get(state.submissionId);
  if (!outcome || outcome.submissionStatus === 'ACTIVE') return 'open';
  if (outcome.submissionStatus === 'FAILED' || outcome.submissionStatus === 'CANCELLED') return 'refused';
  return rowsToFix(outcome) > 0 ? 'to-fix' : 'good';
}

export const worstFirst = (
  files: readonly ChosenFile[],
  outcomes: ReadonlyMap<string, SubmissionStatus>,
): readonly ChosenFile[] => {
  const rank = new Map(files.map((one) => [one.key, ORDER.indexOf(standingOf(one, outcomes))]));
  return [...files].sort((one, other) => (rank.get(one.key) ?? 0) - (rank.get(other.key) ?? 0));
};
