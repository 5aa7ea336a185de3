import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered, Asked, Made } from './contract.js';
import { get, nextCursor, query, request } from './request.js';

type AccountList = Answered<'/accounts'>;
export type Account = NonNullable<AccountList['_embedded']>['accounts'][number];
export type OneTimePassword = Made<'/accounts/{account}/password-reset'>;

const accountPath = (account: string): string => `/accounts/${encodeURIComponent(account)}`;

interface AccountPage {
  accounts: Account[];
  next: string | undefined;
}

/** Accounts whose name holds the text, by name; for administrators. */
export function useAccounts(text: string) {
  return useInfiniteQuery({
    queryKey: ['accounts', text],
    queryFn: async ({ pageParam, signal }): Promise<AccountPage> => {
      const list = await get<AccountList>(`/accounts${query({ text, size: 50, cursor: pageParam })}`, signal);
      return { accounts: list._embedded?.accounts ?? [], next: nextCursor(list) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
  });
}

export function useAccount(account: string) {
  return useQuery({
    queryKey: ['account', account],
    queryFn: ({ signal }) => get<Account>(accountPath(account), signal),
  });
}

export function useNewAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (json: Asked<'/accounts'>) =>
      (await request<Made<'/accounts'>>('/accounts', { method: 'POST', json })).body,
    onSuccess: () => client.invalidateQueries({ queryKey: ['accounts'] }),
  });
}

/** Gives the account a password for one sign-in; its former one and its sessions end. */
export function usePasswordReset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (account: string) =>
      (await request<OneTimePassword>(`${accountPath(account)}/password-reset`, { method: 'POST' })).body,
    onSettled: () =>
      Promise.all(['accounts', 'account', 'tokens'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
