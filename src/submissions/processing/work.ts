/** A worker's day: wake at a bell or by itself, claim from the store until nothing waits, process, and stop gracefully. */
import { hostname } from 'node:os';
import type { Consumer } from '../queue.js';
import type { Lane } from '../submission.js';
import type { Claim } from '../submission-store.js';
import { processSubmission } from './process-submission.js';
import type { ProcessingDependencies } from './processing.js';

export interface WorkerSettings {
  /** Unique among all workers alive. */
  name: string;
  /**
   * Processes in a fresh process of its own what may have ended workers; it never rejects. At most one at a time, beside
   * the others. Without it such a submission is processed here.
   */
  processAlone?(claim: Claim, signal: AbortSignal): Promise<void>;
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
  const beside = new Beside(deps, settings, stopping.signal);
  const lanes = (['small', 'large'] as const).map((lane) => startLane(deps, settings, lane, beside, stopping.signal));
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopping.abort();
      stopped ??= Promise.all([beside.ended(), ...lanes.map((lane) => lane.stop())]).then(() => {});
      return stopped;
    },
  };
}

function startLane(
  deps: ProcessingDependencies,
  settings: WorkerSettings,
  lane: Lane,
  beside: Beside,
  signal: AbortSignal,
): Consumer {
  const running = new Set<Promise<void>>();
  let rungMeanwhile = false;
  const clearLane = async (): Promise<void> => {
    do {
      rungMeanwhile = false;
      while (!signal.aborted && (await workOne(deps, settings, lane, beside, signal)));
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
  const polling = poll(settings, wake);
  return {
    stop: async () => {
      clearInterval(polling);
      await consumer.stop();
      await Promise.allSettled(running);
    },
  };
}

/** True when there was one to do. */
async function workOne(
  deps: ProcessingDependencies,
  { name }: WorkerSettings,
  lane: Lane,
  beside: Beside,
  signal: AbortSignal,
): Promise<boolean> {
  const claim = await deps.store.claimNext({
    lane,
    worker: name,
    leaseMs: deps.leaseMs,
    skipAlone: beside.busy,
    onTakenOver: deps.events.takenOver,
    ...deps.rules,
  });
  if (!claim) return false;
  if (!claim.alone || !beside.take(claim)) await processSubmission(deps, claim, signal);
  return true;
}

/** The one submission that is processed alone, in a process beside this one, and holds up no lane meanwhile. */
class Beside {
  #running: Promise<void> | undefined;

  constructor(
    private readonly deps: ProcessingDependencies,
    private readonly settings: WorkerSettings,
    private readonly signal: AbortSignal,
  ) {}

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** False when this worker never has a process beside it. A claim that came second is handed back. */
  take(claim: Claim): boolean {
    const { processAlone } = this.settings;
    if (!processAlone) return false;
    if (this.#running) {
      void this.deps.store.release(claim).catch(() => {});
      return true;
    }
    this.#running = processAlone(claim, this.signal).finally(() => {
      this.#running = undefined;
    });
    return true;
  }

  async ended(): Promise<void> {
    await this.#running;
  }
}

/**
 * Bells may be lost with their carrier, and nobody rings for a lease that ran out: every worker looks by itself. The
 * store being away is no news here; the next look tries again.
 */
function poll(settings: WorkerSettings, look: () => Promise<void>): NodeJS.Timeout {
  const polling = setInterval(() => void look().catch(() => {}), settings.lookEveryMs);
  look().catch(() => {});
  return polling;
}
