/**
 * Whose changes the search index takes in next (docs/decisions/0107): the accounts that wait have turns, so that what
 * one of them writes, however much, keeps the samples of others out of the index for the length of its turns only.
 */
import { STEP_BYTES } from '../registry/search/indexed-sample.js';
import { type JournalRow, PENDING_ROWS } from '../registry/search/pending-samples.js';

/** Samples of one turn. */
const TURN_SAMPLES = 20;
/** Stored bytes after which a turn ends; its last sample may go beyond. */
const TURN_BYTES = 50_000;
/** Accounts that have turns in one step; the next step begins with the others. */
export const TURN_ACCOUNTS = 50;

/** Changes that one account made and the index has not taken in, in order. */
export interface Waiting {
  /** By number. */
  account: number;
  rows: readonly JournalRow[];
}

export interface Turned {
  account: number;
  seq: number;
  /** Number of the sample. */
  id: number;
}

/** Rows of the journal that are read of each of so many accounts. */
export const rowsOfEach = (accounts: number): number => Math.max(TURN_SAMPLES, Math.ceil(PENDING_ROWS / accounts));

/** Samples of each of so many accounts that may be taken in a step of `limit`. */
export const samplesOfEach = (limit: number, accounts: number): number =>
  Math.ceil((2 * limit) / accounts) + TURN_SAMPLES;

/** The samples that wait, account by account in turns; each `next` is given the stored bytes of the sample before. */
export function* inTurns(waiting: readonly Waiting[]): Generator<Turned, undefined, number | undefined> {
  let queues = waiting.map(({ account, rows }) => ({ account, samples: samplesOf(account, rows) }));
  while (queues.length > 0) {
    const left: typeof queues = [];
    for (const queue of queues) if (yield* turnOf(queue.samples)) left.push(queue);
    queues = left;
  }
  return undefined;
}

/** Returns whether the account may have more. */
function* turnOf(samples: Generator<Turned, undefined>): Generator<Turned, boolean, number | undefined> {
  let bytes = 0;
  for (let taken = 0; taken < TURN_SAMPLES && bytes < TURN_BYTES; taken++) {
    const { value, done } = samples.next();
    if (done) return false;
    bytes += (yield value) ?? 0;
  }
  return true;
}

function* samplesOf(account: number, rows: readonly JournalRow[]): Generator<Turned, undefined> {
  for (const { seq, first, count } of rows) for (let at = 0; at < count; at++) yield { account, seq, id: first + at };
  return undefined;
}

/** How many samples of each row of the journal were taken. */
export function takenOf(turns: readonly Turned[]): Map<number, number> {
  const taken = new Map<number, number>();
  for (const { seq } of turns) taken.set(seq, (taken.get(seq) ?? 0) + 1);
  return taken;
}

/** Accounts that wait, from behind `last` on and then from the beginning, up to a step's number of them. */
export const inRotation = (behind: readonly number[], fromBeginning: readonly number[]): number[] =>
  [...new Set([...behind, ...fromBeginning])].slice(0, TURN_ACCOUNTS);

/** A change of an account's, or with an id alone a sample that a rebuild visits. */
export type Next = Turned | { id: number };

export interface StepBounds {
  /** Samples at most. */
  limit: number;
  /** Stored bytes of a sample; undefined ends the step before it. */
  bytesOf(id: number): number | undefined;
  /** Called once for each sample; one that changed several times is taken once. */
  take(id: number): void;
  /** Whether no further sample is taken for want of time. */
  isOver(): boolean;
}

/** What one step takes of what comes next: one sample at least, whatever its size. */
export function takeStep(
  samples: Generator<Next, undefined, number | undefined>,
  { limit, bytesOf, take, isOver }: StepBounds,
): Next[] {
  const done: Next[] = [];
  const seen = new Set<number>();
  let bytes = 0;
  let last = 0;
  for (let next = samples.next(); !next.done; next = samples.next(last)) {
    const { id } = next.value;
    last = 0;
    if (!seen.has(id)) {
      const own = bytesOf(id);
      if (own === undefined || seen.size === limit) break;
      if (seen.size > 0 && (bytes + own > STEP_BYTES || isOver())) break;
      seen.add(id);
      bytes += own;
      last = own;
      take(id);
    }
    done.push(next.value);
  }
  return done;
}
