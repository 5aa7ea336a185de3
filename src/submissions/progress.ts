/** Follows a submission to its end for whoever watches it live. */
import { isFinal, type Submission } from './submission.js';

/** A small file is over in a moment, and its reader waits for that: the first looks come soon. */
const LOOKS_MS = [0, 40, 60, 100, 150, 250];
const LOOK_EVERY_MS = 500;

/** The submission as a look finds it that begins within so many milliseconds; all who watch it share that look. */
export type NextLook = (id: string, withinMs: number, signal: AbortSignal) => Promise<Submission | undefined>;

/** The submission now and after each change, up to its end or the signal. */
export async function* watchSubmission(look: NextLook, id: string, signal: AbortSignal): AsyncGenerator<Submission> {
  let seen = '';
  for (let looks = 0; ; looks++) {
    const submission = await look(id, LOOKS_MS[looks] ?? LOOK_EVERY_MS, signal);
    if (!submission || signal.aborted) return;
    const { state, phase, cursor, bytesRead, attempts, cancelRequested, updated } = submission;
    const present = [state, phase, cursor, bytesRead, attempts, cancelRequested, updated].join();
    if (present !== seen) {
      seen = present;
      yield submission;
    }
    if (isFinal(state)) return;
  }
}
