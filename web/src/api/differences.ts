import { useQuery } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import { get, query } from './request.js';
import { endedKey, submissionPath } from './submissions.js';

type ChangesDocument = Answered<'/submissions/{id}/changes'>;

/** Every cell that a dry run would change, or an upload has changed, in order of lines; or the first `size`. */
export function useDifferences(id: string, size?: number) {
  return useQuery({
    queryKey: endedKey(id, 'changes', size),
    queryFn: async ({ signal }) =>
      (await get<ChangesDocument>(`${submissionPath(id)}/changes${query({ size })}`, signal)).changes,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
