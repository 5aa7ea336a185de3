import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered, Asked } from '../api/contract.js';
import { giveUp, goOn, noteAccount, signedInAccount, untilSignedIn } from '../api/ended-session.js';
import { ApiProblem, requestOnce } from '../api/request.js';

export type Me = Answered<'/me'>;

export type Credentials = Asked<'/auth/session'>;

/** How often it is asked whether the session still holds: what is public goes on without it, what is one's own is missing. */
const ASKED_EVERY_MS = 5 * 60_000;

/** Who is signed in: an account, null for nobody, undefined while it is not known. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => readMe(signal),
    staleTime: 60_000,
    refetchInterval: ASKED_EVERY_MS,
  });
}

/** Whoever was signed in is asked to sign in again; only who never was is nobody. */
async function readMe(signal: AbortSignal): Promise<Me | null> {
  try {
    const { body } = await requestOnce<Me>('/me', { signal });
    noteAccount(body.account);
    return body;
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
    if (signedInAccount() === undefined) return null;
    await untilSignedIn(error, signal);
    return readMe(signal);
  }
}

export const maySubmit = (me: Me | null | undefined): boolean => me?.scopes.includes('submit') === true;

export const isAdmin = (me: Me | null | undefined): boolean => me?.scopes.includes('admin') === true;

/** Signs in; what waited for the same account is repeated, another account begins afresh. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (credentials: Credentials) =>
      (await requestOnce<{ account: string }>('/auth/session', { method: 'POST', json: credentials })).body,
    onSuccess: async ({ account }) => {
      const former = signedInAccount();
      noteAccount(account);
      if (former === undefined || former === account) {
        goOn();
        await client.invalidateQueries();
      } else {
        giveUp();
        await client.resetQueries();
      }
    },
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestOnce('/auth/session', { method: 'DELETE' }),
    onSuccess: () => {
      noteAccount(undefined);
      giveUp();
      client.clear();
      client.setQueryData(['me'], null);
    },
  });
}
