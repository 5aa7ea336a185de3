/** Where runs keep their store: files in memory, where there are such, that are emptied for the next run. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from '../../src/store/sqlite/driver.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { SUM_FUNCTION, sumOf } from '../../src/store/sqlite/row-sum.js';
import type { Store } from '../../src/store/store.js';
import { Connections } from './connections.js';
import { PREFIX } from './processes.js';

const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
export const ACCOUNTS = ['lab-1', 'lab-2'];

export class Ground {
  readonly #folder = mkdtempSync(join(MEMORY, 'registry-simulation-'));
  readonly #store = join(this.#folder, 'run', 'store');
  readonly #connections = new Connections();
  #empty: (() => void)[] = [];
  #closing: (() => void)[] = [];

  static async make(): Promise<Ground> {
    const ground = new Ground();
    const empty = join(ground.#folder, 'empty');
    const store = await openSqliteStore(empty, { prefix: PREFIX, now: () => 0 });
    for (const account of ACCOUNTS) await store.createAccount(account, 0);
    await store.close();
    mkdirSync(join(ground.#folder, 'run'));
    for (const end of ['', '-search']) {
      copyFileSync(`${empty}${end}`, `${ground.#store}${end}`);
      ground.#emptyAs(`${empty}${end}`, `${ground.#store}${end}`);
    }
    return ground;
  }

  /** Path of an empty store; the one before is gone. */
  newStore(): string {
    this.#connections.recall();
    for (const empty of this.#empty) empty();
    return this.#store;
  }

  /** The store of a run as one more process opens it. */
  open(path: string, now: () => number): Promise<Store> {
    return openSqliteStore(path, { prefix: PREFIX, now, cacheKiB: 500, connect: this.#connections.connect });
  }

  close(): void {
    this.#connections.close();
    for (const close of this.#closing) close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Row by row, over a connection that nobody else has: files that are open cannot be replaced. */
  #emptyAs(empty: string, path: string): void {
    // The tables of the full-text search are written like all others.
    const connection = new Database(path).unsafeMode();
    connection.function(SUM_FUNCTION, { varargs: true, deterministic: true }, sumOf);
    connection.pragma('foreign_keys = OFF');
    connection.prepare('attach ? as empty').run(empty);
    const tables = connection
      .prepare("select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow')")
      .pluck()
      .all() as string[];
    const statements = tables
      .filter((name) => name !== 'sqlite_schema' && name !== 'sqlite_sequence')
      .concat(tables.filter((name) => name === 'sqlite_sequence'))
      .flatMap((name) => [`delete from main."${name}"`, `insert into main."${name}" select * from empty."${name}"`])
      .map((text) => connection.prepare(text));
    this.#empty.push(
      connection.transaction(() => {
        for (const statement of statements) statement.run();
      }),
    );
    this.#closing.push(() => connection.close());
  }
}
