/** What every worker process has, whatever it works on. Loads next to nothing: the indexer needs none of what reads sheets. */
import type { WorkCounts } from '../observability/work-counts.js';

const ALIVE_EVERY_MS = 1000;

export interface WorkerParts {
  /** Hands back what is running; may be called twice. */
  close(): Promise<void>;
}

/**
 * Tells the process that forked this one, when there is one, that it lives: at once, for a program that has said nothing
 * yet counts as still being loaded and is given a minute.
 */
export function beat(host: NodeJS.Process, counts?: WorkCounts): { stop(): void } {
  const tell = () => {
    if (!host.connected) return;
    const work = counts?.drain();
    host.send?.({ alive: true, ...(work ? { work } : {}) });
  };
  tell();
  const timer = setInterval(tell, ALIVE_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
