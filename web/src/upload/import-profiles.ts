import { useQuery } from '@tanstack/react-query';
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

/** Names and titles of all import profiles that the account may use. */
export const useProfileList = () =>
  useQuery({ queryKey: ['profiles', 'list'], queryFn: ({ signal }) => listProfiles(signal), staleTime: 60_000 });

/** The kept ones, by which sheets are recognised; those that ship are part of the page. Undefined until they are here. */
export const useKeptProfiles = () =>
  useQuery({ queryKey: ['profiles', 'kept'], queryFn: ({ signal }) => readKept(signal), staleTime: 60_000 });

async function listProfiles(signal: AbortSignal): Promise<ListedProfile[]> {
  const list = await get<{ _embedded: { profiles: ListedProfile[] } }>('/profiles', signal);
  return list._embedded.profiles;
}

async function readKept(signal: AbortSignal): Promise<KnownProfile[]> {
  const kept = (await listProfiles(signal)).filter(({ rank }) => rank !== 'shipped').slice(0, MOST);
  return Promise.all(
    kept.map(async ({ name, rank, version }) => ({
      name,
      rank,
      ...(version === undefined ? {} : { version }),
      document: await get<ImportProfile>(`/profiles/${encodeURIComponent(name)}`, signal),
    })),
  );
}
