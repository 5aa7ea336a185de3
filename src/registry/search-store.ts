/**
 * PORT: finding samples. The index is filled behind the writes, in steps, so that ingest pays nothing for it but one
 * journal row per run of samples; what is found may therefore lag. Adapters keep these promises; the suite
 * test/contract/search-store.ts checks each of them on every adapter.
 */
import type { SampleRecord } from './sample-store.js';

/** Milliseconds since 1970, both ends included; an absent end is open. */
export interface TimeRange {
  from?: number;
  until?: number;
}

/** What every found sample must meet. */
export interface SearchQuery {
  /** Each group is met by any one of its terms (search-terms.ts). */
  terms: string[][];
  /** Accession numbers, any one of them. */
  ids?: number[];
  /** Owners' names, any one of them. */
  accounts?: string[];
  release?: TimeRange;
  updated?: TimeRange;
  /** Who asks: sees public samples and its own, an administrator all. Nobody sees public ones. */
  reader?: { account: string; admin: boolean };
  /** Milliseconds since 1970: samples released by then and without a status of an administrator's are public. */
  now: number;
  size: number;
}

/** Where a page starts: after the sample last seen, or at a number of a page (0-based), with totals. */
export type SearchStart = { before?: number } | { page: number };

export interface SearchPage {
  /** Newest first, by accession number. */
  records: SampleRecord[];
  /** Accession number to go on before; absent on the last page. */
  next?: number;
  /** How many samples there are in all; in page mode only. */
  total?: number;
}

export interface SearchStore {
  /**
   * Samples as the index knows them, their records as they are now. A walk by `before` sees no sample twice, and all
   * that were indexed when it began and still match. A record may have become private since it was indexed: the caller
   * judges each.
   */
  search(query: SearchQuery, start: SearchStart): Promise<SearchPage>;
  /**
   * Indexes up to `limit` more samples whose visible content changed, exactly once each whatever is killed in between;
   * any number of processes may call it. `lag` is what is left.
   */
  indexNext(limit: number): Promise<{ indexed: number; lag: number }>;
  /** Samples that changed and are not yet indexed, at most. */
  indexLag(): Promise<number>;
  /** Empties the index and sets every sample to be indexed anew; `indexNext` does it. */
  rebuildIndex(): Promise<void>;
}
