import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Asked, Made } from './contract.js';
import { request } from './request.js';

export type BatchEdit = Asked<'/submissions/edits'>;
export type SampleChange = BatchEdit['changes'][number];

/** Accessions in one request (the service's own limit). */
export const MAX_NAMED = 10_000;

/** Shows what an edit would do; resolves to the submission to look at. */
export function usePreview() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (edit: Omit<BatchEdit, 'dryRun'>): Promise<string> => {
      const json = { ...edit, dryRun: true };
      const { body } = await request<Made<'/submissions/edits'>>('/submissions/edits', { method: 'POST', json });
      return body.submissionId;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['submissions'] }),
  });
}
