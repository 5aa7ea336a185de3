import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered, Asked } from '../api/contract.js';
import { ApiProblem, get, request } from '../api/request.js';

export type Me = Answered<'/me'>;

export type Credentials = Asked<'/auth/session'>;

/** Who is signed in: an account, null for nobody, undefined while it is not known. */
export function useMe() {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => readMe(signal), staleTime: 60_000 });
}

async function readMe(signal: AbortSignal): Promise<Me | null> {
  try {
    return await get<Me>('/me', signal);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}

export const isAdmin = (me: Me | null | undefined): boolean => me?.scopes.includes('admin') === true;

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credentials: Credentials) => request('/auth/session', { method: 'POST', json: credentials }),
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('/auth/session', { method: 'DELETE' }),
    onSuccess: () => {
      client.clear();
      client.setQueryData(['me'], null);
    },
  });
}
