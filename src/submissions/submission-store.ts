/**
 * PORT: what the submissions room asks of a store. The store is the truth; the queue only rings. Every method is one
 * unit of work, durable when its promise resolves. Every write of a worker names its claim and is refused with
 * `claim.lost` when another attempt has begun, the lease was taken over, or the submission has ended.
 * test/contract/submission-store.ts checks each promise on every adapter.
 */
import type { KnownKeys } from '../registry/samples/row-key.js';
import type { LaidOutBatch, RejectedRow, RowNote } from '../registry/samples/sample-batch.js';
import type { NewerUploads } from './newer-uploads.js';
import type { AttemptRules, Setback } from './processing/attempts.js';
import type { FollowUpKind, Lane, Problem, Submission, SubmissionPhase, SubmissionState } from './submission.js';
import type { SubmissionSearch } from './submission-search.js';

/** Proof that one worker owns a submission for now: the attempt number fences every write. */
export interface Claim {
  submission: Submission;
  attempt: number;
  worker: string;
  /** Workers have ended over it: it is to be processed in a fresh process of its own. */
  alone: boolean;
}

export type NewSubmission = Omit<
  Submission,
  | 'counts'
  | 'becomePublic'
  | 'createdPublic'
  | 'issues'
  | 'bytesRead'
  | 'cursor'
  | 'attempts'
  | 'worker'
  | 'leaseUntil'
  | 'setbacks'
  | 'cancelRequested'
  | 'reservedFrom'
  | 'standing'
>;

export interface ReplayRule {
  /** The Idempotency-Key of the request, scoped to the account. */
  key?: string;
  /** False when the file holds identifiers, or the caller allowed duplicates: the bytes alone then never answer an earlier submission. */
  sameBytes: boolean;
}

export type Acceptance =
  | { kind: 'accepted'; submission: Submission }
  /** The same key or the same bytes came before. */
  | { kind: 'replayed'; submission: Submission }
  /** The key came before with other bytes. */
  | { kind: 'key-reused'; submission: Submission }
  /** The same bytes came before with other options, and registered samples; not when `options.rereadOf` is set. */
  | { kind: 'other-options'; submission: Submission }
  /** Of a commit: the same bytes were registered, or are about to be, by another upload than its dry run knew. */
  | { kind: 'registered-since'; submission: Submission }
  /** By an undo that took some of the samples of these bytes back, and stopped. */
  | { kind: 'half-undone'; submission: Submission };

/** Rows at consecutive lines with consecutive accession numbers: line, number, how many. The number is 0 for all that have none, as in a dry run. */
export type LedgerRun = [line: number, id: number, count: number];

/** Consecutive lines: the first, how many. */
export type LineRun = [line: number, count: number];

/** Rows at consecutive lines whose samples had the same version: line, version, how many. */
export type VersionRun = [line: number, version: number, count: number];

/** What became of the lines `fromLine` to `toLine`; one row of the ledger. Rejected rows carry all their issues. */
export interface LedgerChunk {
  fromLine: number;
  toLine: number;
  created: LedgerRun[];
  updated: LedgerRun[];
  unchanged: LedgerRun[];
  rejected: RejectedRow[];
  /** Warnings of rows that were not rejected. */
  warnings?: RejectedRow[];
  /** What is counted of rows besides; absent for nothing. */
  notes?: RowNote[];
  /** Lines whose samples became public by their update, and whose new samples are public; absent for none. */
  becomePublic?: LineRun[];
  createdPublic?: LineRun[];
  /** Samples that the plan of a standing sheet found missing, or that its commit withdrew, at lines behind those of the file; absent for none. */
  missing?: LedgerRun[];
  /** Samples whose waiting relationships were completed, or that lost those to rows that the submission did not come to, at lines behind those of the file: those that others wrote before, and those that rows of the submission itself wrote; absent for none. */
  completed?: LedgerRun[];
  completedOwn?: LedgerRun[];
  /** Missing samples that a commit left alone, because they were changed since the plan; absent for none. */
  left?: number;
  /** Of a dry run: the version that the sample of each updated or unchanged row had. The version is that of all rows of a run. */
  seen?: VersionRun[];
}

