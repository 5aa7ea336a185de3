/**
 * Courtesy between processes. An ingest worker commits chunk after chunk and holds the write lock nearly always, so a
 * request that polls for the lock would find it free by luck only. Whoever waits touches a file beside the store;
 * a bulk writer looks at it between chunks (about 2 µs) and pauses for a moment when it is fresh.
 * Nothing depends on it but the length of the wait.
 */
import { closeSync, futimesSync, openSync, statSync } from 'node:fs';

/** A request asks again every millisecond or so while it waits. */
const FRESH_MS = 20;

export class WriteTurn {
  private readonly path: string;

  constructor(storePath: string) {
    this.path = `${storePath}-turn`;
  }

  ask(): void {
    try {
      const file = openSync(this.path, 'a');
      try {
        const now = new Date();
        futimesSync(file, now, now);
      } finally {
        closeSync(file);
      }
    } catch {
      // A folder that takes no file (full, read-only) leaves the writers to luck.
    }
  }

  isAsked(): boolean {
    const asked = statSync(this.path, { throwIfNoEntry: false });
    return asked !== undefined && Math.abs(Date.now() - asked.mtimeMs) < FRESH_MS;
  }
}
