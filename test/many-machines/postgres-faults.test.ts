/** The PostgreSQL store while its server, or the way to it, is hurt; and many processes at once. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PostgresDatabase } from '../../src/store/postgres/database.js';
import { MIGRATIONS, openPostgresStore } from '../../src/store/postgres/open.js';
import { Names } from '../../src/store/postgres/samples/names.js';
import { postgresUpkeepStore } from '../../src/store/postgres/upkeep-store.js';
import type { Store } from '../../src/store/store.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { lacksMount } from '../support/mounts.js';
import { until } from './local-process.js';
import { lacksPostgres, PostgresServer } from './postgres-server.js';
import { batchOf, draft, named } from './store-samples.js';
import { TcpProxy } from './tcp-proxy.js';

const OPTIONS = { prefix: 'SAMR' };
const CLAIM = { lane: 'large', worker: 'w', leaseMs: 60_000, maxAttempts: 3, outsideMs: 3_600_000 } as const;
const DISK_MIB = 48;
const disk = mkdtempSync(join(tmpdir(), 'registry-postgres-disk-'));
const mountDisk = () =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk], { stdio: 'ignore' });
const unmountDisk = () => execFileSync('umount', ['-l', disk]);
afterAll(() => rmSync(disk, { recursive: true, force: true }));
const LEASE = { leaseMs: 60_000, last: false };

describe.skipIf(lacksPostgres())('the PostgreSQL store', { tags: 'engines' }, () => {
  let server: PostgresServer;
  const open: Store[] = [];
  let schemas = 0;
  const schema = (): string => `?schema=s${++schemas}`;
  const store = async (url: string): Promise<Store> => {
    const made = await openPostgresStore(url, OPTIONS);
    open.push(made);
    return made;
  };
  const claimed = async (on: Store): Promise<Claim> => {
    await on.accept(draft('ada'), { sameBytes: true });
    return (await on.claimNext(CLAIM)) as Claim;
  };

  beforeAll(async () => {
    server = await PostgresServer.open();
  });
  afterAll(() => server.remove());
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  /** Applies batches, each with the next one beside it as a worker does, until asked to stop; whatever happens meanwhile, each line has one sample. */
  async function ingestThrough(url: string, error: () => Promise<void>): Promise<void> {
    const on = await store(url);
    const claim = await claimed(on);
    let line = 2;
    let stop = false;
    const ingest = async (): Promise<void> => {
      for (let next = batchOf(line, named(line, 50)); !stop; ) {
        const batch = next;
        next = batchOf(line + 50, named(line + 50, 50));
        const { chunk } = await on.applyBatch(claim, batch, { ...LEASE, next });
        expect(chunk.created.reduce((sum, [, , count]) => sum + count, 0)).toBe(50);
        line += 50;
      }
    };
    const ingesting = ingest();
    await pause(200);
    await error();
    const reached = line;
    await until(() => expect(line).toBeGreaterThan(reached + 200));
    stop = true;
    await ingesting;
    const name = new URL(url).searchParams.get('schema');
    const samples = await server.ask<{ id: number; name: string }>(`select id::int, name from ${name}.current_sample`);
    const lines: [id: number, name: string][] = [];
    for await (const { created } of on.ledger(claim.submission.id))
      for (const [from, id, count] of created)
        for (let at = 0; at < count; at++) lines.push([id + at, `sample ${from + at}`]);
    const inOrder = (pairs: [number, string][]) => pairs.sort(([one], [other]) => one - other);
    expect(inOrder(samples.map((each) => [each.id, each.name]))).toEqual(inOrder(lines));
    expect(new Set(lines.map(([, each]) => each)).size).toBe(line - 2);
    expect((await on.find(claim.submission.id))?.counts.created).toBe(line - 2);
  }

  it('loses and doubles nothing when the server is restarted under an ingest', { tags: 'slow' }, async () => {
    await ingestThrough(server.url(schema()), async () => {
      server.stop('fast');
      await pause(500);
      await server.start();
    });
  });

  it('loses and doubles nothing when the server crashes under an ingest', async () => {
    await ingestThrough(server.url(schema()), async () => {
      for (const wait of [0, 137]) {
        await pause(wait);
        server.stop('immediate');
        await server.start();
      }
    });
  });

  it.each(['refuse', 'silence'] as const)(
    'loses and doubles nothing when the network is cut (%s)',
    { tags: 'slow' },
    async (how) => {
      const proxy = await TcpProxy.open(server.port);
      const url = new URL(server.url(schema()));
      url.port = String(proxy.port);
      try {
        await ingestThrough(url.href, async () => {
          for (let times = 0; times < 5; times++) {
            proxy[how]();
            await pause(how === 'refuse' ? 100 : 600);
            proxy.fix();
            await pause(37 * times);
          }
        });
      } finally {
        await Promise.all(open.splice(0).map((each) => each.close()));
        await proxy.close();
      }
    },
  );

  it('says that it is away, and is there again by itself', { tags: 'slow' }, async () => {
    const on = await store(server.url(schema()));
    await on.check();
    server.stop();
    await expect(on.check()).rejects.toMatchObject({ code: 'service.unavailable' });
    await server.start();
    await on.check();
  });

  it('is away, and no fault of what is asked, where the server lets us in no more; who starts then hears why', async () => {
    await server.ask(`create role guest login; create schema guest authorization guest`);
    const url = new URL(server.url('?schema=guest'));
    url.username = 'guest';
    const on = await store(url.href);
    const claim = await claimed(on);
    await server.ask('alter role guest nologin');
    await server.ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'guest'`);
    const away = { code: 'service.unavailable' };
    await expect(on.find(claim.submission.id)).rejects.toMatchObject(away);
    await expect(on.applyBatch(claim, batchOf(2, named(2, 5)), LEASE)).rejects.toMatchObject(away);
    await expect(on.check()).rejects.toThrow('not permitted to log in');
    const started = openPostgresStore(url.href, OPTIONS);
    await expect(started).rejects.toThrow(
      /^PostgreSQL at 127.0.0.1:\d+, database "postgres" as guest, cannot be used: /,
    );
    await expect(started).rejects.not.toHaveProperty('code');
    await server.ask('alter role guest login');
    const { chunk } = await on.applyBatch(claim, batchOf(2, named(2, 5)), LEASE);
    expect(chunk.created).toHaveLength(1);
  });

  it('accepts one of many equal uploads that arrive on several machines at the same moment', async () => {
    const url = server.url(schema());
    const stores = [await store(url), await store(url), await store(url)];
    for (let round = 0; round < 10; round++) {
      const same = draft('ada');
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => {
          const upload = { ...same, id: draft('x').id };
          const key = n % 2 === 0 ? { key: `k${round}` } : {};
          return (stores[n % 3] as Store).accept(upload, { sameBytes: true, ...key });
        }),
      );
      expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
      expect(new Set(answers.map(({ submission }) => submission.id)).size).toBe(1);
    }
  });

  it('gives each waiting submission to one worker only, though many ask at once, and accounts their turns', {
    tags: 'slow',
  }, async () => {
    const url = server.url(schema());
    const stores = [await store(url), await store(url), await store(url)];
    for (let n = 0; n < 60; n++) await stores[0]?.accept(draft('many'), { sameBytes: true });
    for (const account of ['ada', 'bo', 'cy']) await stores[0]?.accept(draft(account), { sameBytes: true });
    const order: string[] = [];
    const seen = new Set<string>();
    const worker = async (n: number): Promise<void> => {
      for (;;) {
        const claim = await (stores[n % 3] as Store).claimNext({ ...CLAIM, worker: `w${n}` });
        if (claim === undefined) return;
        order.push(claim.submission.account);
        seen.add(claim.submission.id);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(worker));
    expect(order).toHaveLength(63);
    expect(seen.size).toBe(63);
    for (const account of ['ada', 'bo', 'cy']) expect(order.indexOf(account)).toBeLessThan(12);
  });

  it('lets two sheets update the same samples in opposite order without a deadlock that anyone sees', {
    tags: 'slow',
  }, async () => {
    const url = server.url(schema());
    const [one, two] = [await store(url), await store(url)];
    const first = await claimed(one);
    const { chunk } = await one.applyBatch(first, batchOf(2, named(0, 200)), { ...LEASE, last: true });
    const ids = chunk.created.flatMap(([, id, count]) => Array.from({ length: count }, (_, at) => id + at));
    const claims = [await claimed(one), await claimed(two)];
    const rows = (text: string) => ids.map((id) => ({ id, name: `n${id}`, cells: `Mus musculus\t${text}` }));
    for (let round = 0; round < 5; round++) {
      const line = 2 + round * 200;
      await Promise.all([
        one.applyBatch(claims[0] as Claim, batchOf(line, rows(`a${round}`)), LEASE),
        two.applyBatch(claims[1] as Claim, batchOf(line, rows(`b${round}`).reverse()), LEASE),
      ]);
    }
    const versions = await one.listVersions(ids[0] as number);
    expect(versions.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('keeps every character, U+0000 and its own separator included', async () => {
    const on = await store(server.url(schema()));
    const claim = await claimed(on);
    const odd = ['a\u0000b', '\u0001', '\u0001' + '0', 'x\u001fy', '\u001f', '"\\', '{}', '', 'NULL', '😀\ud800'];
    const rows = odd.map((text) => ({ name: text, cells: `${text.replace('\t', '')}\tliver` }));
    const { chunk } = await on.applyBatch(claim, batchOf(2, rows), LEASE);
    const first = chunk.created[0]?.[1] as number;
    for (const [at, text] of odd.entries()) {
      const kept = text.replace('\ud800', '\ufffd');
      const record = await on.readSample(first + at);
      expect(record?.sample.name).toBe(kept);
      expect(record?.sample.content.characteristics.organism?.[0]?.text ?? '').toBe(kept);
    }
    const alone = await on.applyBatch(claim, batchOf(50, [{ name: '', cells: '' }]), LEASE);
    expect((await on.readSample(alone.chunk.created[0]?.[1] as number))?.sample.name).toBe('');
  });

  it('is made once by any number of processes that open it at the same moment', { tags: 'slow' }, async () => {
    const url = server.url(schema());
    const stores = await Promise.all(Array.from({ length: 6 }, () => store(url)));
    await Promise.all(stores.map((each) => each.check()));
    const name = new URL(url).searchParams.get('schema');
    const applied = await server.ask<{ number: number }>(`select number from ${name}.migration order by number`);
    expect(applied.map(({ number }) => number)).toEqual([...new Set(applied.map(({ number }) => number))]);
  });

  it('serves an old and a new version side by side while the schema grows, and refuses one that is too old', {
    tags: 'slow',
  }, async () => {
    const url = server.url(schema());
    const folder = mkdtempSync(join(tmpdir(), 'registry-migrations-'));
    cpSync(fileURLToPath(MIGRATIONS), folder, { recursive: true });
    const newer = pathToFileURL(`${folder}/`);
    try {
      const old = await store(url);
      const claim = await claimed(old);
      let line = 2;
      let failed: unknown;
      let stop = false;
      const requests = (async () => {
        while (!stop) {
          await old.applyBatch(claim, batchOf(line, named(line, 20)), LEASE);
          await old.readSample(1);
          line += 20;
        }
      })().catch((error: unknown) => {
        failed = error;
      });
      writeFileSync(join(folder, '9000_grows.sql'), 'alter table sample add column note text;');
      const fresh = await openPostgresStore(url, OPTIONS, newer);
      open.push(fresh);
      const before = line;
      await until(() => expect(line).toBeGreaterThan(before + 100));
      stop = true;
      await requests;
      expect(failed).toBeUndefined();
      expect((await fresh.readSample(1))?.sample.name).toBe('sample 2');
      // An old process that starts again meanwhile is served too.
      await store(url);
      writeFileSync(join(folder, '9001_shrinks.sql'), '-- needs programs that know 9001\nselect 1;');
      open.push(await openPostgresStore(url, OPTIONS, newer));
      await expect(openPostgresStore(url, OPTIONS)).rejects.toThrow(/start the newer program/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('takes the time that a migration takes, in who waits for it too; who knows no newer schema does not wait', {
    tags: 'slow',
  }, async () => {
    const url = server.url(schema());
    const present = await store(url);
    const folder = mkdtempSync(join(tmpdir(), 'registry-migrations-'));
    cpSync(fileURLToPath(MIGRATIONS), folder, { recursive: true });
    const newer = pathToFileURL(`${folder}/`);
    const holder = new pg.Client(server.url());
    try {
      const wait = 'select pg_advisory_xact_lock(9000);';
      writeFileSync(join(folder, '9000_slow.sql'), wait);
      await holder.connect();
      await holder.query('select pg_advisory_lock(9000)');
      const impatient = `${url}&query_timeout=2000`;
      let done = false;
      const opening = Promise.all([1, 2].map(() => openPostgresStore(impatient, OPTIONS, newer))).finally(() => {
        done = true;
      });
      const migrating = `select 1 from pg_stat_activity where query = '${wait}' and state = 'active'`;
      await until(async () => expect(await server.ask(migrating)).toHaveLength(1));
      await store(url);
      // Longer than a connection of this address waits for an answer.
      await pause(2_500);
      expect(done).toBe(false);
      await holder.query('select pg_advisory_unlock(9000)');
      open.push(...(await opening));
      await present.check();
    } finally {
      await holder.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is verified however long it takes to look at whole tables', { tags: 'slow' }, async () => {
    const url = server.url(schema());
    await store(url);
    const database = new PostgresDatabase(`${url}&query_timeout=1000`, { patienceMs: 0 });
    try {
      const { integrityFaults, countSamplesFromFiles, uncheckedVersions } = postgresUpkeepStore(
        database,
        new Names(database, OPTIONS.prefix),
        Date.now,
      );
      const name = new URL(url).searchParams.get('schema');
      const locking = server.ask(
        `begin; lock table ${name}.sample in access exclusive mode; select pg_sleep(2.5) as slept; commit`,
      );
      const held = `select 1 from pg_locks where mode = 'AccessExclusiveLock' and relation = '${name}.sample'::regclass`;
      await until(async () => expect(await server.ask(held)).toHaveLength(1));
      expect(await Promise.all([integrityFaults(), countSamplesFromFiles(), uncheckedVersions()])).toEqual([[], 0, 0]);
      await locking;
    } finally {
      await database.close();
    }
  });

  it('says that it takes no changes while its database is read-only, can be read meanwhile, and leaves what stays so', {
    tags: 'slow',
  }, async () => {
    const url = server.url(schema());
    const claim = await claimed(await store(url));
    const { id } = claim.submission;
    const closed = expect.objectContaining({
      code: 'service.unavailable',
      message: expect.stringContaining('read-only'),
    });
    // Holds for the sessions that begin now, as for those with a standby: they stay as they are when it is over.
    await server.ask('alter database postgres set default_transaction_read_only = on');
    const impatient = await openPostgresStore(url, { ...OPTIONS, patienceMs: 0 });
    const patient = await store(url);
    open.push(impatient);
    try {
      await expect(impatient.check()).rejects.toEqual(closed);
      await expect(impatient.accept(draft('ada'), { sameBytes: true })).rejects.toEqual(closed);
      await expect(impatient.heartbeat(claim, LEASE)).rejects.toEqual(closed);
      await expect(impatient.finish(claim)).rejects.toEqual(closed);
      expect((await impatient.find(id))?.id).toBe(id);
      await expect(patient.check()).rejects.toEqual(closed);
    } finally {
      await server.ask('begin read write; alter database postgres reset default_transaction_read_only; commit');
    }
    expect((await patient.finish(claim)).state).toBe('COMPLETED');
    expect((await patient.accept(draft('ada'), { sameBytes: true })).kind).toBe('accepted');
    await patient.check();
  });

  it.skipIf(lacksMount('postgres-faults', mountDisk, unmountDisk))(
    'says that it has no room while the disk of its database is full, and is of use again when there is some',
    { tags: 'slow' },
    async () => {
      mountDisk();
      try {
        server.handOver(disk);
        await server.ask(`create tablespace small location '${disk}'`);
        await server.ask('create database small tablespace small');
        const url = server.url().replace(/postgres$/, 'small');
        const on = await store(url);
        await on.check();
        const ballast = join(disk, 'ballast');
        expect(() => writeFileSync(ballast, Buffer.alloc(DISK_MIB * 1024 * 1024))).toThrow('ENOSPC');
        await expect(on.check()).rejects.toMatchObject({ code: 'storage.full' });
        rmSync(ballast);
        await on.check();
        // A ceiling of the role says nothing of the disk.
        await server.ask('alter database small set temp_file_limit = 0');
        await (await store(url)).check();
        await Promise.all(open.splice(0).map((each) => each.close()));
        await server.ask('drop database small');
        await server.ask('drop tablespace small');
      } finally {
        unmountDisk();
      }
    },
  );

  it('takes from a process that froze inside a transaction what it holds', { tags: 'slow' }, async () => {
    const url = server.url(schema());
    const on = await store(url);
    const claim = await claimed(on);
    const database = new PostgresDatabase(url);
    let tries = 0;
    let holds = false;
    let goOn = (): void => undefined;
    const wakes = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const frozen = database.write(async (session) => {
      tries += 1;
      if (tries > 1) return;
      // Five seconds are long enough for a process that was only busy; a frozen one is known as such after one.
      const [limit] = await session.rows<{ idle: string }>(
        "select current_setting('idle_in_transaction_session_timeout') as idle",
      );
      expect(limit?.idle).toBe('5s');
      await session.run("set local idle_in_transaction_session_timeout = '1s'");
      await session.run('select 1 from submission for update');
      holds = true;
      await wakes;
      await session.run('select 1');
    });
    await until(() => expect(holds).toBe(true));
    await on.heartbeat(claim, { leaseMs: 60_000 });
    expect(tries).toBe(1);
    goOn();
    await frozen;
    expect(tries).toBe(2);
    await database.close();
  });
});