export type ApplyOptions = { leaseMs: number; last: boolean; next?: LaidOutBatch };

export interface BatchResult {
  chunk: LedgerChunk;
  submission: Submission;
}

export interface ClaimRequest extends AttemptRules {
  lane: Lane;
  worker: string;
  leaseMs: number;
  /** Leaves those that are to be processed alone to others, or to later. */
  skipAlone?: boolean;
  /** Hears of each submission whose lease of another worker had run out, also of one that then ends or waits. */
  onTakenOver?: ((submissionId: string) => void) | undefined;
}

export interface SubmissionPage {
  submissions: Submission[];
  /** `before` of the next page; absent: this is the last one. */
  next?: string;
}

export interface SubmissionStore extends NewerUploads {
  /**
   * Inserts the submission, or answers the earlier one that this upload repeats; of any number of equal uploads at the same instant exactly
   * one is accepted. With the same bytes as an earlier one that registered samples but is not answered (identifiers in the file, or it was
   * cancelled or failed part-way), `earlierUpload` is set to the one that came furthest, the first of equals; it is chosen again when the
   * submission is first claimed. An answered one whose original was removed has the file of this upload from then on (store/replay.ts).
   */
  accept(draft: NewSubmission, rule: ReplayRule): Promise<Acceptance>;

  /** Whether a submission has this stored file as its original, or will have. */
  hasOriginal(file: Pick<Submission, 'account' | 'sha256' | 'blobKey'>): Promise<boolean>;

  find(id: string): Promise<Submission | undefined>;

  /** Ids of the uploads whose ledgers say, the first that knows a line, which samples the rows without identifier mean; none without an earlier upload. Rule: store/replay.ts. */
  earlierUploads(submission: Pick<Submission, 'id'>): Promise<string[]>;

  /** The undo that took back some of the samples which those lines say, and stopped before its end: what the rows mean is withdrawn in part. */
  findStoppedUndo(submission: Pick<Submission, 'id'>): Promise<Submission | undefined>;

  /** Whether a submission of this account came with the Idempotency-Key. */
  knowsKey(account: string, key: string): Promise<boolean>;

  /** Newest first; of one account, or of all. `before` is the id of the last one seen. */
  list(query: { account?: string; size: number; before?: string }): Promise<Submission[]>;

  /** Newest first, those that the filter wants; a page looks at a bounded number of submissions, so it may hold fewer than `size`, even none, and still have a next one. */
  searchSubmissions(search: SubmissionSearch): Promise<SubmissionPage>;

  /** @throws RegistryError submission.outcomes-gone when its ledger was removed as the settings for keeping say */
  requireLedger(id: string): Promise<void>;

  /** By the ids of these: that of the undo, or commit, of each that runs or has ended well. */
  findFollowUps(submissions: readonly Submission[], kind: FollowUpKind): Promise<ReadonlyMap<string, string>>;

  /** Whether a worker has a submission of the lane at this moment. */
  isWorkedOn(lane: Lane): Promise<boolean>;

  /** How many submissions of its lane wait before this one; undefined unless it is queued. */
  queuePosition(id: string): Promise<number | undefined>;

  /**
   * Claims the next waiting submission of the lane, or one whose lease has run out; undefined when there is none.
   * Accounts take turns: the account served longest ago comes first, within it the oldest submission. One whose earlier upload
   * is still ACTIVE is not yet claimable, nor one of a key space while an earlier one of it is ACTIVE that writes or plans a standing sheet (a plan's commit by itself comes right behind its plan), nor one whose next try is still to come. A lease that ran out is a setback
   * from outside, recorded before the submission is claimed again.
   */
  claimNext(request: ClaimRequest): Promise<Claim | undefined>;

  /** Extends the lease and records phase and bytes read. Resolves to the submission, so the worker sees a cancel request. */
  heartbeat(
    claim: Claim,
    progress: { phase?: SubmissionPhase; bytesRead?: number; leaseMs: number },
  ): Promise<Submission>;

