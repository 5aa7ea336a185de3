/** One SQLite file under several connections and processes: what only this engine promises. Runs the built dist/. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../../src/store/open.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import Database from '../../src/store/sqlite/driver.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { runs } from '../support/seeds.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-sharing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const newFile = (): string => join(folder, `${++made}.db`);
const open = (file: string, maxBytes?: number): Promise<Store> =>
  openStore(`sqlite:${file}`, { prefix: 'SAMR', ...(maxBytes === undefined ? {} : { maxBytes }) });

const run = promisify(execFile);
const program = fileURLToPath(new URL('./sqlite-process.mjs', import.meta.url));
async function inProcess<T>(file: string, what: string, given: unknown): Promise<T> {
  const { stdout } = await run(process.execPath, [program, file, what, JSON.stringify(given)]);
  return JSON.parse(stdout) as T;
}

describe('a file that several processes open', () => {
  it.each([
    ['registry', 1000, '', 'account', 'service.unavailable', /the store has schema 1000, .*: start the newer program/],
    ['registry', 0, '', 'account', 'storage.damaged', /no such table/],
    [
      'index',
      1000,
      '-search',
      'name_only',
      'service.unavailable',
      /the store has schema 1000, .*: start the newer program/,
    ],
    ['index', 0, '-search', 'name_only', 'storage.damaged', /no such table/],
  ])(
    "is a newer program's, and not damaged, where that has another %s (%i)",
    async (_, schema, name, table, code, why) => {
      const file = newFile();
      const store = await open(file);
      const newer = new Database(file + name);
      newer.exec(`alter table ${table} rename to ${table}_2`);
      if (schema > 0) newer.pragma(`user_version = ${schema}`);
      newer.close();
      const asked = name === '' ? store.countAccounts() : store.listNameOnly(1);
      await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(why) });
      await store.close();
    },
  );

  it('is made once though they are the first, at the same moment', { tags: 'slow' }, async () => {
    const file = newFile();
    await Promise.all(Array.from({ length: 4 }, () => inProcess(file, 'open', null)));
    const store = await open(file);
    expect(await store.countAccounts()).toBe(0);
    await store.close();
  });

  it('accepts one of 21 equal uploads, gives no submission to two workers and no number twice', async () => {
    const file = newFile();
    const store = await open(file);
    const equal = () => Array.from({ length: 7 }, () => draft('ada', { sha256: 'aa' }));
    const answers = (await Promise.all(
      Array.from({ length: 3 }, () => inProcess<[string, string][]>(file, 'accept', equal())),
    )) as [string, string][][];
    expect(answers.flat().filter(([kind]) => kind === 'accepted')).toHaveLength(1);
    expect(new Set(answers.flat().map(([, id]) => id)).size).toBe(1);

    for (let n = 0; n < 19; n++) await store.accept(draft('bo'), { sameBytes: true });
    await store.close();
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((worker) => inProcess<string[]>(file, 'claim', { worker, times: 10 })),
    );
    expect(claims.flat()).toHaveLength(20);
    expect(new Set(claims.flat()).size).toBe(20);

    const ids = await Promise.all(
      ['a', 'b'].map((account) => inProcess<number[]>(file, 'create', { account, times: 30 })),
    );
    expect(new Set(ids.flat()).size).toBe(60);
  });
});

describe('a write that finds another writing', () => {
  it('waits without holding up the event loop, and is done when the other is', async () => {
    const file = newFile();
    const store = await open(file);
    const other = new SqliteDatabase(file);
    other.prepare('begin immediate').run();
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 1);
    let done = false;
    const writing = store.ensureAccount('ada', 1).then(() => {
      done = true;
    });
    await expect.poll(() => ticks).toBeGreaterThan(50);
    expect(done).toBe(false);
    expect(await store.findAccount('ada')).toBeUndefined();
    other.prepare('rollback').run();
    await writing;
    clearInterval(ticking);
    expect(await store.findAccount('ada')).toEqual({ name: 'ada', created: 1 });
    other.close();
    await store.close();
  });

  it('says that the service is unavailable when its patience ends, and works again afterwards', async () => {
    const file = newFile();
    const [one, other] = [new SqliteDatabase(file, { patienceMs: 50 }), new SqliteDatabase(file)];
    await one.write(() => one.prepare('create table t (x integer)').run());
    other.prepare('begin immediate').run();
    const insert = () => one.write(() => one.sql('insert into t values (1)').run());
    await expect(insert()).rejects.toMatchObject({ code: 'service.unavailable' });
    other.prepare('rollback').run();
    await insert();
    expect(one.sql('select * from t').all()).toHaveLength(1);
    one.close();
    other.close();
  });

  it('of one process keeps its place behind those that came before', async () => {
    const file = newFile();
    const [one, other] = [new SqliteDatabase(file), new SqliteDatabase(file)];
    const order: number[] = [];
    other.prepare('begin immediate').run();
    const write = (n: number) => one.write(() => order.push(n));
    const waiting = Array.from({ length: 20 }, (_, n) => write(n));
    await sleep(10);
    other.prepare('rollback').run();
    // The lock is free at this moment, and 20 have asked before.
    await Promise.all([...waiting, write(20)]);
    expect(order).toEqual(Array.from({ length: 21 }, (_, n) => n));
    one.close();
    other.close();
  });

  it('forgets what it learnt when it is rolled back', async () => {
    const file = newFile();
    const database = new SqliteDatabase(file);
    const learnt: string[] = [];
    const failing = database.write(() => {
      database.onCommit(() => learnt.push('rolled back'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.write(() => database.onCommit(() => learnt.push('committed')));
    expect(learnt).toEqual(['committed']);
    database.close();
  });
});

describe('writes that wait together', () => {
  const numbers = (database: SqliteDatabase): unknown[] =>
    database
      .sql<{ n: number }>('select n from kept order by n')
      .all()
      .map(({ n }) => n);

  it('take effect in order, each whole or not at all, and are there for others when they resolve', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ fails: fc.boolean(), bulk: fc.boolean(), later: fc.boolean() }), { maxLength: 20 }),
        async (plans) => {
          const file = newFile();
          const [database, other] = [new SqliteDatabase(file), new SqliteDatabase(file)];
          database.prepare('create table kept (n integer)').run();
          const learnt: number[] = [];
          const resolved: number[] = [];
          const one = async (n: number, { fails, bulk, later }: (typeof plans)[number]): Promise<void> => {
            if (later) await new Promise(setImmediate);
            await database.write(
              () => {
                database.onCommit(() => learnt.push(n));
                database.sql('insert into kept values (?)').run(n);
                if (fails) throw new Error('no');
              },
              bulk ? 'bulk' : 'urgent',
            );
            expect(numbers(other)).toContain(n);
            resolved.push(n);
          };
          const ends = await Promise.allSettled(plans.map((plan, n) => one(n, plan)));
          const kept = plans.flatMap(({ fails }, n) => (fails ? [] : [n]));
          expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(plans.map(({ fails }) => !fails));
          expect(numbers(other)).toEqual(kept);
          expect(learnt).toEqual(resolved);
          expect(resolved.toSorted((a, b) => a - b)).toEqual(kept);
          database.close();
          other.close();
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it.each([
    { stepMs: 0, seen: [0, 0, 0, 0], when: 'as long as they take no time that is felt' },
    { stepMs: 11, seen: [0, 0, 2, 2], when: 'up to a bound in time, behind which the others have the next' },
  ])('share one commit, $when', async ({ stepMs, seen: expected }) => {
    const file = newFile();
    const [database, other] = [new SqliteDatabase(file), new SqliteDatabase(file)];
    database.prepare('create table kept (n integer)').run();
    const seen: number[] = [];
    // The clock stands but for what writes take of it: a machine that is busy would end any group.
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const write = (n: number) =>
      database.write(() => {
        database.sql('insert into kept values (?)').run(n);
        seen.push(numbers(other).length);
        now += stepMs;
      });
    await Promise.all([1, 2, 3, 4].map(write)).finally(() => clock.mockRestore());
    expect(seen).toEqual(expected);
    expect(numbers(other)).toEqual([1, 2, 3, 4]);
    database.close();
    other.close();
  });

  it('of a full disk are all refused, and none of them is there', async () => {
    const file = newFile();
    const database = new SqliteDatabase(file, { maxBytes: 100_000 });
    database.prepare('create table kept (n integer, text text)').run();
    const write = (n: number, length: number) =>
      database.write(() => {
        database.sql('insert into kept values (?, ?)').run(n, 'x'.repeat(length));
      });
    const ends = await Promise.allSettled([write(1, 10), write(2, 200_000), write(3, 10)]);
    const stored = numbers(database);
    expect(ends[1]).toMatchObject({ status: 'rejected', reason: { code: 'storage.full' } });
    expect(stored).toEqual(ends.flatMap(({ status }, at) => (status === 'fulfilled' ? [at + 1] : [])));
    database.close();
  });
});

describe('a store that is full', () => {
  it('says so, stores nothing of the batch, and goes on where there is room', async () => {
    const file = newFile();
    const small = await open(file, 1_200_000);
    const { submission } = await small.accept(draft('ada'), { sameBytes: true });
    const claim = await claimNext(small);
    // What packing cannot make small.
    const texts = named(2, 500).map(() => randomBytes(1500).toString('base64'));
    const rows = named(2, 500).map(({ name }, at) => ({ name, cells: `${texts[at]}\t${texts[at]}` }));
    const apply = (store: Store) => store.applyBatch(claim, batchOf(2, rows), { leaseMs: 60_000, last: true });
    await expect(apply(small)).rejects.toMatchObject({ code: 'storage.full' });
    expect(await small.find(submission.id)).toMatchObject({ cursor: 0, counts: { rows: 0 }, state: 'ACTIVE' });
    expect(await small.readSample(1)).toBeUndefined();
    await small.close();
    const large = await open(file);
    const { chunk } = await apply(large);
    expect(chunk.created).toEqual([[2, 1, 500]]);
    // The layout is stored again too: its number was rolled back with the batch.
    expect((await large.readSample(1))?.sample.content.characteristics.organism).toEqual([{ text: texts[0] }]);
    await large.close();
  });
});

it('a store of a later program is refused in words', async () => {
  const file = newFile();
  await (await open(file)).close();
  const database = new SqliteDatabase(file);
  database.prepare('pragma user_version = 9000').run();
  database.close();
  await expect(open(file)).rejects.toThrow(/schema 9000.*newer program/);
});
