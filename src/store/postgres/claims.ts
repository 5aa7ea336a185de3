/** Who works on what: claiming, keeping and giving back submissions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RegistryError } from '../../registry/errors.js';
import { endState, type Lane, type Problem } from '../../submissions/submission.js';
import type { Claim, ClaimRequest, SubmissionStore } from '../../submissions/submission-store.js';
import { leaseOver } from '../lease.js';
import { chooseTwin } from '../replay.js';
import type { PostgresDatabase, Session } from './database.js';
import { endSubmission } from './submission-ends.js';
import {
  lockByUuid,
  readSubmissionRow,
  rowById,
  rowsOfSameBytes,
  SUBMISSIONS,
  type SubmissionRow,
} from './submission-rows.js';

/** Waiting or left by a worker whose lease ran out, and no twin before it still running. $1 is the lane, $2 the time. */
const CLAIMABLE = `s.state = 'ACTIVE' and s.lane = $1 and ${leaseOver('s.', '$2')}
  and (s.twin_of is null or not exists (select 1 from submission w where w.account = s.account
    and w.sha256 = s.sha256 and w.id < s.id and w.state = 'ACTIVE' and not w.dry_run))`;

/** How often a claim looks again while what it wants is in the hands of others who are claiming too. */
const LOOKS = 20;

type ClaimMethods = Pick<
  SubmissionStore,
  'claimNext' | 'heartbeat' | 'reserve' | 'finish' | 'release' | 'releaseWorker' | 'countClaimable'
>;

export function postgresClaims(database: PostgresDatabase, now: () => number): ClaimMethods {
  const countClaimable = async (lane: Lane): Promise<number> => {
    const row = await database.one<{ n: number }>(`select count(*) as n from submission s where ${CLAIMABLE}`, [
      lane,
      now(),
    ]);
    return row?.n ?? 0;
  };
  return {
    countClaimable,

    claimNext: async (request) => {
      for (let looks = 0; looks < LOOKS; looks++) {
        if ((await countClaimable(request.lane)) === 0) return undefined;
        const turn = await database.takeNumbers('turn', 1);
        const claim = await database.write((session) => claimOne(session, request, turn, now()));
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
        const { counts, cancelRequested } = readSubmissionRow(row);
        await endSubmission(session, row, problem ? 'FAILED' : endState(counts, cancelRequested), problem, now());
        return readSubmissionRow(await rowById(session, row.id));
      }),

    release: (claimed) =>
      database.write(async (session) => {
        const row = await ownedRow(session, claimed);
        await session.run(
          `update submission set phase = 'QUEUED', worker = null, lease_until = null, stalled = greatest(0, stalled - 1),
           updated = $2 where id = $1`,
          [row.id, now()],
        );
      }),

    releaseWorker: (worker) =>
      database.write((session) =>
        session.run(
          `update submission set phase = 'QUEUED', worker = null, lease_until = null, updated = $2
           where worker = $1 and state = 'ACTIVE'`,
          [worker, now()],
        ),
      ),
  };
}

/** The claimed submission's row, locked until the transaction ends. */
export async function ownedRow(session: Session, { submission, attempt, worker }: Claim): Promise<SubmissionRow> {
  const row = await lockByUuid(session, submission.id);
  if (row === undefined || row.state !== 'ACTIVE' || row.attempts !== attempt || row.worker !== worker) {
    throw new RegistryError(
      'claim.lost',
      `Attempt ${attempt} of worker ${worker} no longer owns submission ${submission.id}.`,
    );
  }
  return row;
}

/**
 * The next claimable submission, locked. One whose account another process is serving at this very moment is left to
 * it as long as there are others: turns between accounts are kept though many claim at once.
 */
async function lockNext(session: Session, lane: Lane, now: number): Promise<SubmissionRow | undefined> {
  const next = `${SUBMISSIONS} where ${CLAIMABLE} order by a.served_${lane}, s.id limit 1 for no key update of`;
  return (
    (await session.one<SubmissionRow>(`${next} s, a skip locked`, [lane, now])) ??
    (await session.one<SubmissionRow>(`${next} s skip locked`, [lane, now]))
  );
}

async function claimOne(
  session: Session,
  request: ClaimRequest,
  turn: number,
  now: number,
): Promise<Claim | undefined> {
  for (;;) {
    const row = await lockNext(session, request.lane, now);
    if (row === undefined) return undefined;
    if (row.cancel_requested) {
      await endSubmission(session, row, 'CANCELLED', undefined, now);
    } else if (row.stalled >= request.maxAttempts) {
      await endSubmission(session, row, 'FAILED', attemptsUsedUp(row), now);
    } else {
      await session.run(`update account set served_${request.lane} = $2 where id = $1`, [row.account, turn]);
      await session.run(
        `update submission set phase = 'READING', attempts = attempts + 1, stalled = stalled + 1, worker = $2,
         lease_until = $3, twin_of = $4, updated = $5 where id = $1`,
        [row.id, request.worker, now + request.leaseMs, await twinOf(session, row), now],
      );
      const submission = readSubmissionRow(await rowById(session, row.id));
      return { submission, attempt: submission.attempts, worker: request.worker };
    }
  }
}

/** While nothing is applied yet, the earlier submissions that this one waited for may have changed which of them came furthest. */
async function twinOf(session: Session, row: SubmissionRow): Promise<number | null> {
  if (row.twin_of === null || row.cursor > 0) return row.twin_of;
  const { sheet } = readSubmissionRow(row).options;
  const rows = (await rowsOfSameBytes(session, row.account, row.sha256)).filter(({ id }) => id < row.id);
  const twin = chooseTwin(rows.map(readSubmissionRow).filter(({ options }) => options.sheet === sheet));
  return rows.find(({ uuid }) => uuid === twin?.id)?.id ?? null;
}

async function reserve(
  session: Session,
  database: PostgresDatabase,
  claimed: Claim,
  count: number,
  now: number,
): Promise<number> {
  const row = await ownedRow(session, claimed);
  if (row.reserved_from !== null) {
    if (row.reserved_count === count) return row.reserved_from;
    throw new Error(`submission ${row.uuid} reserved ${row.reserved_count} numbers and now asks for ${count}`);
  }
  const first = await database.takeNumbers('accession', count);
  await session.run('update submission set reserved_from = $2, reserved_count = $3, updated = $4 where id = $1', [
    row.id,
    first,
    count,
    now,
  ]);
  return first;
}

const attemptsUsedUp = (row: SubmissionRow): Problem => ({
  code: 'submission.attempts-used-up',
  message: `Processing stopped ${row.stalled} times after line ${row.cursor} without getting further. Send the file again to go on from there, or tell the operator.`,
  line: row.cursor,
  retryable: true,
});
