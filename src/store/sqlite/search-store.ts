/** Finding samples in SQLite: an index file beside the store's, filled from the store's journal of changes. */
import type { SampleRecord } from '../../registry/sample-store.js';
import type { SearchStore } from '../../registry/search-store.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { countEntries, findEntries } from './search-entries.js';
import type { SearchIndex } from './search-index.js';

/** `index` is the connection to the index file; `readRecord` reads one sample of the store. */
export function sqliteSearchStore(
  store: SqliteDatabase,
  index: SqliteDatabase,
  names: Names,
  filler: SearchIndex,
  readRecord: (id: number) => SampleRecord | undefined,
): SearchStore {
  return {
    search: async (query, start) => {
      const accounts = query.accounts?.flatMap((name) => names.findAccount(name) ?? []);
      const reader = query.reader && !query.reader.admin ? (names.findAccount(query.reader.account) ?? -1) : undefined;
      const visible = query.reader?.admin ? 'all' : (reader ?? 'open');
      const wanted = { query, accounts, visible } as const;
      const paged = 'page' in start;
      const found = index.read(() => ({
        ids: findEntries(index, wanted, paged ? { offset: start.page * query.size } : { before: start.before }),
        total: paged ? countEntries(index, wanted) : undefined,
      }));
      const shown = found.ids.slice(0, query.size);
      const last = shown.at(-1);
      return {
        records: store.read(() => shown.flatMap((id) => readRecord(id) ?? [])),
        ...(found.ids.length > query.size && last !== undefined ? { next: last } : {}),
        ...(found.total === undefined ? {} : { total: found.total }),
      };
    },
    indexNext: (limit) => filler.indexNext(limit),
    indexLag: async () => filler.lag(),
    rebuildIndex: () => filler.rebuild(),
  };
}
