/** What the index has still to read: the journal of changes in turns of accounts, then every sample that a rebuild has to visit. */
import type { JournalRow } from '../../../registry/search/pending-samples.js';
import { inRotation, type Next, rowsOfEach, TURN_ACCOUNTS, takenOf, type Waiting } from '../../index-turns.js';
import type { Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import { firstNumbers } from '../samples/number-windows.js';
import { nextNumber } from '../samples/present-samples.js';
import type { Reader } from '../submissions/submission-rows.js';
import { numberArray } from '../text.js';

/** Accounts that have rows in the journal, without reading all of these. */
const ACCOUNTS = preparedOnce(`with recursive waiting (account) as (
    select min(account) from change where account > $1
    union all
    select (select min(c.account) from change c where c.account > waiting.account) from waiting
    where waiting.account is not null
  )
  select account from waiting where account is not null limit ${TURN_ACCOUNTS}`);

const ROWS =
  preparedOnce(`select a.account, c.seq, c.first, c.count from unnest($1::int[]) with ordinality a (account, place)
  cross join lateral (select seq, first, count from change where account = a.account order by seq limit $2) c
  order by a.place, c.seq`);

/** The changes that wait, from behind the account whose turn was last on. */
export async function waitingChanges(session: Session, turn: number): Promise<Waiting[]> {
  const from = async (after: number) =>
    (await session.rows<{ account: number }>(ACCOUNTS, [after])).map(({ account }) => account);
  const behind = await from(turn);
  const accounts = inRotation(behind, behind.length < TURN_ACCOUNTS ? await from(-1) : []);
  if (accounts.length === 0) return [];
  const rows = await session.rows<JournalRow & { account: number }>(ROWS, [
    numberArray(accounts),
    rowsOfEach(accounts.length),
  ]);
  return accounts.map((account) => ({ account, rows: rows.filter((row) => row.account === account) }));
}

/** Samples that a rebuild has to visit next. */
export async function nextScanned(session: Session, limit: number): Promise<Next[]> {
  const left = await session.one<{ first: number; last: number }>(
    'select scan_next as first, scan_end as last from search_progress where scan_next <= scan_end',
  );
  if (left === undefined) return [];
  const ids = await firstNumbers(session, { after: left.first - 1, upTo: left.last }, limit);
  return ids.map((id) => ({ id }));
}

/** Takes these samples out of the journal and of what a rebuild has to visit; a run keeps its rest. */
export async function removeTaken(session: Session, done: readonly Next[]): Promise<void> {
  const turned = done.filter((next) => 'seq' in next);
  const taken = [...takenOf(turned)];
  if (taken.length > 0) {
    const rows = [numberArray(taken.map(([seq]) => seq)), numberArray(taken.map(([, samples]) => samples))];
    const of = 'from unnest($1::bigint[], $2::int[]) t (seq, samples) where c.seq = t.seq';
    await session.run(`delete from change c using ${of.slice(5)} and c.count = t.samples`, rows);
    await session.run(`update change c set first = c.first + t.samples, count = c.count - t.samples ${of}`, rows);
  }
  const visited = done.findLast((next) => !('seq' in next))?.id;
  await session.run(
    `update search_progress p set turn = coalesce($1, turn), scan_next = coalesce(${nextNumber('greatest(p.scan_next, $2::bigint)', 'p.scan_end')}, p.scan_end + 1)`,
    [turned.at(-1)?.account ?? null, (visited ?? -1) + 1],
  );
}

/** Changes left, and since when the oldest of them waits. */
export async function leftOf(reader: Reader): Promise<{ lag: number; missing: number; since?: number; moved: number }> {
  const row = await reader.one<{
    changes: number;
    scan: number;
    refilling: boolean;
    since: number | null;
    moved: number;
  }>(
    `select coalesce(c.n, 0)::bigint as changes, greatest(0, p.scan_end - p.scan_next + 1) as scan, p.refilling, c.since, p.moved
     from search_progress p, (select sum(count) as n, min(at) as since from change) c`,
  );
  const { changes = 0, scan = 0, refilling = false, moved = 0, since } = row ?? {};
  // Samples that are visited for the columns alone are in the answers of searches.
  const missing = changes + (refilling ? 0 : scan);
  return { lag: changes + scan, missing, moved, ...(since == null ? {} : { since }) };
}
