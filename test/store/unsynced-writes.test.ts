/** Which commits of a SQLite store wait for the disk (docs/decisions/0152): asked of SQLite at each commit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import Database from '../../src/store/sqlite/driver.js';
import { openSqliteStore } from '../../src/store/sqlite/open.js';
import { claimNext, draft } from '../many-machines/store-samples.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-unsynced-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

/** A connection that notes before each commit of `path` whether it is synced. */
function noting(path: string, commits: boolean[]) {
  return (file: string, timeout: number): Database.Database => {
    const connection = new Database(file, { timeout });
    if (file !== path) return connection;
    const prepare = connection.prepare.bind(connection);
    connection.prepare = ((text: string) => {
      const statement = prepare(text);
      if (text !== 'commit') return statement;
      const run = statement.run.bind(statement);
      statement.run = (...values: unknown[]) => {
        if (connection.inTransaction) commits.push(connection.pragma('synchronous', { simple: true }) === 2);
        return run(...values);
      };
      return statement;
    }) as typeof connection.prepare;
    return connection;
  };
}

describe('a write', () => {
  const open = (): { database: SqliteDatabase; commits: boolean[] } => {
    const path = join(folder, `${++made}.db`);
    const commits: boolean[] = [];
    const database = new SqliteDatabase(path, { connect: noting(path, commits) });
    return { database, commits };
  };

  it('waits for the disk, but for an unsynced one', async () => {
    const { database, commits } = open();
    await database.write(() => undefined);
    await database.write(() => undefined, 'unsynced');
    await database.write(() => undefined, 'bulk');
    await database.write(() => undefined, 'unsynced');
    await database.write(() => undefined);
    expect(commits).toEqual([true, false, true, false, true]);
    database.close();
  });

  it.each([
    ['in front of it', ['unsynced', 'urgent', 'unsynced']],
    ['behind it', ['urgent', 'unsynced']],
  ] as const)('takes an unsynced one along: %s', async (_, kinds) => {
    const { database, commits } = open();
    // On a slow machine a transaction is full by its time before the second of them.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    await Promise.all(kinds.map((kind) => database.write(() => undefined, kind)));
    expect(commits).toEqual([true]);
    database.close();
  });

  it('that comes while an unsynced one is being begun waits for the disk', async () => {
    const { database, commits } = open();
    const seen: string[] = [];
    let later: Promise<unknown> = Promise.resolve();
    const first = database.write(() => {
      // Between two of the same transaction.
      seen.push('first');
      later = database.write(() => seen.push('later'));
    }, 'unsynced');
    await Promise.all([first, database.write(() => seen.push('second'), 'unsynced')]);
    await later;
    expect(seen).toEqual(['first', 'second', 'later']);
    expect(commits).toEqual([false, true]);
    database.close();
  });
});

describe('a claim', () => {
  it('of what waits is not synced; one that ends another or takes it over is', async () => {
    const path = join(folder, `${++made}.db`);
    const commits: boolean[] = [];
    let now = 0;
    const store = await openSqliteStore(path, { prefix: 'SAMR', now: () => now, connect: noting(path, commits) });
    const ids = ['ada', 'bo'].map((account) => draft(account));
    for (const each of ids) await store.accept(each, { sameBytes: false });
    commits.length = 0;
    const claims = [await claimNext(store), await claimNext(store)];
    expect(claims.map((claim) => claim?.submission.id)).toEqual(ids.map(({ id }) => id));
    expect(commits).toEqual([false, false]);

    commits.length = 0;
    await store.cancel(ids[0]?.id as string);
    now += 3_600_000;
    expect((await claimNext(store))?.submission.id).toBe(ids[1]?.id);
    expect(new Set(commits)).toEqual(new Set([true]));
    await store.close();
  });

  it('looks again in its transaction: a worker that was lost meanwhile is set back, and the disk waited for', async () => {
    const path = join(folder, `${++made}.db`);
    const commits: boolean[] = [];
    let now = 0;
    const store = await openSqliteStore(path, { prefix: 'SAMR', now: () => now, connect: noting(path, commits) });
    const [lost, waiting] = [draft('ada'), draft('ada')];
    await store.accept(lost, { sameBytes: false });
    await claimNext(store);
    await store.accept(waiting, { sameBytes: false });
    commits.length = 0;
    const left: string[] = [];
    const rules = { leaseMs: 60_000, maxAttempts: 3, outsideMs: 3_600_000 };
    const claimed = store.claimNext({ lane: 'large', worker: 'x', ...rules, onTakenOver: (id) => left.push(id) });
    now += 120_000;
    expect((await claimed)?.worker).toBe('x');
    expect(left).toEqual([lost.id]);
    expect(commits.at(-1)).toBe(true);
    await store.close();
  });
});
