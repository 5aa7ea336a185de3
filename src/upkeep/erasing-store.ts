/** PORT: what erasing samples for good asks of a store. test/contract/erasing-store.ts checks each promise on every adapter. */
import type { IssueGroup, Problem, UploadOptions } from '../submissions/submission.js';
import type { LedgerChunk } from '../submissions/submission-store.js';

/** What was erased of a sample. */
export interface ErasedSample {
  /** That said something. */
  versions: number;
  curations: number;
  tables: number;
}

/** What a submission says of its rows, beside its ledger. */
export interface SaidOfRows {
  issues: IssueGroup[];
  problem?: Problem;
  options: UploadOptions;
}

/** How the outcomes of a submission are written anew. */
export interface Rewriting {
  /** Undefined for a chunk that stays as it is. */
  chunk(chunk: LedgerChunk): LedgerChunk | undefined;
  submission(said: SaidOfRows): SaidOfRows;
}

export interface ErasingStore {
  /**
   * Erases samples, each with all that its versions said, what is attached to it, and what the index keeps of it. Its last version says that
   * it was erased; its keys stay. Erasing one again does no harm. In the order of `ids`, undefined for those that there are not.
   * @throws RegistryError storage.damaged for a sample that cannot be read, service.unavailable; those before it are erased
   */
  eraseSamples(ids: readonly number[], author: string): Promise<(ErasedSample | undefined)[]>;
  /** Keys of a sample, in whatever key spaces. */
  keysOf(id: number): Promise<string[]>;
  forgetKeysOf(id: number): Promise<void>;
  /** Of a submission that has ended. */
  rewriteOutcomes(submissionId: string, rewriting: Rewriting): Promise<void>;
  /**
   * Writes the files of the database anew, so that unused parts of them hold nothing of what was removed. It needs as much room again, and
   * holds up writing meanwhile.
   */
  vacuum(): Promise<void>;
}
