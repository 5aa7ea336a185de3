import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answered, Asked, Made } from './contract.js';
import { get, nextCursor, query, request } from './request.js';

type TokenList = Answered<'/tokens'>;
export type Token = NonNullable<TokenList['_embedded']>['tokens'][number];
export type TokenRequest = Asked<'/tokens'>;
/** With its text, which is shown once. */
export type MadeToken = Made<'/tokens'>;

/** Valid tokens of one account, newest first, page by page. */
export function useTokens(account: string) {
  return useInfiniteQuery({
    queryKey: ['tokens', account],
    queryFn: async ({ pageParam, signal }) => {
      const list = await get<TokenList>(`/tokens${query({ account, valid: 'true', cursor: pageParam })}`, signal);
      return { tokens: list._embedded?.tokens ?? [], next: nextCursor(list) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export function useNewToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (json: TokenRequest) => (await request<MadeToken>('/tokens', { method: 'POST', json })).body,
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(`/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
}

export function useNewPassword() {
  return useMutation({
    mutationFn: (json: Asked<'/auth/password'>) => request('/auth/password', { method: 'POST', json }),
  });
}
