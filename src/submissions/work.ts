/** A worker's day: wake at a bell or by itself, claim from the store until nothing waits, process, and stop gracefully. */
import { hostname } from 'node:os';
import { type ProcessingDependencies, processSubmission } from './process-submission.js';
import type { Consumer } from './queue.js';
import type { Lane } from './submission.js';

export interface WorkerSettings {
  /** Unique among all workers alive. */
  name: string;
  maxAttempts: number;
  /** Submissions of each lane at once. */
  concurrency: Record<Lane, number>;
  /** A lost bell costs at most this long, milliseconds. */
  lookEveryMs: number;
}

export const workerName = (): string => `${hostname()}:${process.pid}:${Date.now().toString(36)}`;

export interface Worker {
  /** Finishes or hands back the running chunks; resolves when nothing runs. May be called twice. */
  stop(): Promise<void>;
}

export function startWorker(deps: ProcessingDependencies, settings: WorkerSettings): Worker {
  const stopping = new AbortController();
  const lanes = (['small', 'large'] as const).map((lane) => startLane(deps, settings, lane, stopping.signal));
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopping.abort();
      stopped ??= Promise.all(lanes.map((lane) => lane.stop())).then(() => {});
      return stopped;
    },
  };
}

function startLane(deps: ProcessingDependencies, settings: WorkerSettings, lane: Lane, signal: AbortSignal): Consumer {
  const running = new Set<Promise<void>>();
  let rungMeanwhile = false;
  const clearLane = async (): Promise<void> => {
    do {
      rungMeanwhile = false;
      while (!signal.aborted && (await workOne(deps, settings, lane, signal)));
    } while (rungMeanwhile && !signal.aborted);
  };
  const wake = (): Promise<void> => {
    if (running.size >= settings.concurrency[lane]) {
      rungMeanwhile = true;
      return Promise.resolve();
    }
    const turn = clearLane().finally(() => running.delete(turn));
    running.add(turn);
    return turn;
  };
  const consumer = deps.queue.consume(lane, settings.concurrency[lane], wake);
  const looker = rescue(settings, wake);
  return {
    stop: async () => {
      clearInterval(looker);
      await consumer.stop();
      await Promise.allSettled(running);
    },
  };
}

/** True when there was one to do. */
async function workOne(
  deps: ProcessingDependencies,
  { name, maxAttempts }: WorkerSettings,
  lane: Lane,
  signal: AbortSignal,
): Promise<boolean> {
  const claim = await deps.store.claimNext({ lane, worker: name, leaseMs: deps.leaseMs, maxAttempts });
  if (!claim) return false;
  await processSubmission(deps, claim, signal);
  return true;
}

/**
 * Bells may be lost with their carrier, and nobody rings for a lease that ran out: every worker looks by itself. The
 * store being away is no news here; the next look tries again.
 */
function rescue(settings: WorkerSettings, look: () => Promise<void>): NodeJS.Timeout {
  const looker = setInterval(() => void look().catch(() => {}), settings.lookEveryMs);
  look().catch(() => {});
  return looker;
}
