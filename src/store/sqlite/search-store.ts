/** Finding samples in SQLite: an index file beside the store's, filled from the store's journal of changes. */
import { findPending, mergeNewestFirst, type Wanted } from '../../registry/pending-samples.js';
import type { SampleRecord } from '../../registry/sample-store.js';
import {
  COUNTED,
  type FoundPage,
  type NameOnly,
  SEARCH_MS,
  type SearchQuery,
  type SearchStart,
  type SearchStore,
  tookTooLong,
} from '../../registry/search-store.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { countEntries, findEntries } from './search-entries.js';
import type { SearchFile } from './search-file.js';
import type { SearchIndex } from './search-index.js';
import type { PendingReader } from './search-pending.js';

/** `file` is the index; `readRecord` reads one sample of the store. */
export function sqliteSearchStore(
  store: SqliteDatabase,
  file: SearchFile,
  names: Names,
  filler: SearchIndex,
  pending: PendingReader,
  readRecord: (id: number) => SampleRecord | undefined,
): SearchStore {
  const wantedBy = (query: SearchQuery): Wanted => {
    const accounts = query.accounts?.flatMap((name) => names.findAccount(name) ?? []);
    const reader = query.reader && !query.reader.admin ? (names.findAccount(query.reader.account) ?? -1) : undefined;
    return { query, accounts, visible: query.reader?.admin ? 'all' : (reader ?? 'open') };
  };
  const find = (query: SearchQuery, start: SearchStart): FoundPage => {
    const index = file.database;
    const wanted = wantedBy(query);
    const offset = 'page' in start ? start.page * query.size : 0;
    const before = 'page' in start ? undefined : start.before;
    const limit = offset + query.size + 1;
    const { seq } = filler.progress();
    return store.read((): FoundPage => {
      // The store's snapshot first, the index's second: what one of them has lost by then, the other has.
      const journal = pending.journal(seq);
      return index.readInTime(SEARCH_MS, tookTooLong, () => {
        const { entries, missing } = pending.read(journal, filler.progress());
        const asked = { wanted, before, except: entries.map(({ id }) => id) };
        const fresh = findPending(entries, wanted, before);
        const ids = mergeNewestFirst(findEntries(index, asked, limit), fresh).slice(offset, limit);
        const shown = ids.slice(0, query.size);
        const last = shown.at(-1);
        const total = 'page' in start ? countEntries(index, asked, COUNTED) + fresh.length : undefined;
        return {
          ids: shown,
          ...(ids.length > query.size && last !== undefined ? { next: last } : {}),
          ...(total === undefined ? {} : { total: Math.min(total, COUNTED), counted: total < COUNTED }),
          missing,
        };
      });
    });
  };
  const findSamples: SearchStore['findSamples'] = (query, start) => filler.guarded(async () => find(query, start));
  const readSamples: SearchStore['readSamples'] = async (ids) =>
    store.read(() => ids.flatMap((id) => readRecord(id) ?? []));
  return {
    findSamples,
    readSamples,
    search: async (query, start) => {
      const { ids, ...page } = await findSamples(query, start);
      return { ...page, records: await readSamples(ids) };
    },
    indexNext: (limit) => filler.indexNext(limit),
    indexState: () => filler.state(),
    listNameOnly: async (limit) =>
      file.database.sql<NameOnly>('select id, reason from name_only order by at desc, id desc limit ?').all(limit),
    rebuildIndex: () => filler.rebuild(),
  };
}
