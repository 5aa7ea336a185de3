/**
 * PORT: finding samples. The index is filled behind the writes, in steps, so that ingest pays nothing for it but one
 * journal row per run of samples; a search adds what the index has not taken in yet. Adapters keep these promises; the
 * suite test/contract/search-store.ts checks each of them on every adapter.
 */
import { RegistryError } from '../errors.js';
import type { SampleRecord } from '../samples/sample-store.js';
import type { FacetRequest, FoundFacets } from './facets.js';

/** Milliseconds since 1970, both ends included; an absent end is open. */
export interface TimeRange {
  from?: number;
  until?: number;
}

/** Numbers, or milliseconds since 1970 of dates: `from` and `until` included, `below` not. */
export interface ValueRange {
  date: boolean;
  from?: number;
  below?: number;
  until?: number;
}

/** What every found sample must meet. */
export interface SearchQuery {
  /** Each group is met by any one of its terms (search-terms.ts). */
  terms: string[][];
  /** Which of the groups are of one characteristic: place of the group → code of the characteristic's name. */
  attributes?: Map<number, number>;
  /** Numbers and dates of characteristics, by code of the name; each is met by any one of its ranges. */
  ranges?: Map<number, ValueRange[]>;
  /** Accession numbers, any one of them. */
  ids?: number[];
  /** Owners' names, any one of them. */
  accounts?: string[];
  release?: TimeRange;
  updated?: TimeRange;
  /** Samples with a status of an administrator's or of an undo: `only` them, or them too; absent: none of them. */
  withdrawn?: 'only' | 'too';
  /** Who asks: sees public samples and its own, an administrator all. Nobody sees public ones. */
  reader?: { account: string; admin: boolean };
  /** Of a caller who is nobody, for a turn among others. */
  network?: string;
  /** Milliseconds since 1970: samples released by then and without a status of an administrator's are public. */
  now: number;
  size: number;
  /** What is to be counted of all that is found, wherever the page starts. */
  facets?: FacetRequest;
}

/** A sample with the curations of its content. */
export type ContentRecord = Pick<SampleRecord, 'sample' | 'curationLinks'>;

/** Where a page starts: after the sample last seen, or at a number of a page (0-based), with totals. */
export type SearchStart = { before?: number } | { page: number };

export interface FoundPage {
  /** Accession numbers, newest first. */
  ids: number[];
  /** Accession number to go on before; absent on the last page. */
  next?: number;
  /** How many samples there are in all, counted up to `COUNTED`; in page mode only. */
  total?: number;
  /** False when there are as many as `total` or more. */
  counted?: boolean;
  /** Changes that the answer does not know yet, at most: too many of them waited for the index. */
  missing: number;
  /** Where they are asked for. */
  facets?: FoundFacets;
}

/** A page with what the samples are. */
export interface SearchPage extends Omit<FoundPage, 'ids'> {
  records: SampleRecord[];
}

/** A search that runs longer is stopped, milliseconds. */
export const SEARCH_MS = 5_000;

export const tookTooLong = (): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `This search was stopped after ${SEARCH_MS / 1000} s. Narrow it, by a word or a filter that fewer samples meet.`,
  );

/** A total is counted no further, and no page lies beyond: counting and skipping cost as much as reading. */
export const COUNTED = 10_000;

/** A sample that is found by its name and accession alone. */
export interface NameOnly {
  /** Accession number. */
  id: number;
  /** For operators. */
  reason: string;
}

export interface IndexStep {
  indexed: number;
  /** False when there was nothing to do. */
  more: boolean;
  /** What this step passed by name only. */
  nameOnly: NameOnly[];
}

/** How far the index is behind. Times are milliseconds since 1970. */
export interface IndexState {
  /** Samples that changed and are not yet indexed, at most. */
  lag: number;
  /** When the oldest of those changes was written; absent when nothing waits, or it is not known. */
  since?: number;
  /** When a step last took something in; 0 never. */
  moved: number;
  /** Samples found by name and accession alone. */
  nameOnly: number;
  /** Names of damaged index files that were replaced and kept, for operators; none on a store without such files. */
  setAside?: string[];
}

export interface SearchStore {
  /**
   * Samples as they are now: every change that was acknowledged before the search began is in the answer, but for
   * `missing` ones when very many wait for the index (pending-samples.ts). A walk by `before` sees no sample twice, and
   * all that were there when it began and still match. By the time it is read, a sample may have become private: the
   * caller checks each.
   * @throws RegistryError service.unavailable when it takes longer than `SEARCH_MS`
   */
  findSamples(query: SearchQuery, start: SearchStart): Promise<FoundPage>;
  /** In the order of `ids`; those that there are not are left out. */
  readSamples(ids: readonly number[]): Promise<SampleRecord[]>;
  /**
   * Like `readSamples`: of `ids` as many as have `bytes` of all that is stored of them together, one at least. `read`: the first so many
   * of `ids` are taken care of.
   */
  readSamplesWithin(ids: readonly number[], bytes: number): Promise<{ records: SampleRecord[]; read: number }>;
  /** Like `readSamplesWithin`, without structured data, which is not counted either. */
  readContents(ids: readonly number[], bytes: number): Promise<{ records: ContentRecord[]; read: number }>;
  /**
   * The account's samples of these names, spelled so, that are not withdrawn: name → accession numbers, the oldest first.
   * A hint at little cost: it reads no content, and leaves out what `findSamples` would as `missing`.
   */
  findNamed(account: string, names: readonly string[]): Promise<Map<string, number[]>>;
  /** `findSamples` and `readSamples` in one. */
  search(query: SearchQuery, start: SearchStart): Promise<SearchPage>;
  /**
   * Indexes up to `limit` more samples whose visible content changed, fewer when they are large: a step takes some tenths
   * of a second whatever the store holds. Each change is taken in once whatever is killed in between; any number of
   * processes may call it. A sample at which the process ended twice is passed by name only.
   */
  indexNext(limit: number): Promise<IndexStep>;
  indexState(): Promise<IndexState>;
  /** Samples found by name and accession alone, the latest first. */
  listNameOnly(limit: number): Promise<NameOnly[]>;
  /** Empties the index and sets every sample to be indexed anew; `indexNext` does it. */
  rebuildIndex(): Promise<void>;
}
