import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from './failures.js';

export interface RetryPolicy {
  /** Pause before the second attempt, in milliseconds; it doubles from there. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** No new attempt begins later than this after the first one began. */
  giveUpAfterMs: number;
}

export const PATIENT: RetryPolicy = { firstPauseMs: 500, longestPauseMs: 30_000, giveUpAfterMs: 5 * 60_000 };

export interface Retry {
  /** 1 for the first repetition. */
  attempt: number;
  pauseMs: number;
  reason: UnavailableError;
}

/**
 * Calls `attempt` until it resolves or fails with anything but `UnavailableError`, with growing pauses, a quarter of
 * each left to chance so that many clients do not come back at once. A `Retry-After` of the service is obeyed.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  options: { onRetry?: ((retry: Retry) => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const began = performance.now();
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      const doubled = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (n - 1));
      const pauseMs = Math.max(error.retryAfterMs ?? 0, doubled * (0.75 + Math.random() * 0.25));
      if (performance.now() + pauseMs - began > policy.giveUpAfterMs) throw error;
      options.onRetry?.({ attempt: n, pauseMs, reason: error });
      await sleep(pauseMs, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}
