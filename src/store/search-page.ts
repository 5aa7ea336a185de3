/** A page of a search, the same in every store. Pure. */

import { addTo } from '../registry/lists.js';
import type { FoundFacets } from '../registry/search/facets.js';
import type { IdSet } from '../registry/search/id-set.js';
import { findPending, mergeNewestFirst, type PendingEntry, type Wanted } from '../registry/search/pending-samples.js';
import type { SampleFacets } from '../registry/search/sample-facets.js';
import {
  COUNTED,
  type FoundPage,
  type IndexState,
  type IndexStep,
  type SearchQuery,
  type SearchStart,
  type SearchStore,
  type TimeRange,
} from '../registry/search/search-store.js';
import { nameTerm } from '../registry/search/search-terms.js';

/** Samples of one name, or of several, that are looked at; names are rarely given often. */
export const NAMED = 1_000;

/** Which part of what is found a page is. */
export function rangeOf({ size }: SearchQuery, start: SearchStart) {
  const offset = 'page' in start ? start.page * size : 0;
  return { offset, limit: offset + size + 1, before: 'page' in start ? undefined : start.before };
}

/** The spans of time that a query asks for, by the column that holds the time. */
export const timeRanges = ({ release, updated }: SearchQuery): ['release' | 'updated', TimeRange][] => [
  ['release', release ?? {}],
  ['updated', updated ?? {}],
];

/** What the index is asked for when an account, by number, looks for its own samples by name. */
export const askedByName = (account: number, names: readonly string[]): { wanted: Wanted; except: number[] } => ({
  wanted: {
    query: { terms: [names.map(nameTerm)], now: 0, size: NAMED, withdrawn: 'too' },
    accounts: [account],
    visible: 'all',
  },
  except: [],
});

/** What the index is asked for, and what is found among the samples that it does not have yet. */
export function askedBeside(
  entries: readonly PendingEntry[],
  wanted: Wanted,
  before: number | undefined,
  among: IdSet | undefined,
) {
  return {
    asked: { wanted, before, except: entries.map(({ id }) => id), among },
    fresh: findPending(entries, wanted, before),
  };
}

interface Found {
  indexed: readonly number[];
  /** Of the index; undefined where it is not asked for. */
  counted: number | undefined;
  fresh: readonly number[];
  missing: number;
  facets: FoundFacets | undefined;
}

export function pageOf(query: SearchQuery, start: SearchStart, found: Found): FoundPage {
  const { indexed, counted, fresh, missing, facets } = found;
  const { offset, limit } = rangeOf(query, start);
  const ids = mergeNewestFirst(indexed, fresh).slice(offset, limit);
  const shown = ids.slice(0, query.size);
  const last = shown.at(-1);
  const total = counted === undefined ? undefined : counted + fresh.length;
  return {
    ids: shown,
    ...(ids.length > query.size && last !== undefined ? { next: last } : {}),
    ...(total === undefined ? {} : { total: Math.min(total, COUNTED), counted: total < COUNTED }),
    missing,
    ...(facets === undefined ? {} : { facets }),
  };
}

/** Which of `ids`, from the first on, are read at once: one, and further ones as long as all have `most` bytes together. */
export function* readAtOnce(ids: readonly number[], bytesOf: (id: number) => number, most: number): Generator<number> {
  let bytes = 0;
  for (const [at, id] of ids.entries()) {
    bytes += bytesOf(id);
    if (at > 0 && bytes > most) return;
    yield id;
  }
}

/** What all that is found among the samples that the index does not have is counted by. */
export function freshFacets(entries: readonly PendingEntry[], wanted: Wanted): Map<number, SampleFacets> {
  const found = new Set(findPending(entries, wanted, undefined));
  return new Map(entries.flatMap(({ id, facets }) => (found.has(id) ? [[id, facets()] as const] : [])));
}

/** What fills the index. */
interface IndexFiller {
  indexNext(limit: number): Promise<IndexStep>;
  state(): Promise<IndexState>;
  rebuild(): Promise<void>;
}

/** The port, out of what each store does in its own way. */
export const searchStoreOf = (
  filler: IndexFiller,
  own: Pick<
    SearchStore,
    'findSamples' | 'readSamples' | 'readSamplesWithin' | 'readContents' | 'findNamed' | 'listNameOnly'
  >,
): SearchStore => ({
  ...own,
  search: async (query, start) => {
    const { ids, ...page } = await own.findSamples(query, start);
    return { ...page, records: await own.readSamples(ids) };
  },
  indexNext: (limit) => filler.indexNext(limit),
  indexState: () => filler.state(),
  rebuildIndex: () => filler.rebuild(),
});

/** Names of samples, oldest first, as name → their numbers. */
export function numbersByName(rows: readonly { id: number; name: string }[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { id, name } of rows) addTo(numbers, name, id);
  return numbers;
}
