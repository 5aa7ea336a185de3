import { useQuery } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import { get } from './request.js';
import { submissionPath } from './submissions.js';

type ChangesDocument = Answered<'/submissions/{id}/changes'>;

/** Every cell that a dry run would change, or an upload has changed, in order of lines. */
export function useDifferences(id: string, wanted: boolean) {
  return useQuery({
    queryKey: ['changes', id],
    queryFn: async ({ signal }) => (await get<ChangesDocument>(`${submissionPath(id)}/changes`, signal)).changes,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
