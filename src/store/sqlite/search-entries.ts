/** Queries of the index file. */
import type { SearchQuery } from '../../registry/search-store.js';
import type { SqliteDatabase } from './database.js';

export interface Wanted {
  query: SearchQuery;
  /** Numbers of the accounts that the query names; unknown ones left out. */
  accounts: readonly number[] | undefined;
  /** Everything; what is open to all; or that and what this account (by number) owns. */
  visible: 'all' | 'open' | number;
}

interface Condition {
  /** `ID` stands for the accession number's column. */
  sql: string;
  values: unknown[];
}

interface Branch extends Condition {
  id: string;
}

/** Accession numbers, newest first; one more than the page's size when there are more. */
export function findEntries(
  index: SqliteDatabase,
  wanted: Wanted,
  start: { before?: number | undefined } | { offset: number },
): number[] {
  const offset = 'offset' in start ? start.offset : 0;
  const before = 'offset' in start ? undefined : start.before;
  const limit = wanted.query.size + 1;
  const found = branches(wanted, before).map(({ sql, id, values }) => {
    const text = `select ${id} as id from ${sql} order by ${id} desc limit ?`;
    return index.sql<{ id: number }>(text).all(...values, offset + limit);
  });
  const ids = found.flat().map(({ id }) => id);
  if (found.length > 1) ids.sort((a, b) => b - a);
  return ids.slice(offset, offset + limit);
}

export function countEntries(index: SqliteDatabase, wanted: Wanted): number {
  return branches(wanted, undefined).reduce((sum, { sql, values }) => {
    const row = index.sql<{ n: number }>(`select count(*) as n from ${sql}`).get(...values);
    return sum + (row?.n ?? 0);
  }, 0);
}

/** Disjoint parts of the answer, each of which one index gives in order. */
function branches({ query, accounts, visible }: Wanted, before: number | undefined): Branch[] {
  const common = conditions(query, accounts, before);
  const terms = query.terms.length > 0;
  const table = terms ? 'entry_terms cross join entry on entry.id = entry_terms.rowid' : 'entry';
  const id = terms ? 'entry_terms.rowid' : 'entry.id';
  const part = (...more: Condition[]): Branch => {
    const all = [...common, ...more];
    const where = all.length === 0 ? '' : ` where ${all.map(({ sql }) => sql.replaceAll('ID', id)).join(' and ')}`;
    return { sql: table + where, id, values: all.flatMap(({ values }) => values) };
  };
  const open: Condition = { sql: 'entry.open = 1', values: [] };
  if (visible === 'all') return [part()];
  if (visible === 'open') return [part(open)];
  const own: Condition = { sql: 'entry.open = 0 and entry.account = ?', values: [visible] };
  return [part(open), part(own)];
}

function conditions(query: SearchQuery, accounts: readonly number[] | undefined, before?: number): Condition[] {
  const all: Condition[] = [];
  if (query.terms.length > 0) {
    const groups = query.terms.map((group) => `(${group.map((term) => `"${term}"`).join(' OR ')})`);
    all.push({ sql: 'entry_terms match ?', values: [groups.join(' AND ')] });
  }
  if (before !== undefined) all.push({ sql: 'ID < ?', values: [before] });
  if (query.ids) all.push({ sql: 'ID in (select value from json_each(?))', values: [JSON.stringify(query.ids)] });
  if (accounts) {
    all.push({ sql: 'entry.account in (select value from json_each(?))', values: [JSON.stringify(accounts)] });
  }
  for (const field of ['release', 'updated'] as const) {
    const { from, until } = query[field] ?? {};
    if (from !== undefined) all.push({ sql: `entry.${field} >= ?`, values: [from] });
    if (until !== undefined) all.push({ sql: `entry.${field} <= ?`, values: [until] });
  }
  return all;
}
