import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, type SubmissionDocument } from './documents.js';

/** Pauses between looks: short at first, for small files, then at ease. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Looks until the submission has ended. Lost connections are the business of `look`: each look stands alone, so that
 * a wait of hours outlives any of them.
 */
export async function waitForEnd(
  look: () => Promise<SubmissionDocument>,
  options: {
    onProgress?: ((submission: SubmissionDocument) => void) | undefined;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<SubmissionDocument> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const submission = await look();
    options.onProgress?.(submission);
    if (hasEnded(submission.submissionStatus)) return submission;
    await sleep(pauseMs, undefined, options.signal ? { signal: options.signal } : {});
  }
}
