/** What the index has still to read: the journal of changes in order, then every sample that a rebuild has to visit. */
import type { Session } from './database.js';
import type { Reader } from './submission-rows.js';
import { numberArray } from './text.js';

/** Up to `limit` numbers of samples, which stay in the journal. */
export async function peekSamples(session: Session, limit: number): Promise<number[]> {
  const ids = new Set<number>();
  const rows = await session.rows<{ first: number; count: number }>(
    'select first, count from change order by seq limit $1',
    [limit],
  );
  for (const { first, count } of rows) {
    for (let at = 0; at < count && ids.size < limit; at++) ids.add(first + at);
  }
  if (ids.size < limit) for (const id of await scanned(session, limit - ids.size)) ids.add(id);
  return [...ids];
}

/** Takes up to `limit` samples out of the journal, then out of what a rebuild has to visit. */
export async function takeSamples(session: Session, limit: number): Promise<number[]> {
  const ids = await takeChanged(session, limit);
  if (ids.size < limit) await takeScanned(session, ids, limit - ids.size);
  return [...ids];
}

/** A run that is longer stays in the journal with its rest. */
async function takeChanged(session: Session, limit: number): Promise<Set<number>> {
  const ids = new Set<number>();
  const rows = await session.rows<{ seq: number; first: number; count: number }>(
    'select seq, first, count from change order by seq limit $1',
    [limit],
  );
  const finished: number[] = [];
  for (const { seq, first, count } of rows) {
    const taken = Math.min(count, limit - ids.size);
    for (let at = 0; at < taken; at++) ids.add(first + at);
    if (taken < count) {
      await session.run('update change set first = first + $2, count = count - $2 where seq = $1', [seq, taken]);
      break;
    }
    finished.push(seq);
  }
  if (finished.length > 0)
    await session.run('delete from change where seq = any($1::bigint[])', [numberArray(finished)]);
  return ids;
}

async function takeScanned(session: Session, ids: Set<number>, limit: number): Promise<void> {
  const found = await scanned(session, limit);
  for (const id of found) ids.add(id);
  await session.run(
    `update search_progress set scan_next = case when $1 then scan_end + 1 else $2 end where scan_next <= scan_end`,
    [found.length < limit, (found.at(-1) ?? 0) + 1],
  );
}

async function scanned(session: Session, limit: number): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `select x.id from sample x, search_progress p where p.scan_next <= p.scan_end and x.id between p.scan_next and p.scan_end
     order by x.id limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Changes left, and since when the oldest of them waits. */
export async function leftOf(reader: Reader): Promise<{ lag: number; since?: number; moved: number }> {
  const row = await reader.one<{ n: number; since: number | null; moved: number }>(
    `select (coalesce(c.n, 0) + greatest(0, p.scan_end - p.scan_next + 1))::bigint as n, c.since, p.moved
     from search_progress p, (select sum(count) as n, min(at) as since from change) c`,
  );
  return { lag: row?.n ?? 0, moved: row?.moved ?? 0, ...(row?.since == null ? {} : { since: row.since }) };
}
