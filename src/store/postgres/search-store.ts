/** Finding samples in PostgreSQL: an index table beside the samples, filled from the journal of changes. */
import { findPending, mergeNewestFirst, type Wanted } from '../../registry/pending-samples.js';
import {
  COUNTED,
  type NameOnly,
  type SearchPage,
  type SearchQuery,
  type SearchStore,
} from '../../registry/search-store.js';
import type { PostgresDatabase } from './database.js';
import type { Names } from './names.js';
import { readRecords } from './sample-record.js';
import { countEntries, findEntries } from './search-entries.js';
import type { SearchIndex } from './search-index.js';
import { readPending } from './search-pending.js';

/** Of an account that there is not. */
const NOBODY = -1;

export function postgresSearchStore(
  database: PostgresDatabase,
  names: Names,
  filler: SearchIndex,
  prefix: string,
): SearchStore {
  const wantedBy = async (query: SearchQuery): Promise<Wanted> => {
    const named = query.accounts && (await Promise.all(query.accounts.map((name) => names.findAccount(name))));
    const { reader } = query;
    const own = reader === undefined ? 'open' : ((await names.findAccount(reader.account)) ?? NOBODY);
    return {
      query,
      accounts: named?.filter((number) => number !== undefined),
      visible: reader?.admin ? 'all' : own,
    };
  };
  return {
    search: async (query, start) => {
      const wanted = await wantedBy(query);
      const offset = 'page' in start ? start.page * query.size : 0;
      const before = 'page' in start ? undefined : start.before;
      const limit = offset + query.size + 1;
      return database.read(async (session): Promise<SearchPage> => {
        const { entries, missing } = await readPending(session, names, prefix);
        const asked = { wanted, before, except: entries.map(({ id }) => id) };
        const fresh = findPending(entries, wanted, before);
        const ids = mergeNewestFirst(await findEntries(session, asked, limit), fresh).slice(offset, limit);
        const shown = ids.slice(0, query.size);
        const last = shown.at(-1);
        const total = 'page' in start ? (await countEntries(session, asked, COUNTED)) + fresh.length : undefined;
        return {
          records: await readRecords(session, names, shown),
          ...(ids.length > query.size && last !== undefined ? { next: last } : {}),
          ...(total === undefined ? {} : { total: Math.min(total, COUNTED), counted: total < COUNTED }),
          missing,
        };
      });
    },
    indexNext: (limit) => filler.indexNext(limit),
    indexState: () => filler.state(),
    listNameOnly: (limit) =>
      database.rows<NameOnly>('select id, reason from name_only order by at desc, id desc limit $1', [limit]),
    rebuildIndex: () => filler.rebuild(),
  };
}
