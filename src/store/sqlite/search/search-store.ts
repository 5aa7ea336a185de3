/** Finding samples in SQLite: an index file beside the store's, filled from the store's journal of changes. */

import type { SampleRecord } from '../../../registry/samples/sample-store.js';
import { pendingSamples, type Wanted } from '../../../registry/search/pending-samples.js';
import {
  COUNTED,
  type FoundPage,
  type NameOnly,
  SEARCH_MS,
  type SearchQuery,
  type SearchStart,
  type SearchStore,
  tookTooLong,
} from '../../../registry/search/search-store.js';
import { countFacets } from '../../columns/count-facets.js';
import { measured } from '../../columns/matching.js';
import { readNow } from '../../columns/reading.js';
import {
  askedBeside,
  askedByName,
  freshFacets,
  NAMED,
  numbersByName,
  pageOf,
  rangeOf,
  readAtOnce,
  searchStoreOf,
} from '../../search-page.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { columnAnswers } from './search-columns.js';
import { countEntries, findEntries } from './search-entries.js';
import type { SearchFile } from './search-file.js';
import type { SearchIndex } from './search-index.js';
import type { PendingReader } from './search-pending.js';
import type { SearchRecords } from './search-record.js';

/** The query with the store's numbers for names. */
export function wantedBy(names: Names, query: SearchQuery): Wanted {
  const accounts = query.accounts?.flatMap((name) => names.findAccount(name) ?? []);
  const reader = query.reader && !query.reader.admin ? (names.findAccount(query.reader.account) ?? -1) : undefined;
  return { query, accounts, visible: query.reader?.admin ? 'all' : (reader ?? 'open') };
}

/** `file` is the index, `records` reads for it; `readRecord` reads one sample of the store. */
export function sqliteSearchStore(
  store: SqliteDatabase,
  file: SearchFile,
  names: Names,
  filler: SearchIndex,
  pending: PendingReader,
  readRecord: (id: number) => SampleRecord | undefined,
  records: SearchRecords,
  prefix: string,
): SearchStore {
  const find = (query: SearchQuery, start: SearchStart): FoundPage => {
    const index = file.database;
    const wanted: Wanted = wantedBy(names, query);
    const { limit, before } = rangeOf(query, start);
    const { seq } = filler.progress();
    return store.read((): FoundPage => {
      // The store's snapshot first, the index's second: what one of them has lost by then, the other has.
      const journal = pending.journal(seq);
      return index.readInTime(SEARCH_MS, tookTooLong, () => {
        const place = filler.progress();
        const { entries, missing } = pending.read(journal, place);
        const answer = columnAnswers({ store, index, records, prefix, place });
        const among = readNow(measured(query.ranges), answer);
        const { asked, fresh } = askedBeside(entries, wanted, before, among);
        const indexed = findEntries(index, asked, limit);
        const counted = 'page' in start ? countEntries(index, asked, COUNTED) : undefined;
        const facets =
          query.facets && readNow(countFacets(wanted, freshFacets(entries, wanted), missing, among), answer);
        return pageOf(query, start, { indexed, counted, fresh, missing, facets });
      });
    });
  };
  const findSamples: SearchStore['findSamples'] = (query, start) => filler.guarded(async () => find(query, start));
  /** Each right after its bytes were counted, when its row is at hand. */
  const readWithin = <Read>(ids: Iterable<number>, record: (id: number) => Read | undefined) =>
    store.read(() => {
      const records: Read[] = [];
      let read = 0;
      for (const id of ids) {
        read++;
        const found = record(id);
        if (found !== undefined) records.push(found);
      }
      return { records, read };
    });
  const readSamples: SearchStore['readSamples'] = async (ids) =>
    store.read(() => ids.flatMap((id) => readRecord(id) ?? []));
  /** Candidates of the index and everything that waits for it; which of them are meant, the samples tell. */
  const findNamed = (account: number, wanted: readonly string[]): Map<string, number[]> => {
    const { seq } = filler.progress();
    return store.read(() => {
      const { ids } = pendingSamples(pending.journal(seq));
      const waiting = pending.headsOf(ids);
      const indexed = file.database.readInTime(SEARCH_MS, tookTooLong, () =>
        findEntries(file.database, askedByName(account, wanted), NAMED),
      );
      const asked = new Set(wanted);
      const others = indexed.filter((id) => !ids.has(id)).flatMap((id) => records.head(id) ?? []);
      const named = [...waiting, ...others].filter(
        (head) => head.account === account && head.hidden === 0 && asked.has(head.name),
      );
      return numbersByName(named.sort((one, other) => one.id - other.id));
    });
  };
  return searchStoreOf(filler, {
    findNamed: (account, wanted) =>
      filler.guarded(async () => {
        const number = names.findAccount(account);
        return number === undefined ? new Map() : findNamed(number, wanted);
      }),
    findSamples,
    readSamples,
    readSamplesWithin: async (ids, bytes) =>
      readWithin(
        readAtOnce(ids, (id) => (records.head(id)?.bytes ?? 0) + records.tableBytes(id), bytes),
        records.sample,
      ),
    readContents: async (ids, bytes) =>
      readWithin(
        readAtOnce(ids, (id) => records.head(id)?.bytes ?? 0, bytes),
        records.record,
      ),
    listNameOnly: async (limit) =>
      file.database.sql<NameOnly>('select id, reason from name_only order by at desc, id desc limit ?').all(limit),
  });
}
