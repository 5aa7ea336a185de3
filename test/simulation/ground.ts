/** Where runs keep their store: files in memory, where there are such, and an empty store to copy. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { PREFIX } from './processes.js';

const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
export const ACCOUNTS = ['lab-1', 'lab-2'];

export class Ground {
  readonly #folder = mkdtempSync(join(MEMORY, 'registry-simulation-'));

  static async make(): Promise<Ground> {
    const ground = new Ground();
    const store = await openSqliteStore(join(ground.#folder, 'empty'), { prefix: PREFIX, now: () => 0 });
    for (const account of ACCOUNTS) await store.createAccount(account, 0);
    await store.close();
    return ground;
  }

  /** Path of an empty store; the one before is gone. */
  newStore(): string {
    const folder = join(this.#folder, 'run');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const end of ['', '-search']) copyFileSync(join(this.#folder, `empty${end}`), join(folder, `store${end}`));
    return join(folder, 'store');
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
