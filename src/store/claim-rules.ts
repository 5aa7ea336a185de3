/** Who owns a submission, what it may become and whose turn it is: the rules of both stores. Pure. */
import { RegistryError } from '../registry/errors.js';
import {
  type AfterSetback,
  type AttemptRules,
  afterSetback,
  type Setback,
} from '../submissions/processing/attempts.js';
import {
  endState,
  NEXT_STATES,
  type Problem,
  SUBMISSION_STATES,
  type Submission,
  type SubmissionState,
} from '../submissions/submission.js';
import type { Claim, SubmissionStore } from '../submissions/submission-store.js';
import { isLeaseOver } from './lease.js';
import { earlierOf, earlierUploads, stoppedUndo } from './replay.js';
import { type SubmissionRow, setbacksOf } from './rows/submission-row.js';

/** What a store does for workers. */
export type ClaimMethods = Pick<
  SubmissionStore,
  'claimNext' | 'heartbeat' | 'reserve' | 'finish' | 'release' | 'setBack' | 'releaseWorker' | 'countClaimable'
>;

/**
 * The fence: a worker whose claim is no longer the current one writes nothing.
 * @throws RegistryError claim.lost
 */
export function requireOwner<Row extends SubmissionRow>(row: Row | undefined, claim: Claim): Row {
  const { submission, attempt, worker } = claim;
  if (row?.state === 'ACTIVE' && row.attempts === attempt && row.worker === worker) return row;
  throw new RegistryError(
    'claim.lost',
    `Attempt ${attempt} of worker ${worker} no longer owns submission ${submission.id}.`,
  );
}

export function requireMove(row: Pick<SubmissionRow, 'id' | 'state'>, state: SubmissionState): void {
  const allowed: readonly SubmissionState[] = NEXT_STATES[row.state];
  if (!allowed.includes(state)) throw new Error(`submission ${row.id} cannot go from ${row.state} to ${state}`);
}

/** The end that a worker asks for. */
export const endAsked = ({ counts, cancelRequested }: Submission, problem: Problem | undefined): SubmissionState =>
  problem ? 'FAILED' : endState(counts, cancelRequested);

/** The first number that was reserved, when it was. @throws Error for another number of numbers than then */
export function reservedBefore(row: SubmissionRow, count: number): number | undefined {
  if (row.reserved_from === null || row.reserved_count === count) return row.reserved_from ?? undefined;
  throw new Error(`submission ${row.uuid} reserved ${row.reserved_count} numbers and now asks for ${count}`);
}

/**
 * Whether its registered rows may name rows that it has not come to. A wish to cancel is then left to a worker, which takes that back
 * first (submissions/processing/end-early.ts).
 */
export const mayNameRest = (row: Pick<SubmissionRow, 'reserved_from' | 'rows_created' | 'rows_updated'>): boolean =>
  row.reserved_from !== null && row.rows_created + row.rows_updated > 0;

/** Whether it is to be cancelled and nothing stands against it. */
export const endsAsCancelled = (row: SubmissionRow): boolean => Boolean(row.cancel_requested) && !mayNameRest(row);

type Freed = { kind: 'end'; state: SubmissionState; problem?: Problem } | ({ kind: 'again' } & AfterSetback);

/** What becomes of a row whose worker was set back or lost; a wish to cancel is granted. */
export function freed(row: SubmissionRow, setback: Setback, rules: AttemptRules, now: number): Freed {
  if (endsAsCancelled(row)) return { kind: 'end', state: 'CANCELLED' };
  const after = afterSetback(setbacksOf(row), setback, rules, row.cursor, now);
  if (!after.givenUp) return { kind: 'again', ...after };
  return row.cancel_requested
    ? { kind: 'end', state: 'CANCELLED' }
    : { kind: 'end', state: 'FAILED', problem: after.givenUp };
}

/** Its earlier upload is chosen anew while nothing is applied yet: those that it waited for may have changed which came furthest. */
export const choosesAnew = (row: SubmissionRow): boolean => row.twin_of !== null && row.cursor === 0;

/** The row among those of the same bytes, oldest first, that is the earlier upload of one of them. */
export function earlierRow<Row extends SubmissionRow>(
  row: Row,
  sameBytes: readonly Row[],
  read: (row: Row) => Submission,
): number | null {
  const own = read(row);
  if (own.options.undoOf !== undefined) return null;
  const before = sameBytes.filter(({ id }) => id < row.id);
  const chosen = earlierOf(own, before.map(read));
  return before.find(({ uuid }) => uuid === chosen?.id)?.id ?? null;
}

/** A row, and those of the same bytes that came before it, oldest first, as they are read. */
function withEarlier<Row extends SubmissionRow>(
  row: Row,
  sameBytes: readonly Row[],
  read: (row: Row) => Submission,
): { own: Submission; before: Submission[] } {
  return { own: read(row), before: sameBytes.filter(({ id }) => id < row.id).map((one) => read(one)) };
}

/** Ids as of SubmissionStore.earlierUploads, of a row among those of the same bytes, oldest first. */
export function earlierIds<Row extends SubmissionRow>(
  row: Row,
  sameBytes: readonly Row[],
  read: (row: Row) => Submission,
): string[] {
  const { own, before } = withEarlier(row, sameBytes, read);
  return earlierUploads(own, before).map(({ id }) => id);
}

/** As of SubmissionStore.findStoppedUndo, of the same rows. */
export function stoppedUndoFor<Row extends SubmissionRow>(
  row: Row,
  sameBytes: readonly Row[],
  read: (row: Row) => Submission,
): Submission | undefined {
  const { own, before } = withEarlier(row, sameBytes, read);
  const chosen = before.find(({ id }) => id === own.earlierUpload);
  return stoppedUndo(own, chosen, before);
}

/** SQL: among those that wait for each other a plan's commit by itself has the place right behind its plan, every other one that of its arrival. */
export const comesBefore = (one: string, other: string): string =>
  `(coalesce(${one}.turn_of, ${one}.id), ${one}.id) < (coalesce(${other}.turn_of, ${other}.id), ${other}.id)`;

export const isWaiting = (row: Pick<SubmissionRow, 'state' | 'lease_until' | 'updated'>, now: number): boolean =>
  row.state === 'ACTIVE' && isLeaseOver(row, now);

/** What waits in one lane, of one account. */
export interface WaitingAccount {
  account: number;
  /** Its last turn. */
  served: number;
  n: number;
  /** How many of them came before the submission in question, and the first of all. */
  before: number;
  first: number;
}

/** Accounts take turns, so of every other account at most as many as this one's own go first, one more if it was served longer ago. */
export function positionAmong(waiting: readonly WaitingAccount[], account: number): number {
  const own = waiting.find((one) => one.account === account);
  if (own === undefined) return 0;
  let position = own.before;
  for (const other of waiting) {
    if (other === own) continue;
    const first = other.served < own.served || (other.served === own.served && other.first < own.first);
    position += Math.min(other.n, own.before + (first ? 1 : 0));
  }
  return position;
}

/** The counts come from two looks, between which a submission may have ended. */
export function statsOf(
  counted: readonly { state: SubmissionState; n: number }[],
  { n: waiting, oldest }: { n: number; oldest: number | null },
  now: number,
): Awaited<ReturnType<SubmissionStore['stats']>> {
  const states = Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])) as Record<SubmissionState, number>;
  for (const { state, n } of counted) states[state] = n;
  return {
    states,
    waiting,
    running: Math.max(0, states.ACTIVE - waiting),
    ...(oldest === null ? {} : { oldestWaiting: Math.max(0, now - oldest) }),
  };
}
