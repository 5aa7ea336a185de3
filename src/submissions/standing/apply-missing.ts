/** Behind the rows of a standing sheet: the samples that it has no more, and what comes of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { Queue } from '../queue.js';
import { isFinal, type Submission } from '../submission.js';
import type { BatchResult, SubmissionStore } from '../submission-store.js';
import { commitPlan } from '../uploads/follow-up.js';
import { type Applied, appliedOf, planMissing, withdrawMissing } from './missing-rows.js';

export interface MissingDependencies {
  store: SubmissionStore;
  queue: Queue;
  prefix: string;
  batchRows: number;
  /** Absent: the machine's clock. */
  now?: () => number;
}

/** Resolves when the submission has ended, or was left because the process stops. */
export async function applyMissing(
  deps: MissingDependencies,
  id: string,
  step: (batch: LaidOutBatch, last: boolean) => Promise<BatchResult>,
  signal: AbortSignal,
): Promise<'ended' | 'aborted'> {
  const { store, batchRows, now = Date.now } = deps;
  const present = (await store.find(id)) as Submission;
  const sum: Applied = { missing: 0, left: 0 };
  const plan = present.options.commitOf?.submissionId;
  const batches =
    plan === undefined
      ? planMissing(store, present, batchRows, () => sum)
      : withdrawMissing(store, present, plan, batchRows, () => sum);
  for await (const batch of batches) {
    if (signal.aborted) return 'aborted';
    const { standing } = batch;
    if (standing?.decision === 'COMMITTED') standing.commit = (await commitPlan({ ...deps, now }, present)).id;
    const { chunk, submission } = await step(batch, standing !== undefined);
    if (isFinal(submission.state)) break;
    const { missing, left } = appliedOf(chunk);
    sum.missing += missing;
    sum.left += left;
    await nextTurn();
  }
  return 'ended';
}
