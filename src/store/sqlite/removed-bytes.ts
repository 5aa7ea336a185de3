/** What is left in a SQLite file, and in its log, of what was removed from it: bytes of rows until their place is used again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { storeIsBusy } from '../failures.js';
import type Database from './driver.js';
import { isBusy, translate } from './failures.js';

const LOOK_AGAIN_MS = 50;

export class RemovedBytes {
  /** `patienceMs`: how long others are waited for. */
  constructor(
    private readonly connection: Pick<Database.Database, 'pragma' | 'exec' | 'inTransaction'>,
    private readonly patienceMs: number,
  ) {}

  /**
   * While `work` writes, what it removes is overwritten in the file; afterwards the log is emptied, which has it as well.
   * @throws RegistryError service.unavailable where others read what is in the log for longer than a write waits: `work` is done then
   */
  async overwritten<T>(work: () => Promise<T>): Promise<T> {
    this.connection.pragma('secure_delete = ON');
    try {
      const result = await work();
      await this.emptyLog();
      return result;
    } finally {
      this.connection.pragma('secure_delete = OFF');
    }
  }

  /** Writes the whole file anew: its unused parts hold nothing then. It needs as much room again, and nobody writes meanwhile. */
  async vacuum(): Promise<void> {
    await this.betweenWrites(() => {
      this.connection.exec('vacuum');
      return true;
    });
    await this.emptyLog();
  }

  private emptyLog(): Promise<void> {
    return this.betweenWrites(() => {
      const [answer] = this.connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      return answer?.busy === 0;
    });
  }

  /** Until it is done and others are not in the way. @throws RegistryError service.unavailable, storage.full */
  private async betweenWrites(work: () => boolean): Promise<void> {
    for (const until = performance.now() + this.patienceMs; ; ) {
      try {
        if (!this.connection.inTransaction && work()) return;
      } catch (error) {
        if (!isBusy(error)) throw translate(error);
      }
      if (performance.now() > until) throw storeIsBusy();
      await sleep(LOOK_AGAIN_MS);
    }
  }
}
