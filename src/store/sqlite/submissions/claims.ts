/** Who works on what: claiming, keeping and giving back submissions. */
import { type AttemptRules, LONGEST_WAIT_MS, type Setback } from '../../../submissions/processing/attempts.js';
import type { Lane } from '../../../submissions/submission.js';
import type { Claim, ClaimRequest } from '../../../submissions/submission-store.js';
import {
  type ClaimMethods,
  choosesAnew,
  comesBefore,
  earlierRow,
  endAsked,
  endsAsCancelled,
  freed,
  requireOwner,
  reservedBefore,
} from '../../claim-rules.js';
import { leaseOver } from '../../lease.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { takeAccessions } from '../samples/sample-rows.js';
import { endSubmission } from './submission-ends.js';
import { readSubmissionRow, rowById, rowByUuid, rowsOfSameBytes } from './submission-rows.js';

/** Waiting or left by a worker whose lease ran out, and no earlier upload of the same bytes or into the same key space still running. A next try further off than any wait is of a clock that was set back. Wants lane, time, time, and whether those to be tried alone count. */
const CLAIMABLE = `s.state = 'ACTIVE' and s.lane = ? and ${leaseOver('s.', '?')}
  and coalesce(s.next_try - ?, 0) not between 1 and ${LONGEST_WAIT_MS} and s.alone <= ?
  and (s.twin_of is null or not exists (select 1 from submission t where t.account = s.account
    and t.sha256 = s.sha256 and t.state = 'ACTIVE' and t.dry_run = 0 and ${comesBefore('t', 's')}))
  and (s.key_space is null or not exists (select 1 from submission k where k.key_space = s.key_space and k.state = 'ACTIVE'
    and ${comesBefore('k', 's')} and (k.dry_run = 0 or k.standing is not null)))`;

export function sqliteClaims(database: SqliteDatabase, names: Names, now: () => number): ClaimMethods {
  const read = (id: number) => readSubmissionRow(rowById(database, id), names);
  return {
    claimNext: async (request) => {
      // A poll that finds nothing takes no write lock.
      const next = nextClaimable(database, request, now());
      if (next === undefined) return undefined;
      if (isWaiting(next)) {
        // After a power cut it is claimed anew. That a submission ended or was set back may have been answered by then.
        const taken = await database.write(() => takeWaiting(database, names, request, now()), 'unsynced');
        if (taken) return taken;
      }
      const left: string[] = [];
      const claimed = await database.write(() => claim(database, names, request, now(), left));
      for (const id of left) request.onTakenOver?.(id);
      return claimed;
    },

    heartbeat: (claimed, progress) =>
      database.write(() => {
        const row = ownedRow(database, claimed);
        const at = now();
        database
          .sql(
            'update submission set phase = ?, bytes_read = max(bytes_read, ?), lease_until = ?, updated = ? where id = ?',
          )
          .run(progress.phase ?? row.phase, progress.bytesRead ?? 0, at + progress.leaseMs, at, row.id);
        return read(row.id);
      }),

    reserve: (claimed, count) =>
      database.write(() => {
        const row = ownedRow(database, claimed);
        const before = reservedBefore(row, count);
        if (before !== undefined) return before;
        const first = takeAccessions(database, count);
        database
          .sql('update submission set reserved_from = ?, reserved_count = ?, updated = ? where id = ?')
          .run(first, count, now(), row.id);
        return first;
      }),

    finish: (claimed, problem) =>
      database.write(() => {
        const row = ownedRow(database, claimed);
        endSubmission(database, row, endAsked(readSubmissionRow(row, names), problem), problem, now());
        return read(row.id);
      }),

    release: (claimed) =>
      database.write(() => {
        const row = ownedRow(database, claimed);
        database
          .sql("update submission set phase = 'QUEUED', worker = null, lease_until = null, updated = ? where id = ?")
          .run(now(), row.id);
      }),

    setBack: (claimed, setback, rules) =>
      database.write(() => {
        const row = ownedRow(database, claimed);
        setBackRow(database, row, setback, rules, now());
        return read(row.id);
      }),

    releaseWorker: (worker, rules) =>
      database.write(() => {
        const held = database
          .sql<SubmissionRow>("select * from submission where worker = ? and state = 'ACTIVE'")
          .all(worker);
        for (const row of held) setBackRow(database, row, { cause: 'outside' }, rules, now());
        return held.length;
      }),

    countClaimable: async (lane) =>
      database
        .sql<{ n: number }>(`select count(*) as n from submission s where ${CLAIMABLE}`)
        .get(lane, now(), now(), 1)?.n ?? 0,
  };
}

