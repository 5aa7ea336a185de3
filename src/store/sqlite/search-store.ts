/** Finding samples in SQLite: an index file beside the store's, filled from the store's journal of changes. */
import { findPending, mergeNewestFirst, type Wanted } from '../../registry/pending-samples.js';
import type { SampleRecord } from '../../registry/sample-store.js';
import {
  COUNTED,
  type NameOnly,
  type SearchPage,
  type SearchQuery,
  type SearchStore,
} from '../../registry/search-store.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { countEntries, findEntries } from './search-entries.js';
import type { SearchIndex } from './search-index.js';
import type { PendingReader } from './search-pending.js';

/** `index` is the connection to the index file; `readRecord` reads one sample of the store. */
export function sqliteSearchStore(
  store: SqliteDatabase,
  index: SqliteDatabase,
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
  return {
    search: async (query, start) => {
      const wanted = wantedBy(query);
      const offset = 'page' in start ? start.page * query.size : 0;
      const before = 'page' in start ? undefined : start.before;
      const limit = offset + query.size + 1;
      const { seq } = filler.progress();
      return store.read((): SearchPage => {
        // The store's snapshot first, the index's second: what one of them has lost by then, the other has.
        const journal = pending.journal(seq);
        return index.read(() => {
          const { entries, missing } = pending.read(journal, filler.progress());
          const asked = { wanted, before, except: entries.map(({ id }) => id) };
          const fresh = findPending(entries, wanted, before);
          const ids = mergeNewestFirst(findEntries(index, asked, limit), fresh).slice(offset, limit);
          const shown = ids.slice(0, query.size);
          const last = shown.at(-1);
          const total = 'page' in start ? countEntries(index, asked, COUNTED) + fresh.length : undefined;
          return {
            records: shown.flatMap((id) => readRecord(id) ?? []),
            ...(ids.length > query.size && last !== undefined ? { next: last } : {}),
            ...(total === undefined ? {} : { total: Math.min(total, COUNTED), counted: total < COUNTED }),
            missing,
          };
        });
      });
    },
    indexNext: (limit) => filler.indexNext(limit),
    indexState: async () => filler.state(),
    listNameOnly: async (limit) =>
      index.sql<NameOnly>('select id, reason from name_only order by at desc, id desc limit ?').all(limit),
    rebuildIndex: () => filler.rebuild(),
  };
}
