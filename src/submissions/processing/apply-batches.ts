/** Batches of one submission → the store, and what those who watch hear of it. */
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import { isFinal, type Submission } from '../submission.js';
import type { BatchResult, Claim } from '../submission-store.js';
import { holdBack } from './finish-batch.js';
import type { ProcessingDependencies } from './processing.js';
import { RefusedBatch } from './unapplied-batch.js';

/**
 * Applies the batches of a file one after the other. Of one that is all or nothing, what the store refuses before anything
 * is registered holds back the rest.
 * @throws RefusedBatch of a commit: it does what was shown, or nothing
 */
export function applyingAll(
  deps: ProcessingDependencies,
  claim: Claim,
): (batch: LaidOutBatch, last: boolean, next?: LaidOutBatch) => Promise<Submission> {
  let refusing = false;
  return async (batch, last, next) => {
    if (refusing) holdBack(batch, 'allOrNothing');
    try {
      return (await applied(deps, claim, batch, last, next)).submission;
    } catch (error) {
      if (!(error instanceof RefusedBatch) || claim.submission.options.commitOf) throw error;
      refusing = true;
      holdBack(batch, 'allOrNothing', error.rejected);
      return (await applied(deps, claim, batch, last)).submission;
    }
  };
}

export async function applied(
  deps: ProcessingDependencies,
  claim: Claim,
  batch: LaidOutBatch,
  last: boolean,
  next?: LaidOutBatch,
): Promise<BatchResult> {
  const begun = performance.now();
  const options = { leaseMs: deps.leaseMs, last, ...(next ? { next } : {}) };
  const result = await deps.store.applyBatch(claim, batch, options);
  const { submission } = result;
  deps.events.applied?.(submission, batch.count + batch.rejected.length, performance.now() - begun);
  if (isFinal(submission.state)) deps.events.ended?.(submission);
  return result;
}
