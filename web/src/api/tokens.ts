import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, query, request } from './request.js';

export interface Token {
  id: string;
  account: string;
  name: string;
  scopes: string[];
  created: string;
  expires?: string;
  lastUsed?: string;
  revoked?: boolean;
}

export interface TokenRequest {
  account?: string;
  name: string;
  scopes: string[];
  expiresInDays?: number;
}

interface TokenList {
  _embedded?: { tokens?: Token[] };
}

/** Tokens of one account, newest first. */
export function useTokens(account: string) {
  return useQuery({
    queryKey: ['tokens', account],
    queryFn: async ({ signal }) =>
      (await get<TokenList>(`/tokens${query({ account })}`, signal))._embedded?.tokens ?? [],
  });
}

export function useNewToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (json: TokenRequest) =>
      (await request<Token & { token: string }>('/tokens', { method: 'POST', json })).body,
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
    mutationFn: (json: { current?: string; password: string }) => request('/auth/password', { method: 'POST', json }),
  });
}
