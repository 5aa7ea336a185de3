/** Why a store applied nothing of a batch (submission-store.ts, applyBatch), where the worker goes about it in another way. */
import type { RejectedRow } from '../../registry/samples/sample-batch.js';

/** What its rows are made of has changed since it was read (`LaidOutBatch.mayBeReadAgain`). */
export class OutdatedBatch extends Error {}

/**
 * All or nothing was asked for, rows are refused, and nothing of the submission is registered yet. `rejected`: those that the store
 * refuses; `lines`: all of the batch that are refused.
 */
export class RefusedBatch extends Error {
  constructor(
    readonly rejected: readonly RejectedRow[],
    readonly lines: readonly number[],
  ) {
    super('Rows are refused, and all or nothing was asked for.');
  }
}
