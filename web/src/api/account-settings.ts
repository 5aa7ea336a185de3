import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answered } from './contract.js';
import { get, request } from './request.js';

/** What the account that is signed in decides about its own samples. */
export type AccountSettings = Answered<'/me/settings'>;

const PATH = '/me/settings';
const keyOf = (account: string) => ['account settings', account];

export function useAccountSettings(account: string) {
  return useQuery({
    queryKey: keyOf(account),
    queryFn: ({ signal }) => get<AccountSettings>(PATH, signal),
  });
}

/** The answer says how they are from now on. */
export function useNewAccountSettings(account: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (json: AccountSettings) => (await request<AccountSettings>(PATH, { method: 'PUT', json })).body,
    onSuccess: (settings) => client.setQueryData(keyOf(account), settings),
  });
}
