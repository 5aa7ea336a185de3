import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ExportFormat } from '../../../src/formats/names.js';
import { ChangedSince } from './changed-since.js';
import type { Answered } from './contract.js';
import { get, nextCursor, query, request } from './request.js';

/** The sample's own JSON, of all that the address can answer. */
type Stored = Extract<Answered<'/samples/{accession}'>, { accession: string }>;

/** A sample as it is read; one that is being written has not all of it. */
export type Sample = Omit<Partial<Stored>, 'status' | 'release'> &
  Pick<Stored, 'name' | 'accession' | 'characteristics'> & { status?: string; release?: string };
export type Characteristic = Stored['characteristics'][string][number];
export type Relationship = NonNullable<Stored['relationships']>[number];
export type DataTable = NonNullable<Stored['data']>[number];

export const samplePath = (accession: string): string => `/samples/${encodeURIComponent(accession)}`;

/** A sample as it is read, with the tag that a later change must name. */
export interface TaggedSample {
  sample: Sample;
  etag: string | undefined;
}

export async function readSample(accession: string, curated: boolean, signal?: AbortSignal): Promise<TaggedSample> {
  const path = `${samplePath(accession)}${query({ applyCurations: curated ? undefined : 'false' })}`;
  const { body, headers } = await request<Sample>(path, { signal });
  return { sample: body, etag: headers.get('ETag') ?? undefined };
}

export function useSample(accession: string, curated: boolean) {
  return useQuery({
    queryKey: ['sample', accession, curated],
    queryFn: ({ signal }) => readSample(accession, curated, signal),
  });
}

/** Whatever shows a sample, or finds it, is asked for again. */
export const sampleChanged = (client: QueryClient): Promise<unknown> =>
  Promise.all(['sample', 'history', 'version', 'samples'].map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Withdraws the sample as it is shown, or takes that back. The mutation throws ChangedSince where it is another by now. */
export function useWithdrawal({ sample: { accession }, etag }: TaggedSample) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (withdrawn: boolean) =>
      request(`${samplePath(accession)}/withdrawal`, {
        method: withdrawn ? 'PUT' : 'DELETE',
        headers: etag === undefined ? {} : { 'If-Match': etag },
      }).catch(ChangedSince.insteadOf412(accession)),
    onSettled: () => sampleChanged(client),
  });
}

export interface SampleSearch {
  text: string;
  /** Spelt as the service reads them: `attr:organism:Homo sapiens`. */
  filters: readonly string[];
}

export interface SamplePage {
  samples: Sample[];
  /** Cursor of the next page. */
  next?: string;
  /** Samples that were written a moment ago and may be missing from the page. */
  notIndexed?: number;
  /** Accessions that belong here and cannot be read. */
  damaged: readonly string[];
}

export async function searchSamples(
  { text, filters }: SampleSearch,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<SamplePage> {
  const list = await get<Answered<'/samples'>>(`/samples${query({ size: 50, text, filter: filters, cursor })}`, signal);
  const samples = list._embedded?.samples ?? [];
  const next = nextCursor(list);
  return {
    samples,
    ...(next === undefined ? {} : { next }),
    ...(list.notIndexed === undefined ? {} : { notIndexed: list.notIndexed }),
    damaged: list.damaged ?? [],
  };
}

/** Where everything that a search finds is one file. */
export const exportPath = ({ text, filters, format }: SampleSearch & { format?: ExportFormat }): string =>
  `/samples/export${query({ text, filter: filters, format })}`;

/** How many samples a search finds, exactly; refused where they do not fit into the format. @throws ApiProblem, ServerAway */
export async function countAll(
  search: SampleSearch & { format?: ExportFormat },
  signal?: AbortSignal,
): Promise<number> {
  const { headers } = await request(exportPath(search), { method: 'HEAD', signal });
  return Number(headers.get('Samples-Count'));
}

/** One version: when, by whom, and by which line of which submission where it came from a sheet. */
export type Version = Answered<'/samples/{accession}/history'>['_embedded']['versions'][number];

export function useHistory(accession: string, wanted: boolean) {
  return useQuery({
    queryKey: ['history', accession],
    queryFn: async ({ signal }) =>
      (await get<Answered<'/samples/{accession}/history'>>(`${samplePath(accession)}/history`, signal))._embedded
        .versions,
    enabled: wanted,
    retry: false,
  });
}

export function useVersion(accession: string, version: number | undefined) {
  return useQuery({
    queryKey: ['version', accession, version],
    queryFn: ({ signal }) => get<Sample>(`${samplePath(accession)}${query({ version })}`, signal),
    enabled: version !== undefined && version > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
