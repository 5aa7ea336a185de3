/** Finding samples in PostgreSQL: an index table beside the samples, filled from the journal of changes. */
import { findPending, mergeNewestFirst, type Wanted } from '../../registry/pending-samples.js';
import {
  COUNTED,
  type FoundPage,
  type NameOnly,
  SEARCH_MS,
  type SearchQuery,
  type SearchStore,
  tookTooLong,
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
  const findSamples: SearchStore['findSamples'] = async (query, start) => {
    const wanted = await wantedBy(query);
    const offset = 'page' in start ? start.page * query.size : 0;
    const before = 'page' in start ? undefined : start.before;
    const limit = offset + query.size + 1;
    return inTime(
      database.read(async (session): Promise<FoundPage> => {
        await session.run(`set local statement_timeout = ${SEARCH_MS}`);
        const { entries, missing } = await readPending(session, names, prefix);
        const asked = { wanted, before, except: entries.map(({ id }) => id) };
        const fresh = findPending(entries, wanted, before);
        const ids = mergeNewestFirst(await findEntries(session, asked, limit), fresh).slice(offset, limit);
        const shown = ids.slice(0, query.size);
        const last = shown.at(-1);
        const total = 'page' in start ? (await countEntries(session, asked, COUNTED)) + fresh.length : undefined;
        return {
          ids: shown,
          ...(ids.length > query.size && last !== undefined ? { next: last } : {}),
          ...(total === undefined ? {} : { total: Math.min(total, COUNTED), counted: total < COUNTED }),
          missing,
        };
      }),
    );
  };
  const readSamples: SearchStore['readSamples'] = (ids) => database.read((session) => readRecords(session, names, ids));
  return {
    findSamples,
    readSamples,
    search: async (query, start) => {
      const { ids, ...page } = await findSamples(query, start);
      return { ...page, records: await readSamples(ids) };
    },
    indexNext: (limit) => filler.indexNext(limit),
    indexState: () => filler.state(),
    listNameOnly: (limit) =>
      database.rows<NameOnly>('select id, reason from name_only order by at desc, id desc limit $1', [limit]),
    rebuildIndex: () => filler.rebuild(),
  };
}

/** The server ends a statement that takes too long. */
const inTime = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const { cause } = error as { cause?: { code?: string } };
    throw cause?.code === '57014' ? tookTooLong() : error;
  });
