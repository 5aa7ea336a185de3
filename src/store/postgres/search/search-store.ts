/** Finding samples in PostgreSQL: an index table beside the samples, filled from the journal of changes. */
import { pendingSamples, type Wanted } from '../../../registry/search/pending-samples.js';
import {
  COUNTED,
  type FoundPage,
  type NameOnly,
  SEARCH_MS,
  type SearchQuery,
  type SearchStore,
  tookTooLong,
} from '../../../registry/search/search-store.js';
import { countFacets } from '../../columns/count-facets.js';
import { measured } from '../../columns/matching.js';
import { readLater } from '../../columns/reading.js';
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
import type { PostgresDatabase } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import { tableBytes } from '../samples/annotations.js';
import type { Names } from '../samples/names.js';
import { samplesOf } from '../samples/present-samples.js';
import { readContentRecords, readRecords } from '../samples/sample-record.js';
import { numberArray } from '../text.js';
import { columnAnswers, columnsLeft } from './search-columns.js';
import { countEntries, findByTerms, findEntries } from './search-entries.js';
import type { SearchIndex } from './search-index.js';
import { newestChanges, readPending } from './search-pending.js';
import { readHeads } from './search-record.js';

/** Of an account that there is not. */
const NOBODY = -1;

const BY_NAME = preparedOnce(
  `select id, name from ${samplesOf('$1')} x
   where account = $2 and admin_status is null and name = any($3) order by id`,
);

/** The query with the store's numbers for names. */
export async function wantedBy(names: Names, query: SearchQuery): Promise<Wanted> {
  const named = query.accounts && (await Promise.all(query.accounts.map((name) => names.findAccount(name))));
  const { reader } = query;
  const own = reader === undefined ? 'open' : ((await names.findAccount(reader.account)) ?? NOBODY);
  return {
    query,
    accounts: named?.filter((number) => number !== undefined),
    visible: reader?.admin ? 'all' : own,
  };
}

export function postgresSearchStore(
  database: PostgresDatabase,
  names: Names,
  filler: SearchIndex,
  prefix: string,
): SearchStore {
  const findSamples: SearchStore['findSamples'] = async (query, start) => {
    const wanted = await wantedBy(names, query);
    const { limit, before } = rangeOf(query, start);
    return inTime(
      database.read(async (session): Promise<FoundPage> => {
        await session.run(`set local statement_timeout = ${SEARCH_MS}`);
        const unread = query.facets ? undefined : before;
        const { entries, missing: known } = await readPending(session, { names, prefix }, wanted, unread);
        const answer = columnAnswers(session, { names, prefix });
        const among = await readLater(measured(query.ranges), answer);
        const left = query.ranges || query.facets ? await columnsLeft(session) : 0;
        const { asked, fresh } = askedBeside(entries, wanted, before, among);
        const indexed = await findEntries(session, asked, limit);
        const counted = 'page' in start ? await countEntries(session, asked, COUNTED) : undefined;
        const missing = known + (query.ranges ? left : 0);
        const facets =
          query.facets &&
          (await readLater(countFacets(wanted, freshFacets(entries, wanted), known + left, among), answer));
        return pageOf(query, start, { indexed, counted, fresh, missing, facets });
      }),
    );
  };
  const readSamples: SearchStore['readSamples'] = (ids) => database.read((session) => readRecords(session, names, ids));
  /** Candidates of the index and everything that waits for it; which of them are meant, the samples tell. */
  const findNamed = (account: number, wanted: readonly string[]): Promise<Map<string, number[]>> =>
    database.read(async (session) => {
      await session.run(`set local statement_timeout = ${SEARCH_MS}`);
      const asked = askedByName(account, wanted);
      const [group = []] = asked.wanted.query.terms;
      const indexed = await findByTerms(session, asked, NAMED, group);
      const waiting = pendingSamples(await newestChanges(session)).ids.keys();
      const candidates = numberArray([...indexed, ...waiting]);
      return numbersByName(await session.rows<{ id: number; name: string }>(BY_NAME, [candidates, account, wanted]));
    });
  return searchStoreOf(filler, {
    findNamed: async (account, wanted) => {
      const number = await names.findAccount(account);
      return number === undefined ? new Map() : inTime(findNamed(number, wanted));
    },
    findSamples,
    readSamples,
    readSamplesWithin: (ids, bytes) =>
      database.read(async (session) => {
        const heads = await readHeads(session, ids);
        const tables = await tableBytes(session, numberArray(ids));
        const asked = [...readAtOnce(ids, (id) => (heads.get(id)?.bytes ?? 0) + (tables.get(id) ?? 0), bytes)];
        return { records: await readRecords(session, names, asked), read: asked.length };
      }),
    readContents: (ids, bytes) =>
      database.read(async (session) => {
        const heads = await readHeads(session, ids);
        const asked = [...readAtOnce(ids, (id) => heads.get(id)?.bytes ?? 0, bytes)];
        return { records: await readContentRecords(session, names, asked), read: asked.length };
      }),
    listNameOnly: (limit) =>
      database.rows<NameOnly>('select id, reason from name_only order by at desc, id desc limit $1', [limit]),
  });
}

/** The server ends a statement that takes too long. */
const inTime = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const { cause } = error as { cause?: { code?: string } };
    throw cause?.code === '57014' ? tookTooLong() : error;
  });
