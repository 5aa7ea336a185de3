/** WIRING of the processes that the service keeps running: the ingest workers of this machine, and the indexer behind them. */
import { fileURLToPath } from 'node:url';
import { attemptRules, type Config } from '../config.js';
import type { WorkerFigures } from '../observability/gauges.js';
import type { Logger } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { EmbeddedQueue } from '../queue/embedded.js';
import type { Store } from '../store/store.js';
import type { Blobs } from '../submissions/blobs.js';
import type { Queue } from '../submissions/queue.js';
import { type Supervisor, superviseWorkers } from './supervise-workers.js';

export interface WorkingParts {
  config: Config;
  log: Logger;
  store: Store;
  blobs: Blobs;
  queue: Queue;
  metrics: Metrics;
}

export interface Working {
  programs(): WorkerFigures[];
  /** Resolves when nothing runs any more; what has not ended by then is killed. */
  stop(graceMs: number): Promise<void>;
}

/** None where the settings say that workers run by themselves. */
export function startWorkerProcesses(parts: WorkingParts): Working {
  const running = parts.config.WORKERS > 0 ? Object.entries(supervisors(parts)) : [];
  return {
    programs: () => running.map(([program, { wanted, pids }]) => ({ program, wanted, running: pids().length })),
    stop: async (graceMs) => {
      await Promise.all(running.map(([, supervisor]) => supervisor.stop(graceMs)));
    },
  };
}

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

function supervisors({ config, log, store, queue, metrics }: WorkingParts): Record<'ingest' | 'indexer', Supervisor> {
  // A worker beats once a second; on a busy machine a beat may be late by several, and a frozen one must be gone in 10 s.
  const silenceMs = Math.max(7_000, config.LEASE_SECONDS * 1000);
  const common = { silenceMs, env: process.env, log };
  return {
    ingest: superviseWorkers({
      ...common,
      entry: beside('../../workers/ingest.js'),
      // A batch lives for milliseconds, but its text is freed by a whole collection only. Measured at 1 000 000 rows, peak of all
      // processes, and time of 500 000: spaces of 4 MiB, collected by four threads, 286 MiB and 2.17 s; by one, 1.93 s; of 8 MiB by
      // one 315 MiB and 1.73 s; of 16 MiB 353 MiB and 1.79 s. Four threads on two processors wait for each other.
      execArgv: [
        '--max-semi-space-size=8',
        '--heap-growing-percent=60',
        '--v8-pool-size=1',
        '--no-allocation-site-pretenuring',
      ],
      count: config.WORKERS,
      queue: queue instanceof EmbeddedQueue ? queue : undefined,
      releaseWorker: async (name) => metrics.takenOver(await store.releaseWorker(name, attemptRules(config))),
      onDeath: () => metrics.workerDied('ingest'),
      onWork: (report) => metrics.workDone(report),
    }),
    indexer: superviseWorkers({
      ...common,
      entry: beside('../../workers/indexer.js'),
      onDeath: () => metrics.workerDied('indexer'),
      count: 1,
      // It works in small steps for hours; left alone the engine would let garbage grow to 170 MB. Four threads that collect spaces of
      // 1 MiB took a third of its time.
      execArgv: [
        '--max-semi-space-size=4',
        '--max-old-space-size=64',
        '--heap-growing-percent=40',
        '--v8-pool-size=1',
        '--no-allocation-site-pretenuring',
      ],
      // Nobody waits for it, and what ends it once may well end it again.
      restartAfterMs: [0, 250, 1000, 5000, 15_000, 60_000],
    }),
  };
}
