import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ChangedSince } from './changed-since.js';
import type { Answered } from './contract.js';
import { ApiProblem, get, query, request } from './request.js';
import { type DataTable, samplePath } from './samples.js';

type LinkList = Answered<'/samples/{accession}/curationlinks'>;

/** `applied` is false when a part of it no longer fits the sample, so that it changes nothing. */
export type CurationLink = NonNullable<LinkList['_embedded']>['curationLinks'][number];

/** So many are read at once: each is a note of some lines. */
const AT_ONCE = 50;

interface CurationPage {
  links: CurationLink[];
  /** Of the sample, on all pages. */
  total: number;
}

/** The curations of a sample, in the order in which they apply, page by page; none where they may not be read. */
export function useCurations(accession: string) {
  return useInfiniteQuery({
    queryKey: ['curations', accession],
    queryFn: ({ pageParam, signal }) => pageOfCurations(accession, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ total }, _, page) => ((page + 1) * AT_ONCE < total ? page + 1 : undefined),
  });
}

async function pageOfCurations(accession: string, page: number, signal: AbortSignal): Promise<CurationPage> {
  try {
    const address = `${samplePath(accession)}/curationlinks${query({ page, size: AT_ONCE })}`;
    const list = await get<LinkList>(address, signal);
    return { links: list._embedded?.curationLinks ?? [], total: list.page.totalElements };
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 403)) return { links: [], total: 0 };
    throw error;
  }
}

export type CurationAct = 'decline' | 'accept' | 'remove';

/** The owner declines or accepts what readers see; who curated, or an administrator, takes the curation away. */
export function useCurationAct(accession: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ hash, act }: { hash: string; act: CurationAct }) => {
      const link = `${samplePath(accession)}/curationlinks/${encodeURIComponent(hash)}`;
      return act === 'remove' ? request(link, { method: 'DELETE' }) : request(`${link}/${act}`, { method: 'POST' });
    },
    onSettled: () => attachedChanged(client),
  });
}

type TablesOf = Pick<DataTable, 'submissionAccountId' | 'type'>;

/**
 * Takes tables of structured data away: for who attached them, the sample's owner and administrators. Nothing keeps what is
 * removed, so that only what is `shown` is: the mutation throws ChangedSince where others stand in its place by now.
 */
export function useRemoveTables(accession: string, shown: readonly DataTable[]) {
  const client = useQueryClient();
  const path = `/structureddata/${encodeURIComponent(accession)}`;
  return useMutation({
    mutationFn: async (which: TablesOf) => {
      const what = `the table ${which.type}`;
      const { body, headers } = await request<Answered<'/structureddata/{accession}'>>(path);
      if (textOf(body.data, which) !== textOf(shown, which)) throw new ChangedSince(what);
      const etag = headers.get('ETag');
      const { submissionAccountId: account, type } = which;
      await request(`${path}${query({ account: account ?? undefined, type })}`, {
        method: 'DELETE',
        headers: etag === null ? {} : { 'If-Match': etag },
      }).catch(ChangedSince.insteadOf412(what));
    },
    onSettled: () => attachedChanged(client),
  });
}

const textOf = (tables: readonly DataTable[], { submissionAccountId, type }: TablesOf): string =>
  JSON.stringify(tables.filter((table) => table.submissionAccountId === submissionAccountId && table.type === type));

const attachedChanged = (client: ReturnType<typeof useQueryClient>) =>
  Promise.all(['sample', 'curations', 'samples'].map((key) => client.invalidateQueries({ queryKey: [key] })));
