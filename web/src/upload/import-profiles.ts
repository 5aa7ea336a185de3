import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ImportProfile, KnownProfile } from '../../../src/tsv/header/profile.js';
import { get } from '../api/request.js';

export interface ListedProfile {
  name: string;
  rank: KnownProfile['rank'];
  title: string;
  version?: number;
}

/** As many as are read whole: those of the account come first, of which there are fewer. */
const MOST = 200;

const STALE_MS = 60_000;

const LIST = queryOptions({
  queryKey: ['profiles', 'list'],
  queryFn: ({ signal }) => listProfiles(signal),
  staleTime: STALE_MS,
});

/** Names and titles of all import profiles that the account may use. */
export const useProfileList = () => useQuery(LIST);

/** The kept ones, by which sheets are recognised; those that ship are part of the page. Undefined until they are here. */
export function useKeptProfiles() {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['profiles', 'kept'],
    queryFn: async ({ signal }) => readKept(await client.fetchQuery(LIST), signal),
    staleTime: STALE_MS,
  });
}

async function listProfiles(signal: AbortSignal): Promise<ListedProfile[]> {
  const list = await get<{ _embedded: { profiles: ListedProfile[] } }>('/profiles', signal);
  return list._embedded.profiles;
}

async function readKept(list: readonly ListedProfile[], signal: AbortSignal): Promise<KnownProfile[]> {
  const kept = list.filter(({ rank }) => rank !== 'shipped').slice(0, MOST);
  return Promise.all(
    kept.map(async ({ name, rank, version }) => ({
      name,
      rank,
      ...(version === undefined ? {} : { version }),
      document: await get<ImportProfile>(`/profiles/${encodeURIComponent(name)}`, signal),
    })),
  );
}
