import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered, SubmissionStatus } from './contract.js';
import { get, nextCursor, query, request } from './request.js';

export const submissionPath = (id: string): string => `/submissions/${encodeURIComponent(id)}`;

export const submissionKey = (id: string): readonly unknown[] => ['submission', id];

export interface SubmissionPage {
  submissions: SubmissionStatus[];
  /** Path of the next page, with its cursor. */
  next?: string;
}

/** Filters of the list, spelt as the service reads them; empty ones are not sent. */
export interface SubmissionQuery {
  status: string;
  account: string;
  fileName: string;
  from: string;
  to: string;
  dryRuns: string;
}

export async function listSubmissions(
  filter: Partial<SubmissionQuery>,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<SubmissionPage> {
  const list = await get<Answered<'/submissions'>>(`/submissions${query({ size: 50, ...filter, cursor })}`, signal);
  const submissions = list._embedded?.submissions ?? [];
  const next = nextCursor(list);
  return next === undefined ? { submissions } : { submissions, next };
}

export const oneSubmission = (id: string) =>
  queryOptions({
    queryKey: submissionKey(id),
    queryFn: ({ signal }) => get<SubmissionStatus>(submissionPath(id), signal),
  });

export type SubmissionAct = 'cancel' | 'retry' | 'commit' | 'undo';

/** Of what a submission holds once it has ended; of one that goes on all of it is asked anew. */
export const endedKey = (id: string, ...part: readonly unknown[]): readonly unknown[] => ['ended', id, ...part];

/** Does it, and resolves to the submission to look at next: the same, or the new one that the act made. */
export function useSubmissionAct(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (act: SubmissionAct): Promise<string> => {
      const { body, headers } = await (act === 'cancel'
        ? request<Partial<SubmissionStatus> | undefined>(submissionPath(id), { method: 'DELETE' })
        : request<Partial<SubmissionStatus> | undefined>(`${submissionPath(id)}/${act}`, { method: 'POST' }));
      return body?.submissionId ?? idInLocation(headers.get('Location')) ?? id;
    },
    onSettled: async (_next, _error, act) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: submissionKey(id) }),
        client.invalidateQueries({ queryKey: ['submissions'] }),
      ]);
      if (act !== 'retry') return;
      // It may have ended again by now. Of what is looked at, an answer on its way would never come if it were taken away.
      client.removeQueries({ queryKey: endedKey(id), type: 'inactive' });
      await client.invalidateQueries({ queryKey: endedKey(id) });
    },
  });
}

export function idInLocation(location: string | null): string | undefined {
  const id = location?.split('/submissions/')[1]?.split(/[/?#]/)[0];
  return id === undefined || id === '' ? undefined : decodeURIComponent(id);
}

export type MappingPair = Answered<'/submissions/{id}/mapping'>['sampleNameAccessionPairs'][number];

/** Name → accession of everything that is registered; kept while it is looked at. */
export function useMapping(id: string, wanted: boolean) {
  return useQuery({
    queryKey: endedKey(id, 'mapping'),
    queryFn: async ({ signal }) =>
      (await get<Answered<'/submissions/{id}/mapping'>>(`${submissionPath(id)}/mapping`, signal))
        .sampleNameAccessionPairs,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
}
