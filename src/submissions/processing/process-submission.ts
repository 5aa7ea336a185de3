/**
 * The story of one claimed submission: read, map, decide and apply in chunks, finish. The store refuses every write of
 * a claim that is no longer current, so this may die at any point and be done again by another worker.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { applyMissing } from '../standing/apply-missing.js';
import { isPlan, withdrawsMissing } from '../standing/standing.js';
import { isFinal, type Problem, type Submission } from '../submission.js';
import type { Claim } from '../submission-store.js';
import { aboveCeiling } from '../uploads/ceiling.js';
import { warnOfKnown } from '../uploads/known-before.js';
import { applied, applyingAll } from './apply-batches.js';
import { completeOpen } from './complete-open.js';
import { endedBefore, forgetRest } from './end-early.js';
import { holdBack } from './finish-batch.js';
import { fillKnownTargets } from './open-targets.js';
import { asProblem, FROM_OUTSIDE, isLost, noRows, unexpected } from './problems.js';
import type { ProcessingDependencies } from './processing.js';
import { registeredMeanwhile } from './registered-meanwhile.js';
import { changedSinceShown, staleness } from './staleness.js';
import { batchesOf } from './submission-batches.js';
import { OutdatedBatch, RefusedBatch } from './unapplied-batch.js';

/** Resolves when the submission has ended, was handed back (`signal`), or belongs to another worker now. */
export async function processSubmission(
  deps: ProcessingDependencies,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  const heart = startHeartbeat(deps, claim);
  try {
    const problem = await tryOnce(deps, claim, signal);
    if (!problem) return;
    if (problem.retryable) await setBack(deps, claim, problem);
    else await end(deps, claim, problem);
  } catch (error) {
    // The store itself is away: the lease runs out and the submission is claimed again.
    if (isLost(error)) deps.events.claimLost?.(claim);
    else deps.events.failed?.(claim, error, randomUUID());
  } finally {
    heart.stop();
  }
}

/** Undefined when there is nothing more to do for this claim; else why it could not go on. */
async function tryOnce(deps: ProcessingDependencies, claim: Claim, signal: AbortSignal): Promise<Problem | undefined> {
  try {
    await readUntilApplied(deps, claim, signal);
    return undefined;
  } catch (error) {
    if (isLost(error)) throw error;
    const known = asProblem(error, claim.submission.options);
    if (known && !known.retryable) return known;
    const id = randomUUID();
    deps.events.failed?.(claim, error, id);
    return known ?? unexpected(claim, id);
  }
}

/** How often what others write at the same time has one batch read again, and batches of the file in all; then rows are refused. */
const MOST_READ_AGAIN = { oneBatch: 10, inAll: 100 };

/** A batch may be made of samples as they were read, or of those of its keys: where these are others by now, it is made again. */
async function readUntilApplied(deps: ProcessingDependencies, claim: Claim, signal: AbortSignal): Promise<void> {
  let times = 0;
  let at = claim.submission.cursor;
  for (let all = 0; ; all++) {
    try {
      const readsAgain = times < MOST_READ_AGAIN.oneBatch && all < MOST_READ_AGAIN.inAll;
      return await readAndApply(deps, claim, signal, readsAgain);
    } catch (error) {
      if (error instanceof RefusedBatch)
        return await end(deps, claim, changedSinceShown(error.lines, claim.submission.options));
      if (!(error instanceof OutdatedBatch)) throw error;
    }
    const { cursor } = (await deps.store.find(claim.submission.id)) as Submission;
    times = cursor === at ? times + 1 : 1;
    at = cursor;
  }
}

async function readAndApply(
  deps: ProcessingDependencies,
  claim: Claim,
  signal: AbortSignal,
  readsAgain: boolean,
): Promise<void> {
  const present = (await deps.store.find(claim.submission.id)) ?? claim.submission;
  if (await isOverUnread(deps, claim, present, signal)) return;
  const apply = applyingAll(deps, claim);
  let held: LaidOutBatch | undefined;
  let last = present;
  let rows = present.counts.rows;
  for await (const batch of await batchesOf(deps, claim, present)) {
    if (signal.aborted) return await handBack(deps, claim);
    if (!readsAgain) delete batch.mayBeReadAgain;
    if (held) last = await apply(held, false, batch);
    if (await isOver(deps, claim, last, signal)) return;
    const tooMany = aboveCeiling(last, batch);
    if (tooMany) {
      holdBack(batch, 'tooMany');
      await apply(batch, false);
      return await endEarly(deps, claim, signal, tooMany);
    }
    await fillKnownTargets(deps.store, batch, { account: present.account, prefix: deps.prefix });
    await warnOfKnown(deps, present, batch, rows === 0);
    if (present.lane === 'large' || held) await nextTurn();
    held = batch;
    rows += batch.count + batch.rejected.length;
  }
  if (rows === 0 && present.options.undoOf === undefined) return await end(deps, claim, noRows(present));
  const followed = isPlan(present.options) || withdrawsMissing(present.options);
  if (held) last = await apply(held, !followed);
  await followRows(deps, claim, last, signal);
}

