/**
 * What a search adds to the index: samples that changed and are not indexed yet, so that a search that begins after a
 * write was acknowledged includes it. Bounded: what goes beyond is left out of the answer, which says how much it is.
 */
import type { IndexedSample } from './indexed-sample.js';
import type { SampleFacets } from './sample-facets.js';
import type { SearchQuery, ValueRange } from './search-store.js';
import { textsOf } from './term-keys.js';

/** Samples that one search reads besides the index; a chunk of a large file is more, and left to the indexer. */
export const PENDING_SAMPLES = 1_000;
/** Stored bytes of those samples. */
const PENDING_BYTES = 4_000_000;
/** Rows of the journal that one search looks at, newest first. */
export const PENDING_ROWS = 2_000;

/** A row of the journal: samples `first` to `first + count - 1` changed. */
export interface JournalRow {
  seq: number;
  first: number;
  count: number;
}

/** What a search asks of a sample; the same columns as in the index. */
export interface PendingEntry {
  id: number;
  /** The owner, by number. */
  account: number;
  release: number;
  updated: number;
  hidden: boolean;
  /** Read when everything else fits: most entries of a narrow question are never unpacked. */
  terms: () => ReadonlySet<string>;
  /** What it is counted by; read with the terms. */
  facets: () => SampleFacets;
}

/** A query with the store's numbers for names. */
export interface Wanted {
  query: SearchQuery;
  /** Numbers of the accounts that the query names; unknown ones left out. */
  accounts: readonly number[] | undefined;
  /** Everything; what is open to all; or that and what this account (by number) owns. */
  visible: 'all' | 'open' | number;
}

export interface PendingSamples {
  /** Number of the sample → the latest row that names it. */
  ids: Map<number, number>;
  /** Changes that these stand for. */
  covered: number;
}

/**
 * The changed samples that a search reads itself: newest first, and past runs that are too long, so that a small write
 * is found beside a large one.
 */
export function pendingSamples(rows: readonly JournalRow[]): PendingSamples {
  const ids = new Map<number, number>();
  let covered = 0;
  for (const { seq, first, count } of [...rows].sort((a, b) => b.seq - a.seq)) {
    if (ids.size + count > PENDING_SAMPLES) continue;
    covered += count;
    for (let id = first; id < first + count; id++) if (!ids.has(id)) ids.set(id, seq);
  }
  return { ids, covered };
}

/** Of these samples with their stored bytes, in order, those that fit into the bound. */
export function withinPendingBytes<T extends { bytes: number }>(heads: readonly T[]): T[] {
  let bytes = 0;
  return heads.filter((head) => {
    if (bytes + head.bytes > PENDING_BYTES) return false;
    bytes += head.bytes;
    return true;
  });
}

/** What is in an entry's sample, read when it is first asked for and no more than once: a search asks several times. */
export function pendingContent(read: () => IndexedSample): Pick<PendingEntry, 'terms' | 'facets'> {
  let known: { terms: ReadonlySet<string>; facets: SampleFacets } | undefined;
  const content = () => {
    if (known === undefined) {
      const { terms, facets } = read();
      known = { terms: new Set(textsOf(terms)), facets };
    }
    return known;
  };
  return { terms: () => content().terms, facets: () => content().facets };
}

/** Numbers of those that the query finds, newest first. */
export function findPending(entries: Iterable<PendingEntry>, wanted: Wanted, before: number | undefined): number[] {
  const found: number[] = [];
  for (const entry of entries) {
    if (isCandidate(entry, wanted, before) && meets(entry.terms, wanted.query.terms) && measures(entry, wanted.query)) {
      found.push(entry.id);
    }
  }
  return found.sort((a, b) => b - a);
}

const meets = (terms: PendingEntry['terms'], groups: SearchQuery['terms']): boolean => {
  if (groups.length === 0) return true;
  const known = terms();
  return groups.every((group) => group.some((term) => known.has(term)));
};

const measures = (entry: PendingEntry, { ranges }: SearchQuery): boolean =>
  ranges === undefined ||
  [...ranges].every(([code, any]) =>
    entry
      .facets()
      .characteristics.get(code)
      ?.values.some((value) => any.some((range) => isMeasured(value, range))),
  );

/** Whether the number or the date of a value lies in a range. */
export function isMeasured(
  { number, date }: { number?: number; date?: true },
  { date: ofDates, from, below, until }: ValueRange,
): boolean {
  if (number === undefined || ofDates !== (date === true)) return false;
  return (
    (from === undefined || number >= from) &&
    (below === undefined || number < below) &&
    (until === undefined || number <= until)
  );
}

/** True when only its content can keep this sample out of the answer. */
export function isCandidate(
  entry: Omit<PendingEntry, 'terms' | 'facets'>,
  wanted: Wanted,
  before: number | undefined,
): boolean {
  const { id, account, release, updated, hidden } = entry;
  const { query, accounts, visible } = wanted;
  if (before !== undefined && id >= before) return false;
  const open = !hidden && release <= query.now;
  if (visible !== 'all' && !open && account !== visible) return false;
  if (query.withdrawn !== 'too' && hidden !== (query.withdrawn === 'only')) return false;
  if (query.ids && !query.ids.includes(id)) return false;
  if (accounts && !accounts.includes(account)) return false;
  return isWithin(release, query.release) && isWithin(updated, query.updated);
}

const isWithin = (time: number, { from, until }: { from?: number; until?: number } = {}): boolean =>
  (from === undefined || time >= from) && (until === undefined || time <= until);

/** Two lists without a number in common, newest first, as one. */
export const mergeNewestFirst = (one: readonly number[], other: readonly number[]): number[] =>
  other.length === 0 ? [...one] : [...one, ...other].sort((a, b) => b - a);
