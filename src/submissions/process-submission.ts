/**
 * The story of one claimed submission: read, map, decide and apply in chunks, finish. The store refuses every write of
 * a claim that is no longer current, so this may die at any point and be done again by another worker.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LaidOutBatch } from '../registry/sample-batch.js';
import type { SampleStore } from '../registry/sample-store.js';
import type { SearchStore } from '../registry/search-store.js';
import { applyMissing } from './apply-missing.js';
import type { AttemptRules } from './attempts.js';
import { storedForEdit } from './batch-edit/stored.js';
import type { Blobs } from './blobs.js';
import { aboveCeiling } from './ceiling.js';
import { completeOpen, completesOpen } from './complete-open.js';
import { holdBack } from './finish-batch.js';
import { warnOfKnownNames } from './known-names.js';
import { indexLedger } from './line-index.js';
import type { OpenRelationshipStore } from './open-relationship-store.js';
import { fillKnownTargets } from './open-targets.js';
import { indexPreview } from './preview.js';
import { asProblem, isLost, noRows, unexpected } from './problems.js';
import type { Queue } from './queue.js';
import { readSubmission } from './read-submission.js';
import { NEVER_GIVEN, type ReadTask, type StoreQuestions } from './read-task.js';
import type { RowChecks } from './row-checks.js';
import { staleness } from './staleness.js';
import { isPlan, withdrawsMissing } from './standing.js';
import { openSource, type StoredSource, sourceOf } from './stored-source.js';
import { isFinal, type Problem, type Submission } from './submission.js';
import type { BatchResult, Claim, SubmissionStore } from './submission-store.js';
import { readUndo } from './undo.js';
import { ensureTable, type Workbooks } from './workbook-table.js';

/** Reads a stored file into batches, wherever it likes to do so. */
export type ReadFile = (source: StoredSource, task: ReadTask, ask: StoreQuestions) => AsyncIterable<LaidOutBatch>;

export interface ProcessingStore extends SubmissionStore, OpenRelationshipStore {
  findOwners(ids: readonly number[]): Promise<Map<number, string>>;
  readSample: SampleStore['readSample'];
  readVersion: SampleStore['readVersion'];
  findNamed: SearchStore['findNamed'];
  readSamples: SearchStore['readSamples'];
}

export interface ProcessingEvents {
  /** One batch committed: rows it accounted for and milliseconds in the store. */
  applied?(submission: Submission, rows: number, ms: number): void;
  ended?(submission: Submission): void;
  /** Another worker has taken over; nothing was written. */
  claimLost?(claim: Claim): void;
  /** This worker found the submission left by one that was lost. */
  takenOver?(submissionId: string): void;
  /** An attempt failed for a reason outside the file. `id` is quoted in the problem. */
  failed?(claim: Claim, error: unknown, id: string): void;
}

export interface ProcessingDependencies {
  store: ProcessingStore;
  queue: Queue;
  blobs: Blobs;
  /** For files that are worth a thread of their own; without it they too are read between the writes. */
  readApart?: ReadFile;
  rowChecks?: RowChecks;
  workbooks?: Workbooks;
  prefix: string;
  batchRows: number;
  leaseMs: number;
  /** Absent: the machine's clock. */
  now?: () => number;
  rules: AttemptRules;
  events: ProcessingEvents;
}

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
    await readAndApply(deps, claim, signal);
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

async function readAndApply(deps: ProcessingDependencies, claim: Claim, signal: AbortSignal): Promise<void> {
  const present = (await deps.store.find(claim.submission.id)) ?? claim.submission;
  const stale = await staleness(deps, present);
  if (stale) return await end(deps, claim, stale);
  let held: LaidOutBatch | undefined;
  let last = present;
  let rows = present.counts.rows;
  for await (const batch of await batchesOf(deps, claim, present)) {
    if (signal.aborted) return await handBack(deps, claim);
    if (held) last = await apply(deps, claim, held, false);
    if (isFinal(last.state)) return await announce(deps, claim);
    const tooMany = aboveCeiling(last, batch);
    if (tooMany) {
      holdBack(batch, 'tooMany');
      await apply(deps, claim, batch, false);
      return await end(deps, claim, tooMany);
    }
    if (batch.open) await fillKnownTargets(deps.store, batch, { account: present.account, prefix: deps.prefix });
    if (present.lane === 'small') await warn(deps, present, batch);
    if (present.lane === 'large' || held) await nextTurn();
    held = batch;
    rows += batch.count + batch.rejected.length;
  }
  if (rows === 0 && present.options.undoOf === undefined) return await end(deps, claim, noRows(present));
  if (
    isPlan(present.options) ||
    withdrawsMissing(present.options) ||
    (await completesOpen(deps.store, present, held))
  ) {
    if (held && isFinal((await apply(deps, claim, held, false)).state)) return await announce(deps, claim);
    return await followRows(deps, claim, signal);
  }
  if (!held) return await end(deps, claim, aboveCeiling(last));
  await apply(deps, claim, held, true);
  await announce(deps, claim);
}

