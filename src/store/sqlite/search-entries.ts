/** Queries of the index file. */
import type { IdSet } from '../../registry/id-set.js';
import type { Wanted } from '../../registry/pending-samples.js';
import { timeRanges } from '../search-page.js';
import type { SqliteDatabase } from './database.js';

interface Condition {
  /** `ID` stands for the accession number's column. */
  sql: string;
  values: unknown[];
}

interface Branch extends Condition {
  id: string;
}

export interface EntryQuery {
  wanted: Wanted;
  /** Accession number to begin behind. */
  before?: number | undefined;
  /** Samples to pass over: the store knows better than the index. */
  except: readonly number[];
  /** Of these alone. */
  among?: IdSet | undefined;
}

/** Up to `limit` accession numbers, newest first. */
export function findEntries(index: SqliteDatabase, asked: EntryQuery, limit: number): number[] {
  index.among(asked.among);
  const found = branches(index, asked).map(({ sql, id, values }) => {
    const text = `select ${id} as id from ${sql} order by ${id} desc limit ?`;
    return index.sql<{ id: number }>(text).all(...values, limit);
  });
  const ids = found.flat().map(({ id }) => id);
  if (found.length > 1) ids.sort((a, b) => b - a);
  return ids.slice(0, limit);
}

/** Hands over all accession numbers, in no order. */
export function eachEntry(index: SqliteDatabase, asked: EntryQuery, take: (id: number) => void): void {
  index.among(asked.among);
  for (const { sql, id, values } of branches(index, asked)) {
    for (const row of index.sql<{ id: number }>(`select ${id} as id from ${sql}`).iterate(...values)) take(row.id);
  }
}

/** How many there are, counted up to `limit`. */
export function countEntries(index: SqliteDatabase, asked: EntryQuery, limit: number): number {
  index.among(asked.among);
  return branches(index, asked).reduce((sum, { sql, values }) => {
    if (sum >= limit) return sum;
    const text = `select count(*) as n from (select 1 from ${sql} limit ?)`;
    const row = index.sql<{ n: number }>(text).get(...values, limit - sum);
    return sum + (row?.n ?? 0);
  }, 0);
}

/** Disjoint parts of the answer, each of which one index gives; those of which there is nothing are left out. */
function branches(index: SqliteDatabase, asked: EntryQuery): Branch[] {
  const { query, visible } = asked.wanted;
  const common = conditions(asked);
  const terms = query.terms.length > 0;
  const table = terms ? 'entry_terms cross join entry on entry.id = entry_terms.rowid' : 'entry';
  const id = terms ? 'entry_terms.rowid' : 'entry.id';
  const part = (...more: Condition[]): Branch => {
    const all = [...common, ...more];
    const where = all.length === 0 ? '' : ` where ${all.map(({ sql }) => sql.replaceAll('ID', id)).join(' and ')}`;
    return { sql: table + where, id, values: all.flatMap(({ values }) => values) };
  };
  if (visible === 'all') return [part()];
  const open: Condition = { sql: 'entry.open = 1', values: [] };
  const due: Condition = { sql: 'entry.open = 0 and entry.hidden = 0 and entry.release <= ?', values: [query.now] };
  const own: Condition = {
    sql: 'entry.open = 0 and entry.account = ? and not (entry.hidden = 0 and entry.release <= ?)',
    values: [visible, query.now],
  };
  const closed = (visible === 'open' ? [due] : [due, own]).filter(({ sql, values }) =>
    // Mostly there are none, and to learn that from the samples that a word finds takes as long as reading them all.
    index.sql(`select 1 from entry where ${sql} limit 1`).get(...values),
  );
  return [part(open), ...closed.map((condition) => part(condition))];
}

function conditions({ wanted: { query, accounts }, before, except, among }: EntryQuery): Condition[] {
  const all: Condition[] = [{ sql: 'in_time(entry.id)', values: [] }];
  if (among) all.push({ sql: 'is_among(ID)', values: [] });
  if (query.terms.length > 0) {
    all.push({ sql: 'entry_terms match ?', values: [matchText(query.terms)] });
  }
  if (before !== undefined) all.push({ sql: 'ID < ?', values: [before] });
  if (query.ids) all.push({ sql: 'ID in (select value from json_each(?))', values: [JSON.stringify(query.ids)] });
  if (except.length > 0) {
    all.push({ sql: 'ID not in (select value from json_each(?))', values: [JSON.stringify(except)] });
  }
  if (accounts) {
    all.push({ sql: 'entry.account in (select value from json_each(?))', values: [JSON.stringify(accounts)] });
  }
  if (query.withdrawn !== 'too') {
    all.push({ sql: `entry.hidden = ${query.withdrawn === 'only' ? 1 : 0}`, values: [] });
  }
  for (const [field, { from, until }] of timeRanges(query)) {
    if (from !== undefined) all.push({ sql: `entry.${field} >= ?`, values: [from] });
    if (until !== undefined) all.push({ sql: `entry.${field} <= ?`, values: [until] });
  }
  return all;
}

/** Terms are letters and digits only; quoted, no parser touches them. */
export const matchText = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => `(${group.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