/** The claimed submission's row, locked by the write that this runs in. */
export const ownedRow = (database: SqliteDatabase, claim: Claim): SubmissionRow =>
  requireOwner(rowByUuid(database, claim.submission.id), claim);

const isWaiting = ({ worker, cancel_requested }: SubmissionRow): boolean => worker === null && !cancel_requested;

function nextClaimable(
  database: SqliteDatabase,
  { lane, skipAlone }: ClaimRequest,
  now: number,
): SubmissionRow | undefined {
  return database
    .sql<SubmissionRow>(
      `select s.* from submission s join account a on a.id = s.account where ${CLAIMABLE}
       order by a.served_${lane}, s.id limit 1`,
    )
    .get(lane, now, now, skipAlone ? 0 : 1);
}

/** `left` is given the submissions of workers that were lost. */
function claim(
  database: SqliteDatabase,
  names: Names,
  request: ClaimRequest,
  now: number,
  left: string[],
): Claim | undefined {
  for (;;) {
    const row = nextClaimable(database, request, now);
    if (row === undefined) return undefined;
    if (endsAsCancelled(row)) {
      endSubmission(database, row, 'CANCELLED', undefined, now);
    } else if (row.worker !== null) {
      setBackRow(database, row, { cause: 'outside' }, request, now);
      left.push(row.uuid);
    } else {
      return take(database, names, request, row, now);
    }
  }
}

/** The next one, if it waits for nothing but its worker. */
function takeWaiting(database: SqliteDatabase, names: Names, request: ClaimRequest, now: number): Claim | undefined {
  const row = nextClaimable(database, request, now);
  return row && isWaiting(row) ? take(database, names, request, row, now) : undefined;
}

function take(database: SqliteDatabase, names: Names, request: ClaimRequest, row: SubmissionRow, now: number): Claim {
  takeTurn(database, row, request.lane);
  database
    .sql(
      `update submission set phase = 'READING', attempts = attempts + 1, worker = ?, lease_until = ?, twin_of = ?,
       updated = ? where id = ?`,
    )
    .run(request.worker, now + request.leaseMs, earlierUpload(database, names, row), now, row.id);
  const submission = readSubmissionRow(rowById(database, row.id), names);
  return { submission, attempt: submission.attempts, worker: request.worker, alone: row.alone === 1 };
}

function setBackRow(
  database: SqliteDatabase,
  row: SubmissionRow,
  setback: Setback,
  rules: AttemptRules,
  now: number,
): void {
  const after = freed(row, setback, rules, now);
  if (after.kind === 'end') {
    endSubmission(database, row, after.state, after.problem, now);
    return;
  }
  database
    .sql(
      `update submission set phase = 'QUEUED', worker = null, lease_until = null, setbacks = ?, next_try = ?, alone = ?,
       updated = ? where id = ?`,
    )
    .run(JSON.stringify(after.setbacks), after.setbacks.nextTry, after.alone ? 1 : 0, now, row.id);
}

const earlierUpload = (database: SqliteDatabase, names: Names, row: SubmissionRow): number | null =>
  choosesAnew(row)
    ? earlierRow(row, rowsOfSameBytes(database, row.account, row.sha256), (one) => readSubmissionRow(one, names))
    : row.twin_of;

function takeTurn(database: SqliteDatabase, row: SubmissionRow, lane: Lane): void {
  const turn = database
    .sql<{ next: number }>("update counter set next = next + 1 where name = 'turn' returning next")
    .get();
  database.sql(`update account set served_${lane} = ? where id = ?`).run(turn?.next, row.account);
}
