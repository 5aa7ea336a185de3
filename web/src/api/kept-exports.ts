/** Files of whole results that the service makes and keeps for a while. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ExportFormat } from '../../../src/formats/names.js';
import type { Answered } from './contract.js';
import { signedInAccount } from './ended-session.js';
import { get, query, request } from './request.js';
import type { SampleSearch } from './samples.js';

export type KeptExport = Answered<'/samples/exports/{id}'>;

const KEY = ['kept exports'];
const LOOK_MS = 2_000;

const keptPath = (id: string): string => `/samples/exports/${encodeURIComponent(id)}`;
export const keptFilePath = (id: string): string => `${keptPath(id)}/file`;

/** Newest first; looked at again while one is made. */
export function useKeptExports() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await get<Answered<'/samples/exports'>>('/samples/exports', signal))._embedded.exports as KeptExport[],
    enabled: signedInAccount() !== undefined,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'ACTIVE') ? LOOK_MS : false),
  });
}

export function useOrderExport({ text, filters }: SampleSearch) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (format: ExportFormat) =>
      request<KeptExport>(`/samples/exports${query({ text, filter: filters, format })}`, { method: 'POST' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export function useRemoveExport() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(keptPath(id), { method: 'DELETE' }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