  /**
   * The ingest transaction: refuses a stale claim; decides each row (registry/samples/decide.ts); writes samples, keeping old
   * versions; writes the ledger chunk, the counts, the issues and the cursor. A batch at or before the cursor is not
   * applied again: its recorded chunk is answered. With `last`, the submission ends in the same transaction,
   * but for one that may complete relationships while any of its account wait: whoever opens one afterwards finds what it wrote. When a
   * cancel was requested, nothing is applied but a batch that `endsEarly`: the submission ends as CANCELLED, unless its rows may name
   * rows that it has not come to, which its worker is to take back first, and an empty chunk is answered. Of a dry run everything is
   * decided and recorded in the ledger, and no sample is written. `next`, where it is there by now, may be prepared meanwhile.
   * @throws OutdatedBatch, RefusedBatch (unapplied-batch.ts): nothing of the batch was applied or recorded
   */
  applyBatch(claim: Claim, batch: LaidOutBatch, options: ApplyOptions): Promise<BatchResult>;

  /** Fixes `count` accession numbers for this submission, the same ones each time it is asked; resolves to the first. */
  reserve(claim: Claim, count: number): Promise<number>;

  /** What the key space of an upload with keys says of these keys and samples, as it is at this moment. */
  knownKeys(
    submission: Pick<Submission, 'account' | 'options'>,
    keys: readonly string[],
    samples: readonly number[],
  ): Promise<KnownKeys>;

  /** Keys of the upload's key space behind `after` in their order, `limit` at most, with the numbers of their samples. */
  keyedSamples(
    submission: Pick<Submission, 'account' | 'options'>,
    after: string | undefined,
    limit: number,
  ): Promise<{ key: string; sample: number }[]>;

  /** Of these samples those that no status holds back, in ascending order. */
  unheldSamples(ids: readonly number[]): Promise<number[]>;

  /** Ends the submission: with a problem as FAILED, else as its counts and its cancel request call for. */
  finish(claim: Claim, problem?: Problem): Promise<Submission>;

  /** Hands the submission back untouched, at its cursor, for any worker; does not count as an attempt. */
  release(claim: Claim): Promise<void>;

  /**
   * Gives the claim up after a setback and records it: the submission waits for its next try, or FAILS when there is
   * none (afterSetback), or ends as CANCELLED when that was asked for. Progress forgets all setbacks.
   */
  setBack(claim: Claim, setback: Setback, rules: AttemptRules): Promise<Submission>;

  /** Frees every claim of a worker that is known to be dead, each with a setback from outside; resolves to how many. */
  releaseWorker(worker: string, rules: AttemptRules): Promise<number>;

  /**
   * Ends a waiting submission as CANCELLED, asks a running one to stop at its next chunk, or, where its rows may name rows that it has
   * not come to, a worker to end it; final ones stay.
   */
  cancel(id: string): Promise<Submission | undefined>;

  /** A FAILED submission with a retryable problem waits again, from its cursor; others stay. */
  retry(id: string): Promise<Submission | undefined>;

  /** Records a submission that is over before it began: a file that cannot be understood. */
  acceptFailed(draft: NewSubmission, problem: Problem): Promise<Submission>;

  /** The ledger in order of lines, from the chunk that holds `fromLine` on; read in pages, never held whole. */
  ledger(id: string, fromLine?: number): AsyncIterable<LedgerChunk>;

  /** Of the samples with these numbers, those last written by anything but an upload of this one's account and bytes. */
  findRewritten(id: string, first: number, count: number): Promise<number[]>;

  /** Submissions of a lane that a worker could claim at this moment; for ringing bells that were lost. */
  countClaimable(lane: Lane): Promise<number>;

  /** How many submissions are in each state, and for how many milliseconds the oldest waiting one has waited; for operators. */
  stats(): Promise<{
    states: Record<SubmissionState, number>;
    waiting: number;
    running: number;
    oldestWaiting?: number;
  }>;
}
