import { useQuery } from '@tanstack/react-query';
import { get, query, request } from './request.js';

export interface Characteristic {
  text?: string;
  ontologyTerms?: string[];
  unit?: string;
  unitOntologyTerms?: string[];
}

export interface Relationship {
  source?: string;
  type: string;
  target: string;
}

export interface Cell {
  value: string;
  iri: string | null;
}

export interface DataTable {
  domain?: string | null;
  submissionAccountId?: string | null;
  type: string;
  schema?: string | null;
  content: Record<string, Cell>[];
}

export interface Sample {
  name: string;
  accession: string;
  domain?: string;
  submissionAccountId?: string;
  taxId?: number;
  status?: string;
  release?: string;
  update?: string;
  submitted?: string;
  create?: string;
  submittedVia?: string;
  characteristics: Record<string, Characteristic[]>;
  relationships?: Relationship[];
  externalReferences?: { url: string; duo?: string[] }[];
  data?: DataTable[];
  contact?: Record<string, string>[];
  organization?: Record<string, string>[];
  publications?: Record<string, string>[];
}

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

export interface SampleSearch {
  text: string;
  /** Spelt as the service reads them: `attr:organism:Homo sapiens`. */
  filters: readonly string[];
}

export interface SamplePage {
  samples: Sample[];
  /** Cursor of the next page. */
  next?: string;
}

interface SampleList {
  _embedded?: { samples?: Sample[] };
  _links?: { next?: { href: string } };
}

export async function searchSamples(
  { text, filters }: SampleSearch,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<SamplePage> {
  const list = await get<SampleList>(`/samples${query({ size: 50, text, filter: filters, cursor })}`, signal);
  const samples = list._embedded?.samples ?? [];
  const href = list._links?.next?.href;
  const next = href === undefined ? null : new URL(href, document.baseURI).searchParams.get('cursor');
  return next === null ? { samples } : { samples, next };
}

export interface Version {
  version: number;
  time: string;
  account: string;
  /** The submission that wrote it, and the line of its sheet; absent for a request. */
  submissionId?: string;
  line?: number;
}

interface HistoryDocument {
  _embedded?: { versions?: VersionDocument[] };
  versions?: VersionDocument[];
}

interface VersionDocument {
  version: number;
  update?: string;
  updated?: string;
  time?: string;
  account?: string;
  submissionAccountId?: string;
  submissionId?: string;
  submission?: string;
  line?: number;
}

export function useHistory(accession: string, wanted: boolean) {
  return useQuery({
    queryKey: ['history', accession],
    queryFn: async ({ signal }) => {
      const document = await get<HistoryDocument>(`${samplePath(accession)}/history`, signal);
      return (document._embedded?.versions ?? document.versions ?? []).map(versionOf);
    },
    enabled: wanted,
    retry: false,
  });
}

function versionOf(document: VersionDocument): Version {
  const { version, line } = document;
  const submissionId = document.submissionId ?? document.submission;
  return {
    version,
    time: document.time ?? document.updated ?? document.update ?? '',
    account: document.account ?? document.submissionAccountId ?? '',
    ...(submissionId === undefined ? {} : { submissionId }),
    ...(line === undefined ? {} : { line }),
  };
}

export function useVersion(accession: string, version: number | undefined) {
  return useQuery({
    queryKey: ['version', accession, version],
    queryFn: ({ signal }) => get<Sample>(`${samplePath(accession)}${query({ version })}`, signal),
    enabled: version !== undefined && version > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