/** Whether nothing of it is to be read: it was over before, or is out of date. Ends it then. */
async function isOverUnread(
  deps: ProcessingDependencies,
  claim: Claim,
  present: Submission,
  signal: AbortSignal,
): Promise<boolean> {
  const over = endedBefore(present);
  const read = () => batchesOf(deps, claim, present);
  const stale = over
    ? undefined
    : ((await staleness(deps, present)) ?? (await registeredMeanwhile(deps, present, read, signal)));
  if (over) await endEarly(deps, claim, signal, over.problem);
  else if (stale) await end(deps, claim, stale);
  return over !== undefined || stale !== undefined;
}

/** Whether nothing more is to be read: the submission has ended, or was to be cancelled and has by now. */
async function isOver(
  deps: ProcessingDependencies,
  claim: Claim,
  { state, cancelRequested }: Submission,
  signal: AbortSignal,
): Promise<boolean> {
  if (isFinal(state)) await announce(deps, claim);
  else if (cancelRequested) await endEarly(deps, claim, signal);
  return isFinal(state) || cancelRequested;
}

/** Before the last row of the file: none that is registered names one that will not be. */
async function endEarly(
  deps: ProcessingDependencies,
  claim: Claim,
  signal: AbortSignal,
  problem?: Problem,
): Promise<void> {
  const outcome = await forgetRest(deps, claim.submission.id, (batch) => applied(deps, claim, batch, false), signal);
  if (outcome === 'aborted') return await handBack(deps, claim);
  await end(deps, claim, problem);
}

/** What comes behind the rows of a file: samples that a standing sheet has no more, and relationships that waited. */
async function followRows(
  deps: ProcessingDependencies,
  claim: Claim,
  last: Submission,
  signal: AbortSignal,
): Promise<void> {
  if (await isOver(deps, claim, last, signal)) return;
  const { id, options } = claim.submission;
  const plans = isPlan(options);
  const step = (batch: LaidOutBatch, last: boolean) => applied(deps, claim, batch, last && plans);
  if (plans || withdrawsMissing(options)) {
    if (!plans && refusesAll(last)) return await end(deps, claim, changedSinceShown([], options));
    const outcome = await applyMissing(deps, id, step, signal);
    if (outcome === 'aborted') return await handBack(deps, claim);
    if (plans) return await announce(deps, claim);
  }
  if (!options.dryRun && options.undoOf === undefined) {
    const outcome = await completeOpen(deps, id, (batch) => applied(deps, claim, batch, false), signal);
    if (outcome === 'aborted') return await handBack(deps, claim);
    if (outcome === 'ended') return await announce(deps, claim);
  }
  const present = (await deps.store.find(id)) as Submission;
  await end(deps, claim, aboveCeiling(present));
}

/** What is all or nothing and has registered nothing for a refused row withdraws nothing either. */
const refusesAll = ({ options, counts }: Submission): boolean =>
  options.mode === 'atomic' && counts.rejected > 0 && counts.created + counts.updated === 0;

async function end(deps: ProcessingDependencies, claim: Claim, problem?: Problem): Promise<void> {
  const ended = await deps.store.finish(claim, problem);
  deps.events.ended?.(ended);
  await announce(deps, claim);
}

async function setBack(deps: ProcessingDependencies, claim: Claim, problem: Problem): Promise<void> {
  const cause = FROM_OUTSIDE.includes(problem.code) ? 'outside' : 'itself';
  const after = await deps.store.setBack(claim, { cause, problem }, deps.rules);
  if (!isFinal(after.state)) return;
  deps.events.ended?.(after);
  await announce(deps, claim);
}

async function announce(deps: ProcessingDependencies, claim: Claim): Promise<void> {
  await deps.queue.announce(claim.submission.id).catch(() => {});
}

async function handBack(deps: ProcessingDependencies, claim: Claim): Promise<void> {
  await deps.store.release(claim);
}

/** Keeps the lease while a long survey or a slow store leaves the claim without chunks. */
function startHeartbeat(deps: ProcessingDependencies, claim: Claim): { stop(): void } {
  const beat = () => {
    deps.store.heartbeat(claim, { leaseMs: deps.leaseMs }).catch(() => {});
  };
  const timer = setInterval(beat, deps.leaseMs / 3);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
