/** Who works on what: claiming, keeping and giving back submissions. */
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { PostgresDatabase, Session } from '../database.js';
import { endSubmission } from './submission-ends.js';
import {
  type JoinedRow,
  lockByUuid,
  readSubmissionRow,
  rowById,
  rowsOfSameBytes,
  SUBMISSIONS,
} from './submission-rows.js';

/** Waiting or left by a worker whose lease ran out, and no earlier upload of the same bytes or into the same key space still running. A next try further off than any wait is of a clock that was set back. $1 is the lane, $2 the time, $3 whether those to be tried alone count. */
const CLAIMABLE = `s.state = 'ACTIVE' and s.lane = $1 and ${leaseOver('s.', '$2')}
  and coalesce(s.next_try - $2, 0) not between 1 and ${LONGEST_WAIT_MS} and s.alone <= $3
  and (s.twin_of is null or not exists (select 1 from submission w where w.account = s.account
    and w.sha256 = s.sha256 and w.state = 'ACTIVE' and not w.dry_run and ${comesBefore('w', 's')}))
  and (s.key_space is null or not exists (select 1 from submission k where k.key_space = s.key_space and k.state = 'ACTIVE'
    and ${comesBefore('k', 's')} and (not k.dry_run or k.standing is not null)))`;

/** How often a claim looks again while what it wants is in the hands of others who are claiming too. */
const LOOKS = 20;

export function postgresClaims(database: PostgresDatabase, now: () => number): ClaimMethods {
  const countClaimable = async (lane: Lane, skipAlone = false): Promise<number> => {
    const row = await database.one<{ n: number }>(`select count(*) as n from submission s where ${CLAIMABLE}`, [
      lane,
      now(),
      skipAlone ? 0 : 1,
    ]);
    return row?.n ?? 0;
  };
  return {
    countClaimable: (lane) => countClaimable(lane),

    claimNext: async (request) => {
      for (let looks = 0; looks < LOOKS; looks++) {
        if ((await countClaimable(request.lane, request.skipAlone)) === 0) return undefined;
        const turn = await database.takeNumbers('turn', 1);
        let left: string[] = [];
        const claim = await database.write((session) => {
          left = [];
          return claimOne(session, request, turn, now(), left);
        });
        for (const id of left) request.onTakenOver?.(id);
        if (claim) return claim;
        await sleep(5);
      }
      return undefined;
    },

    heartbeat: (claimed, progress) =>
      database.write(
        async (session) => {
          const row = await ownedRow(session, claimed);
          const at = now();
          await session.run(
            `update submission set phase = $2, bytes_read = greatest(bytes_read, $3), lease_until = $4, updated = $5
             where id = $1`,
            [row.id, progress.phase ?? row.phase, progress.bytesRead ?? 0, at + progress.leaseMs, at],
          );
          return readSubmissionRow(await rowById(session, row.id));
        },
        { repeatable: true },
      ),

    reserve: (claimed, count) =>
      database.write((session) => reserve(session, database, claimed, count, now()), { repeatable: true }),

    finish: (claimed, problem) =>
      database.write(async (session) => {
        const row = await ownedRow(session, claimed);
        await endSubmission(session, row, endAsked(readSubmissionRow(row), problem), problem, now());
        return readSubmissionRow(await rowById(session, row.id));
      }),

    release: (claimed) =>
      database.write(async (session) => {
        const row = await ownedRow(session, claimed);
        await session.run(
          "update submission set phase = 'QUEUED', worker = null, lease_until = null, updated = $2 where id = $1",
          [row.id, now()],
        );
      }),

    setBack: (claimed, setback, rules) =>
      database.write(async (session) => {
        const row = await ownedRow(session, claimed);
        await setBackRow(session, row, setback, rules, now());
        return readSubmissionRow(await rowById(session, row.id));
      }),

    releaseWorker: (worker, rules) =>
      database.write(async (session) => {
        const held = await session.rows<JoinedRow>(
          `${SUBMISSIONS} where s.worker = $1 and s.state = 'ACTIVE' order by s.id for no key update of s`,
          [worker],
        );
        for (const row of held) await setBackRow(session, row, { cause: 'outside' }, rules, now());
        return held.length;
      }),
  };
}

/** The claimed submission's row, locked until the transaction ends. */
export const ownedRow = async (session: Session, claim: Claim): Promise<JoinedRow> =>
  requireOwner(await lockByUuid(session, claim.submission.id), claim);

/**
 * The next claimable submission, locked. One whose account another process is serving at this very moment is left to
 * it as long as there are others: turns between accounts are kept though many claim at once.
 */
async function lockNext(
  session: Session,
  { lane, skipAlone }: ClaimRequest,
  now: number,
): Promise<JoinedRow | undefined> {
  const wanted = [lane, now, skipAlone ? 0 : 1];
  const next = `${SUBMISSIONS} where ${CLAIMABLE} order by a.served_${lane}, s.id limit 1 for no key update of`;
  return (
    (await session.one<JoinedRow>(`${next} s, a skip locked`, wanted)) ??
    (await session.one<JoinedRow>(`${next} s skip locked`, wanted))
  );
}

/** `left` is given the submissions of workers that were lost. */
async function claimOne(
  session: Session,
  request: ClaimRequest,
  turn: number,
  now: number,
  left: string[],
): Promise<Claim | undefined> {
  for (;;) {
    const row = await lockNext(session, request, now);
    if (row === undefined) return undefined;
    if (endsAsCancelled(row)) {
      await endSubmission(session, row, 'CANCELLED', undefined, now);
    } else if (row.worker !== null) {
      await setBackRow(session, row, { cause: 'outside' }, request, now);
      left.push(row.uuid);
    } else {
      await session.run(`update account set served_${request.lane} = $2 where id = $1`, [row.account, turn]);
      await session.run(
        `update submission set phase = 'READING', attempts = attempts + 1, worker = $2, lease_until = $3, twin_of = $4,
         updated = $5 where id = $1`,
        [row.id, request.worker, now + request.leaseMs, await earlierUpload(session, row), now],
      );
      const submission = readSubmissionRow(await rowById(session, row.id));
      return { submission, attempt: submission.attempts, worker: request.worker, alone: row.alone === 1 };
    }
  }
}

/** Frees the locked row. */
async function setBackRow(
  session: Session,
  row: SubmissionRow,
  setback: Setback,
  rules: AttemptRules,
  now: number,
): Promise<void> {
  const after = freed(row, setback, rules, now);
  if (after.kind === 'end') return endSubmission(session, row, after.state, after.problem, now);
  await session.run(
    `update submission set phase = 'QUEUED', worker = null, lease_until = null, setbacks = $2, next_try = $3,
     alone = $4, updated = $5 where id = $1`,
    [row.id, JSON.stringify(after.setbacks), after.setbacks.nextTry, after.alone ? 1 : 0, now],
  );
}

const earlierUpload = async (session: Session, row: JoinedRow): Promise<number | null> =>
  choosesAnew(row)
    ? earlierRow(row, await rowsOfSameBytes(session, row.account, row.sha256), readSubmissionRow)
    : row.twin_of;

async function reserve(
  session: Session,
  database: PostgresDatabase,
  claimed: Claim,
  count: number,
  now: number,
): Promise<number> {
  const row = await ownedRow(session, claimed);
  const before = reservedBefore(row, count);
  if (before !== undefined) return before;
  const first = await database.takeNumbers('accession', count);
  await session.run('update submission set reserved_from = $2, reserved_count = $3, updated = $4 where id = $1', [
    row.id,
    first,
    count,
    now,
  ]);
  return first;
}
