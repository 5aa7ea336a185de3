import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered, Asked } from '../api/contract.js';
import { giveUp, goOn, noteAccount, signedInAccount, untilSignedIn } from '../api/ended-session.js';
import { ApiProblem, requestOnce } from '../api/request.js';
import { tellOtherTabs } from './other-tabs.js';

export type Me = Answered<'/me'>;

export type Credentials = Asked<'/auth/session'>;

/** How often it is asked whether the session still holds: what is public goes on without it, what is one's own is missing. */
const ASKED_EVERY_MS = 5 * 60_000;

/** Who is signed in: an account, null for nobody, undefined while it is not known. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal, client }) => readMe(client, signal),
    staleTime: 60_000,
    refetchInterval: ASKED_EVERY_MS,
  });
}

/** Whoever was signed in is asked to sign in again; only who never was is nobody. Another tab may have done so, as somebody else. */
async function readMe(client: QueryClient, signal: AbortSignal): Promise<Me | null> {
  try {
    const { body } = await requestOnce<Me>('/me', { signal });
    if (isAnother(body.account)) {
      await client.cancelQueries(OF_THE_ACCOUNT);
      void client.resetQueries(OF_THE_ACCOUNT);
    }
    return body;
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
    if (signedInAccount() === undefined) return null;
    await untilSignedIn(error, signal);
    return readMe(client, signal);
  }
}

/** All but the question who is signed in. */
const OF_THE_ACCOUNT = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'me' };

/** The account is signed in: what waited for it is repeated. True when it takes the place of another one, for which nothing goes on. */
function isAnother(account: string): boolean {
  const former = signedInAccount();
  noteAccount(account);
  const another = former !== undefined && former !== account;
  if (another) giveUp();
  else goOn();
  return another;
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
      const another = isAnother(account);
      tellOtherTabs();
      await (another ? client.resetQueries() : client.invalidateQueries());
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
      tellOtherTabs();
      // Not forgotten and asked anew: whoever shows who is signed in would not hear of it.
      client.setQueryData(['me'], null);
      client.removeQueries(OF_THE_ACCOUNT);
      client.getMutationCache().clear();
    },
  });
}
