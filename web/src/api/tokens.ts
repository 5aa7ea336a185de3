import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered, Asked, Made } from './contract.js';
import { get, query, request } from './request.js';

type TokenList = Answered<'/tokens'>;
export type Token = NonNullable<TokenList['_embedded']>['tokens'][number];
export type TokenRequest = Asked<'/tokens'>;

/** Valid tokens of one account, newest first. */
export function useTokens(account: string) {
  return useQuery({
    queryKey: ['tokens', account],
    queryFn: async ({ signal }) =>
      (await get<TokenList>(`/tokens${query({ account, valid: 'true' })}`, signal))._embedded?.tokens ?? [],
  });
}

export function useNewToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (json: TokenRequest) =>
      (await request<Made<'/tokens'>>('/tokens', { method: 'POST', json })).body,
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
