import { useQuery } from '@tanstack/react-query';
import type { Answered, SubmissionStatus } from './contract.js';
import { get, query } from './request.js';
import { endedKey, submissionPath } from './submissions.js';

type MissingDocument = Answered<'/submissions/{id}/missing'>;

/** Samples of a standing sheet's key space that its plan did not find in the file: all, or the first `size`. */
export function useMissing(id: string, size?: number) {
  return useQuery({
    queryKey: endedKey(id, 'missing', size),
    queryFn: async ({ signal }) =>
      (await get<MissingDocument>(`${submissionPath(id)}/missing${query({ size })}`, signal)).missing,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How many samples committing this plan withdraws. */
export const toWithdraw = ({ standing, options }: SubmissionStatus): number =>
  options.missing === 'withdraw' ? (standing?.missing ?? 0) : 0;
