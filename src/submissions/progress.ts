/** Follows a submission to its end for whoever watches it live. */
import { setTimeout as delay } from 'node:timers/promises';
import { isFinal, type Submission } from './submission.js';
import type { SubmissionStore } from './submission-store.js';

/** A small file is over in a moment, and its reader waits for that: the first looks come soon. */
const FIRST_LOOKS_MS = [40, 60, 100, 150, 250];
const LOOK_EVERY_MS = 500;

/** The submission now and after each change, up to its end or the signal. */
export async function* watchSubmission(
  store: SubmissionStore,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Submission> {
  let seen = '';
  for (let looks = 0; !signal.aborted; looks++) {
    const submission = await store.find(id);
    if (!submission) return;
    const { state, phase, cursor, bytesRead, attempts, cancelRequested, updated } = submission;
    const present = [state, phase, cursor, bytesRead, attempts, cancelRequested, updated].join();
    if (present !== seen) {
      seen = present;
      yield submission;
    }
    if (isFinal(state)) return;
    await delay(FIRST_LOOKS_MS[looks] ?? LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
