/** Finding samples in PostgreSQL: an index table beside the samples, filled from the journal of changes. */
import type { SearchStore } from '../../registry/search-store.js';
import type { PostgresDatabase } from './database.js';
import type { Names } from './names.js';
import { readRecords } from './sample-record.js';
import { countEntries, findEntries } from './search-entries.js';
import type { SearchIndex } from './search-index.js';

/** Of an account that there is not. */
const NOBODY = -1;

export function postgresSearchStore(database: PostgresDatabase, names: Names, filler: SearchIndex): SearchStore {
  return {
    search: async (query, start) => {
      const named = query.accounts && (await Promise.all(query.accounts.map((name) => names.findAccount(name))));
      const accounts = named?.filter((number) => number !== undefined);
      const { reader } = query;
      const own = reader === undefined ? 'open' : ((await names.findAccount(reader.account)) ?? NOBODY);
      const wanted = { query, accounts, visible: reader?.admin ? 'all' : own } as const;
      const paged = 'page' in start;
      return database.read(async (session) => {
        const ids = await findEntries(
          session,
          wanted,
          paged ? { offset: start.page * query.size } : { before: start.before },
        );
        const shown = ids.slice(0, query.size);
        const last = shown.at(-1);
        return {
          records: await readRecords(session, names, shown),
          ...(ids.length > query.size && last !== undefined ? { next: last } : {}),
          ...(paged ? { total: await countEntries(session, wanted) } : {}),
        };
      });
    },
    indexNext: (limit) => filler.indexNext(limit),
    indexLag: () => filler.lag(),
    rebuildIndex: () => filler.rebuild(),
  };
}