/** What comes behind the rows of a file: samples that a standing sheet has no more, and relationships that waited. */
async function followRows(deps: ProcessingDependencies, claim: Claim, signal: AbortSignal): Promise<void> {
  const { id, options } = claim.submission;
  const plans = isPlan(options);
  const step = (batch: LaidOutBatch, last: boolean) => applied(deps, claim, batch, last && plans);
  if (plans || withdrawsMissing(options)) {
    const outcome = await applyMissing(deps, id, step, signal);
    if (outcome === 'aborted') return await handBack(deps, claim);
    if (plans) return await announce(deps, claim);
  }
  const outcome = await completeOpen(deps, id, (batch) => applied(deps, claim, batch, false), signal);
  if (outcome === 'aborted') return await handBack(deps, claim);
  if (outcome === 'ended') return await announce(deps, claim);
  const present = (await deps.store.find(id)) as Submission;
  await end(deps, claim, aboveCeiling(present));
}

/** A hint is not worth a failure: without the index there is none. Where rows have keys, these say which samples are meant. */
async function warn(deps: ProcessingDependencies, { account }: Submission, batch: LaidOutBatch): Promise<void> {
  if (batch.keys) return;
  await warnOfKnownNames(deps.store, batch, { account, prefix: deps.prefix }).catch(() => {});
}

/** What is to be applied: the rows of the file, or the way back from another submission. */
async function batchesOf(
  deps: ProcessingDependencies,
  claim: Claim,
  present: Submission,
): Promise<AsyncIterable<LaidOutBatch>> {
  const { options, cursor, lane } = present;
  if (options.undoOf !== undefined) {
    const undone = await deps.store.find(options.undoOf);
    const extent = { bytes: sourceOf(present).size, lines: undone?.cursor ?? 0, keyed: options.key !== undefined };
    return readUndo(deps, options.undoOf, cursor, extent);
  }
  await ensureTable(deps, present);
  const ask: StoreQuestions = {
    ownersOf: (ids) => deps.store.findOwners(ids),
    knownKeys: (keys, samples) => deps.store.knownKeys(present, keys, samples),
    openRelationships: () => deps.store.countOpenRelationships(present),
    storedForEdit: (ids) => storedForEdit(deps.store, ids),
    reserve: (count) => (options.dryRun ? Promise.resolve(NEVER_GIVEN) : deps.store.reserve(claim, count)),
  };
  const read: ReadFile = (lane === 'large' && deps.readApart) || readHere(deps);
  return read(sourceOf(present), await readTask(deps, present), ask);
}

async function apply(
  deps: ProcessingDependencies,
  claim: Claim,
  batch: LaidOutBatch,
  last: boolean,
): Promise<Submission> {
  return (await applied(deps, claim, batch, last)).submission;
}

async function applied(
  deps: ProcessingDependencies,
  claim: Claim,
  batch: LaidOutBatch,
  last: boolean,
): Promise<BatchResult> {
  const begun = performance.now();
  const result = await deps.store.applyBatch(claim, batch, { leaseMs: deps.leaseMs, last });
  const { submission } = result;
  deps.events.applied?.(submission, batch.count + batch.rejected.length, performance.now() - begun);
  if (isFinal(submission.state)) deps.events.ended?.(submission);
  return result;
}

const readHere =
  (deps: ProcessingDependencies): ReadFile =>
  (source, task, ask) =>
    readSubmission((range) => openSource(deps.blobs, source, range), task, ask, deps.rowChecks);

async function readTask(deps: ProcessingDependencies, submission: Submission): Promise<ReadTask> {
  const { options, account, admin, cursor, earlierUpload } = submission;
  return {
    fileSize: sourceOf(submission).size,
    options,
    account,
    admin,
    cursor,
    prefix: deps.prefix,
    batchRows: deps.batchRows,
    ...(options.commitOf ? { preview: await indexPreview(deps.store.ledger(options.commitOf.submissionId)) } : {}),
    ...(goesOnWithKeys(submission) ? { recorded: await indexLedger(deps.store.ledger(submission.id)) } : {}),
    ...(earlierUpload === undefined ? {} : { earlier: await indexLedger(deps.store.ledger(earlierUpload)) }),
  };
}

/** A dry run gives no keys, so that asking again gives the same answers. */
const goesOnWithKeys = ({ options, cursor }: Submission): boolean =>
  options.key !== undefined && !options.dryRun && cursor > 0;

async function end(deps: ProcessingDependencies, claim: Claim, problem?: Problem): Promise<void> {
  const ended = await deps.store.finish(claim, problem);
  deps.events.ended?.(ended);
  await announce(deps, claim);
}

/** Codes of what passes when somebody else has seen to it. */
const FROM_OUTSIDE = ['storage.full', 'service.unavailable'];

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
