/** Submissions, their claims and their ledger in PostgreSQL. */
import { isFinal, SUBMISSION_STATES, type SubmissionState } from '../../submissions/submission.js';
import type { LedgerChunk, SubmissionStore } from '../../submissions/submission-store.js';
import { isLeaseOver, leaseOver } from '../lease.js';
import { isResumable } from '../replay.js';
import { postgresAcceptance } from './accept.js';
import { applyBatch } from './apply-batch.js';
import { postgresClaims } from './claims.js';
import type { PostgresDatabase } from './database.js';
import type { Names } from './names.js';
import { endSubmission, reviveSubmission } from './submission-ends.js';
import {
  lockByUuid,
  readSubmissionRow,
  rowById,
  rowByUuid,
  SUBMISSIONS,
  type SubmissionRow,
} from './submission-rows.js';
import { postgresSubmissionSearch } from './submission-search.js';
import { requireLedger } from './upkeep-store.js';

/** Ledger chunks read at a time. */
const PAGE = 16;

export function postgresSubmissionStore(
  database: PostgresDatabase,
  names: Names,
  now: () => number,
  prefix: string,
): SubmissionStore {
  return {
    ...postgresAcceptance(database, names, now),
    ...postgresClaims(database, now),
    ...postgresSubmissionSearch(database, names),
    applyBatch: (claim, batch, options) => applyBatch({ database, names, prefix, now }, claim, batch, options),

    find: async (id) => {
      const row = await rowByUuid(database, id);
      return row && readSubmissionRow(row);
    },

    list: async ({ account, size, before }) => {
      const number = account === undefined ? undefined : await names.findAccount(account);
      if (account !== undefined && number === undefined) return [];
      const seen = before === undefined ? undefined : await rowByUuid(database, before);
      const start = before === undefined ? Number.MAX_SAFE_INTEGER : (seen?.id ?? 0);
      const own = number === undefined ? '' : 's.account = $3 and';
      const rows = await database.rows<SubmissionRow>(
        `${SUBMISSIONS} where ${own} s.id < $1 order by s.id desc limit $2`,
        [start, size, ...(number === undefined ? [] : [number])],
      );
      return rows.map(readSubmissionRow);
    },

    findRewritten: async (id, first, count) => {
      const rows = await database.rows<{ id: number }>(
        `select x.id from sample x where x.id >= $1 and x.id < $2 and (x.submission is null or x.submission not in (
           select o.id from submission o join submission s on s.account = o.account and s.sha256 = o.sha256
           where s.uuid = $3 and not o.dry_run)) order by x.id`,
        [first, first + count, id],
      );
      return rows.map((row) => row.id);
    },

    queuePosition: async (id) => {
      const row = await rowByUuid(database, id);
      return row && positionOf(database, row, now());
    },

    cancel: (id) =>
      database.write(
        async (session) => {
          const row = await lockByUuid(session, id);
          if (row === undefined || isFinal(row.state)) return row && readSubmissionRow(row);
          if (isWaiting(row, now())) await endSubmission(session, row, 'CANCELLED', undefined, now());
          else
            await session.run('update submission set cancel_requested = true, updated = $2 where id = $1', [
              row.id,
              now(),
            ]);
          return readSubmissionRow(await rowById(session, row.id));
        },
        { repeatable: true },
      ),

    retry: (id) =>
      database.write(
        async (session) => {
          const row = await lockByUuid(session, id);
          if (row === undefined) return undefined;
          if (isResumable(readSubmissionRow(row))) await reviveSubmission(session, row, now());
          return readSubmissionRow(await rowById(session, row.id));
        },
        { repeatable: true },
      ),

    ledger: (id, fromLine = 0) => readLedger(database, id, fromLine),

    stats: () => readStats(database, now()),
  };
}

async function readStats(database: PostgresDatabase, now: number): ReturnType<SubmissionStore['stats']> {
  const states = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as Record<SubmissionState, number>;
  const counted = await database.rows<{ state: SubmissionState; n: number }>(
    'select state, count(*) as n from submission group by state',
  );
  for (const { state, n } of counted) states[state] = n;
  const waiting = (await database.one<{ n: number; oldest: number | null }>(
    `select count(*) as n, min(created) as oldest from submission
     where state = 'ACTIVE' and ${leaseOver('', '$1')}`,
    [now],
  )) as { n: number; oldest: number | null };
  return {
    states,
    waiting: waiting.n,
    running: Math.max(0, states.ACTIVE - waiting.n),
    ...(waiting.oldest === null ? {} : { oldestWaiting: Math.max(0, now - waiting.oldest) }),
  };
}

const isWaiting = (row: Pick<SubmissionRow, 'state' | 'lease_until' | 'updated'>, now: number): boolean =>
  row.state === 'ACTIVE' && isLeaseOver(row, now);

/** Accounts take turns, so of every other account at most as many as this one's own go first, one more if it was served longer ago. */
async function positionOf(database: PostgresDatabase, row: SubmissionRow, now: number): Promise<number | undefined> {
  if (!isWaiting(row, now)) return undefined;
  const waiting = await database.rows<{ account: number; served: number; n: number; before: number; first: number }>(
    `select s.account, min(a.served_${row.lane}) as served, count(*) as n, count(*) filter (where s.id < $1) as before,
       min(s.id) as first
     from submission s join account a on a.id = s.account
     where s.state = 'ACTIVE' and s.lane = $2 and ${leaseOver('s.', '$3')} group by s.account`,
    [row.id, row.lane, now],
  );
  const own = waiting.find(({ account }) => account === row.account);
  if (own === undefined) return 0;
  let position = own.before;
  for (const other of waiting) {
    if (other.account === row.account) continue;
    const first = other.served < own.served || (other.served === own.served && other.first < own.first);
    position += Math.min(other.n, own.before + (first ? 1 : 0));
  }
  return position;
}

async function* readLedger(database: PostgresDatabase, id: string, fromLine: number): AsyncGenerator<LedgerChunk> {
  const row = await rowByUuid(database, id);
  if (row === undefined) return;
  await requireLedger(database, id);
  let next = fromLine;
  for (;;) {
    const page = await database.rows<{ from_line: number; to_line: number; outcomes: string }>(
      `select from_line, to_line, outcomes from submission_chunk where submission = $1 and to_line >= $2 and from_line >= coalesce(
         (select max(from_line) from submission_chunk where submission = $1 and from_line <= $2), 0)
       order by from_line limit $3`,
      [row.id, next, PAGE],
    );
    for (const { outcomes } of page) yield JSON.parse(outcomes) as LedgerChunk;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    next = last.to_line + 1;
  }
}
