import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses between looks: short at first, for small files, then at ease. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Looks until it has ended. Lost connections are the business of `look`: each look stands alone, so that
 * a wait of hours outlives any of them.
 */
export async function waitUntil<T>(
  look: () => Promise<T>,
  hasEnded: (seen: T) => boolean,
  options: { onProgress?: ((seen: T) => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const seen = await look();
    options.onProgress?.(seen);
    if (hasEnded(seen)) return seen;
    await sleep(pauseMs, undefined, options.signal ? { signal: options.signal } : {});
  }
}
