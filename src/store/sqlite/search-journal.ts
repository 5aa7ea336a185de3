/** What the index has still to read: the journal of changes in order, then every sample that a rebuild has to visit. */
import type { SqliteDatabase } from './database.js';

/** How far the journal is read (its last finished row, and how many samples of the next), and what a rebuild has left. */
export interface Place {
  seq: number;
  part: number;
  scan_next: number;
  scan_end: number;
}

/** Journal rows read for one step; most stand for a chunk of samples, and repeated changes of one sample count once. */
const JOURNAL_ROWS = 2000;

/** Inside a read of the store. The journal is read from here on, then every sample up to the last one is visited. */
export function wholeStore(store: SqliteDatabase): Place {
  const journal = store
    .sql<{ seq: number | null }>("select max(seq) as seq from sqlite_sequence where name = 'change'")
    .get();
  const samples = store.sql<{ id: number | null }>('select max(id) as id from sample').get();
  return { seq: journal?.seq ?? 0, part: 0, scan_next: 1, scan_end: samples?.id ?? 0 };
}

/** Inside a read of the store: up to `limit` numbers of samples, and the place after them. */
export function nextSamples(store: SqliteDatabase, before: Place, limit: number): { ids: number[]; after: Place } {
  const ids = new Set<number>();
  const { seq, part, scan_next, scan_end } = before;
  const after = { seq, part, scan_next, scan_end };
  const rows = store
    .sql<{ seq: number; first: number; count: number }>(
      'select seq, first, count from change where seq > ? order by seq limit ?',
    )
    .all(before.seq, JOURNAL_ROWS);
  for (const { seq, first, count } of rows) {
    const from = after.part;
    const to = Math.min(count, from + limit - ids.size);
    for (let at = from; at < to; at++) ids.add(first + at);
    if (to < count) {
      after.part = to;
      return { ids: [...ids], after };
    }
    after.seq = seq;
    after.part = 0;
  }
  if (ids.size < limit && after.scan_next <= after.scan_end) scan(store, ids, after, limit - ids.size);
  return { ids: [...ids], after };
}

function scan(store: SqliteDatabase, ids: Set<number>, after: Place, limit: number): void {
  const rows = store
    .sql<{ id: number }>('select id from sample where id between ? and ? order by id limit ?')
    .all(after.scan_next, after.scan_end, limit);
  for (const { id } of rows) ids.add(id);
  after.scan_next = rows.length < limit ? after.scan_end + 1 : (rows.at(-1)?.id ?? after.scan_end) + 1;
}

/** Changes left, and since when the oldest of them waits. */
export function leftOf(
  store: SqliteDatabase,
  { seq, part, scan_next, scan_end }: Place,
): { lag: number; since?: number } {
  const { n = 0, since } =
    store
      .sql<{ n: number; since: number | null }>(
        'select coalesce(sum(count), 0) as n, min(at) as since from change where seq > ?',
      )
      .get(seq) ?? {};
  const lag = Math.max(0, n - part) + Math.max(0, scan_end - scan_next + 1);
  return { lag, ...(since == null ? {} : { since }) };
}
