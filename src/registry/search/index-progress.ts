/** How the search index is getting on, in the words of health, metrics and operations. */
import { formatAccession } from '../accession.js';
import { formatDateTime } from '../date-time.js';
import type { IndexState, NameOnly, SearchStore } from './search-store.js';

/** An index that is behind and has taken nothing in for this long stands still. */
const STANDSTILL_MS = 60_000;
const NAMES_SHOWN = 100;

export interface SearchIndexDocument {
  status: 'current' | 'behind' | 'standstill';
  /** Samples that changed and are not yet indexed. */
  lag: number;
  /** When the oldest of those changes was written. */
  behindSince?: string;
  /** When the indexer last took something in. */
  lastProgress?: string;
  /** Samples found by name and accession alone, the latest first, a hundred at most. */
  nameOnly: { count: number; samples: { accession: string; reason: string }[] };
  /** Damaged index files that were replaced by a new one and kept. */
  setAside: string[];
}

/** How long an index that is behind has taken nothing in, milliseconds; 0 when it is not behind. */
function standstillMs({ lag, since = 0, moved }: IndexState, now: number): number {
  const last = Math.max(since, moved);
  return lag === 0 || last === 0 ? 0 : Math.max(0, now - last);
}

const standsStill = (state: IndexState, now: number): boolean => standstillMs(state, now) > STANDSTILL_MS;

/** Why an index that stands still is a matter of health; undefined while it does not. */
export function indexFault(state: IndexState, now: number): string | undefined {
  if (!standsStill(state, now)) return undefined;
  const { behindSince = 'an unknown time' } = timesOf(state);
  return `The search index does not move: ${state.lag} changes wait, the oldest since ${behindSince}.`;
}

/** Rejects while the index stands still: for health. */
export async function checkIndex(store: Pick<SearchStore, 'indexState'>, now: () => number): Promise<void> {
  const fault = indexFault(await store.indexState(), now());
  if (fault !== undefined) throw new Error(fault);
}

export async function describeIndex(
  store: Pick<SearchStore, 'indexState' | 'listNameOnly'>,
  prefix: string,
  now: () => number,
): Promise<SearchIndexDocument> {
  const state = await store.indexState();
  return indexDocument(state, state.nameOnly > 0 ? await store.listNameOnly(NAMES_SHOWN) : [], prefix, now());
}

export function indexDocument(
  state: IndexState,
  names: readonly NameOnly[],
  prefix: string,
  now: number,
): SearchIndexDocument {
  const behind = standsStill(state, now) ? 'standstill' : 'behind';
  return {
    status: state.lag === 0 ? 'current' : behind,
    lag: state.lag,
    ...timesOf(state),
    nameOnly: {
      count: state.nameOnly,
      samples: names.map(({ id, reason }) => ({ accession: formatAccession(prefix, id), reason })),
    },
    setAside: state.setAside ?? [],
  };
}

const timesOf = ({ since, moved }: IndexState): Pick<SearchIndexDocument, 'behindSince' | 'lastProgress'> => ({
  ...(since === undefined ? {} : { behindSince: formatDateTime(since) }),
  ...(moved === 0 ? {} : { lastProgress: formatDateTime(moved) }),
});
