/** What the processing of submissions needs, and whom it tells. */
import type { ChangeStore } from '../../registry/changes/change-store.js';
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { SampleStore } from '../../registry/samples/sample-store.js';
import type { SearchStore } from '../../registry/search/search-store.js';
import type { Blobs } from '../blobs.js';
import type { OpenRelationshipStore } from '../open-relationship-store.js';
import type { Queue } from '../queue.js';
import type { ReadTask, StoreQuestions } from '../reading/read-task.js';
import type { RowChecks } from '../reading/row-checks.js';
import type { StoredSource } from '../reading/stored-source.js';
import type { Submission } from '../submission.js';
import type { Claim, SubmissionStore } from '../submission-store.js';
import type { Workbooks } from '../uploads/workbook-table.js';
import type { AttemptRules } from './attempts.js';

/** Reads a stored file into batches, wherever it likes to do so. */
export type ReadFile = (source: StoredSource, task: ReadTask, ask: StoreQuestions) => AsyncIterable<LaidOutBatch>;

export interface ProcessingStore extends SubmissionStore, OpenRelationshipStore, ChangeStore {
  findOwners(ids: readonly number[]): Promise<Map<number, string>>;
  readVersions: SampleStore['readVersions'];
  findNamed: SearchStore['findNamed'];
  readSamples: SearchStore['readSamples'];
  readSamplesWithin: SearchStore['readSamplesWithin'];
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
