/** Follows a submission to its end for whoever watches it live. */
import { setTimeout as delay } from 'node:timers/promises';
import { isFinal, type Submission } from './submission.js';
import type { SubmissionStore } from './submission-store.js';

const LOOK_EVERY_MS = 500;

/** The submission now and after each change, up to its end or the signal. */
export async function* watchSubmission(
  store: SubmissionStore,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Submission> {
  let seen = '';
  while (!signal.aborted) {
    const submission = await store.find(id);
    if (!submission) return;
    const { state, phase, cursor, bytesRead, attempts, cancelRequested, updated } = submission;
    const present = [state, phase, cursor, bytesRead, attempts, cancelRequested, updated].join();
    if (present !== seen) {
      seen = present;
      yield submission;
    }
    if (isFinal(state)) return;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
