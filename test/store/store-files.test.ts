/** A store as a file: its snapshot and the way back, its tables for a move, and addresses that name none. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDamaged, RegistryError } from '../../src/registry/errors.js';
import { codeOf, storageIsDamaged, storageIsFull, storeIsAway, storeIsBusy } from '../../src/store/failures.js';
import { migrateStore } from '../../src/store/migrate-store.js';
import { openStore } from '../../src/store/open.js';
import { RowDigest } from '../../src/store/rows/row-digest.js';
import { kindOfStore, restoreSnapshot, snapshotStore } from '../../src/store/snapshot.js';
import Database from '../../src/store/sqlite/driver.js';
import { SqliteSource } from '../../src/store/sqlite-source.js';
import { whyNotOpened } from '../../src/submissions/uploads/disk-room.js';
import { batchOf, claimNext, draft } from '../many-machines/store-samples.js';
import '../support/seeds.js';

const folder = mkdtempSync(join(tmpdir(), 'store-files-'));
const path = join(folder, 'registry.db');
const url = `sqlite:${path}`;
const OPTIONS = { prefix: 'SAMR' };

/** Samples of an upload: those of one batch stand in a block. */
async function fill(rows: number): Promise<void> {
  const store = await openStore(url, OPTIONS);
  await store.accept(draft('ada'), { sameBytes: false });
  const claim = await claimNext(store);
  const names = Array.from({ length: rows }, (_, at) => ({ name: `sample ${at}` }));
  await store.applyBatch(claim, batchOf(2, names), { leaseMs: 60_000, last: true });
  await store.close();
}
beforeAll(() => fill(40));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = async (of: string): Promise<string[]> => {
  const store = await openStore(of, OPTIONS);
  const found = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => (await store.readSample(at + 1))?.sample.name ?? ''),
  );
  await store.close();
  return found;
};

describe('a snapshot', () => {
  it('is the store as of one moment, and comes back as a store where there is none', async () => {
    const backup = mkdtempSync(join(folder, 'backup-'));
    await snapshotStore(url, backup);
    expect(readdirSync(backup)).toEqual(['registry.db']);
    await expect(snapshotStore(url, backup)).rejects.toThrow(
      `There is ${join(backup, 'registry.db')} already, of another backup or one that was broken off; name a new folder.`,
    );
    const back = join(folder, 'new', 'folder', 'back.db');
    await restoreSnapshot(backup, `sqlite:${back}`, 0);
    expect(await names(`sqlite:${back}`)).toEqual(Array.from({ length: 40 }, (_, at) => `sample ${at}`));
    expect(existsSync(`${back}.part`)).toBe(false);
    await expect(restoreSnapshot(backup, `sqlite:${back}`, 0)).rejects.toThrow(
      `There is a store at ${back} already; nothing was changed.`,
    );
  });

  it('gives no accession again that was given after it, from the moment on that it is a store, and never goes back', async () => {
    const backup = mkdtempSync(join(folder, 'backup-'));
    await snapshotStore(url, backup);
    const nextAfter = async (last: number): Promise<number> => {
      const target = mkdtempSync(join(folder, 'behind-'));
      await restoreSnapshot(backup, `sqlite:${join(target, 'a.db')}`, last);
      expect(readdirSync(target)).toEqual(['a.db']);
      const store = await openStore(`sqlite:${join(target, 'a.db')}`, { prefix: 'SAMR' });
      const next = await store.nextAccession();
      await store.close();
      return next;
    };
    const next = await nextAfter(0);
    expect(next).toBeGreaterThan(40);
    expect(await nextAfter(5)).toBe(next);
    expect(await nextAfter(next + 1000)).toBe(next + 1001);
  });

  it.each(['-wal', '-journal', '-shm', '-search', '-search-wal'])(
    'is not restored beside %s of an earlier store, which would be read into it',
    async (ending) => {
      const backup = mkdtempSync(join(folder, 'backup-'));
      await snapshotStore(url, backup);
      const target = mkdtempSync(join(folder, 'beside-'));
      writeFileSync(join(target, `a.db${ending}`), '');
      await expect(restoreSnapshot(backup, `sqlite:${join(target, 'a.db')}`, 0)).rejects.toThrow(`a.db${ending} of`);
      expect(readdirSync(target)).toEqual([`a.db${ending}`]);
    },
  );

  it('is made of a store that is there, and comes back from a folder that has one', async () => {
    await expect(snapshotStore(`sqlite:${join(folder, 'none.db')}`, folder)).rejects.toThrow(
      `There is no store at ${join(folder, 'none.db')}.`,
    );
    const empty = mkdtempSync(join(folder, 'empty-'));
    await expect(restoreSnapshot(empty, `sqlite:${join(empty, 'a.db')}`, 0)).rejects.toThrow(
      `${empty} holds no snapshot of a sqlite store.`,
    );
    await expect(restoreSnapshot(empty, 'postgres://here/x', 0)).rejects.toThrow(
      `${empty} holds no snapshot of a postgres store.`,
    );
    expect(['sqlite:x', 'postgres://x', 'postgresql://x'].map(kindOfStore)).toEqual(['sqlite', 'postgres', 'postgres']);
  });
});

describe('a store to copy from', () => {
  it('gives its tables in one state, samples of blocks as rows, and nobody writes meanwhile', () => {
    const source = new SqliteSource(path);
    expect(source.tables()).toEqual([...source.tables()].sort());
    expect(source.tables()).toEqual(
      expect.arrayContaining(['account', 'sample', 'sample_version', 'submission', 'submission_chunk']),
    );
    expect(source.tables().filter((name) => name === 'sample_block' || name.startsWith('sqlite_'))).toEqual([]);
    expect(source.columns('account')).toEqual(expect.arrayContaining(['id', 'name']));
    const lots = [...source.read('sample', ['id', 'name'], 15)];
    expect(lots.map(({ length }) => length)).toEqual([15, 15, 10]);
    expect(lots.flat()).toEqual(Array.from({ length: 40 }, (_, at) => [at + 1, `sample ${at}`]));
    expect([...source.read('sample', ['id'], 40)].map(({ length }) => length)).toEqual([40]);
    expect([...source.read('sample_version', ['id'], 5)]).toEqual([]);
    expect([...source.read('submission', ['state'], 5)]).toEqual([[['COMPLETED']]]);
    const other = new Database(path, { timeout: 0 });
    expect(() => other.exec('begin immediate')).toThrow('locked');
    source.close();
    source.close();
    // Open by somebody who does nothing just now.
    expect(other.prepare('select count(*) from account').pluck().get()).toBe(1);
    expect(() => new SqliteSource(path)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: 'The store is in use; stop the service and its workers before moving it.',
      }),
    );
    other.close();
    new SqliteSource(path).close();
    expect(() => new SqliteSource(join(folder, 'none.db'))).toThrow(
      expect.objectContaining({ code: 'not-found', message: `There is no store at ${join(folder, 'none.db')}.` }),
    );
  });

  it.each([
    ['postgres://a/b', 'postgres://c/d', 'A store is moved from an address sqlite:PATH.'],
    ['sqlite:', 'postgres://c/d', 'A store is moved from an address sqlite:PATH.'],
    ['file sqlite:x', 'postgres://c/d', 'A store is moved from an address sqlite:PATH.'],
    ['sqlite:x', 'sqlite:y', 'A store is moved to an address postgres://…: give it as --to, or as STORE_URL.'],
    ['sqlite:x', 'to postgres://c', 'A store is moved to an address postgres://…: give it as --to, or as STORE_URL.'],
    ['sqlite:x', 'postgresqll://c', 'A store is moved to an address postgres://…: give it as --to, or as STORE_URL.'],
  ])('is not moved from %s to %s', async (from, to, message) => {
    await expect(migrateStore(from, to, OPTIONS)).rejects.toMatchObject({ code: 'request.invalid', message });
  });

  it.each(['postgres://c/d', 'postgresql://c/d'])('has to be there before %s is asked', async (to) => {
    await expect(migrateStore(`sqlite:${join(folder, 'none.db')}`, to, OPTIONS)).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

it.each([
  ['sqlite:', 'sqlite:'],
  ['mysql://root:secret@db/x', 'mysql://…@db/x'],
  ['see postgres://u:p@db/x', 'see postgres://…@db/x'],
  ['registry.db', 'registry.db'],
])('%s names no store, which is said without the password', async (address, shown) => {
  await expect(openStore(address, OPTIONS)).rejects.toThrow(
    `STORE_URL is "${shown}"; it must be sqlite:PATH or postgres://…`,
  );
});

describe('the fingerprint of rows', () => {
  const digest = (rows: readonly (string | number | null)[][]): string => {
    const sum = new RowDigest();
    for (const row of rows) sum.add(row);
    expect(sum.rows).toBe(rows.length);
    return sum.hex();
  };
  const row = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 3 });
  it('is the same in any order, and another when a row is another, is missing or comes twice', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), row, (rows, more) => {
        const whole = digest(rows);
        expect(whole).toMatch(/^[0-9a-f]{32}$/);
        expect(digest(rows.toReversed())).toBe(whole);
        expect(digest([...rows, more])).not.toBe(whole);
        expect(digest(rows.slice(1))).not.toBe(whole);
        expect(digest([...rows.slice(1), [...(rows[0] as string[]), 'x']])).not.toBe(whole);
      }),
    );
    expect(digest([])).toBe('0'.repeat(32));
    expect(digest([[1, 'a', null]])).toBe(digest([[1, 'a', null]]));
    expect(digest([['1', 'a', null]])).not.toBe(digest([[1, 'a', null]]));
  });
});

describe('failures of a database', () => {
  const cause = Object.assign(new Error('SQLITE_FULL'), { code: 'SQLITE_FULL' });
  it('are said in the words of the catalogue, with what was behind them', () => {
    expect(
      [storageIsFull(cause), storeIsBusy(cause), storeIsAway(cause)].map(({ code, message, cause: behind }) => [
        code,
        message,
        behind === cause,
      ]),
    ).toEqual([
      ['storage.full', 'The disk that holds the store is full; nothing of this was stored.', true],
      ['service.unavailable', 'The store is busy with other writes; try again in a minute.', true],
      ['service.unavailable', 'The store cannot be reached now; try again in a minute.', true],
    ]);
    const damaged = storageIsDamaged('Sample 7', cause);
    expect([damaged.code, damaged.cause]).toEqual(['storage.damaged', cause]);
    expect(damaged.message).toBe(
      'Sample 7 in the database is not what was stored; whoever runs this service finds out with `sample-registry verify` and takes it from a backup.',
    );
    expect(storageIsDamaged('Sample 7').cause).toBeUndefined();
  });

  it('are distinguished by their codes', () => {
    expect(
      [cause, new Error('x'), Object.assign(new Error('x'), { code: 5 }), { code: 'E' }, undefined].map(codeOf),
    ).toEqual(['SQLITE_FULL', '', '', '', '']);
    expect(
      [
        storageIsDamaged('x'),
        storageIsFull(cause),
        { code: 'storage.damaged' },
        new RegistryError('conflict', 'x'),
      ].map(isDamaged),
    ).toEqual([true, false, false, false]);
  });
});

it.skipIf(process.platform !== 'linux')(
  'a store that cannot be opened because its disk is full says so, and no other',
  async () => {
    // The file system that always has no room left.
    await expect(openStore('sqlite:/proc/registry.db', { prefix: 'SAMR' })).rejects.toMatchObject({
      code: 'storage.full',
      message: 'The disk of /proc has 0 bytes left; make room there.',
      cause: { code: 'SQLITE_CANTOPEN' },
    });
    await expect(openStore(`sqlite:${folder}`, { prefix: 'SAMR' })).rejects.toThrow('unable to open database file');
    const nowhere = Object.assign(new Error('ENOSPC: mkdir'), { code: 'ENOSPC' });
    expect([whyNotOpened(nowhere, join(folder, 'none')), whyNotOpened(nowhere, folder)]).toEqual([nowhere, nowhere]);
    expect(whyNotOpened(new Error('other'), '/proc')).toEqual(new Error('other'));
  },
);

it('a file that is no store is not restored over', async () => {
  const place = join(folder, 'taken.db');
  writeFileSync(place, 'mine');
  const backup = mkdtempSync(join(folder, 'backup-'));
  await snapshotStore(url, backup);
  await expect(restoreSnapshot(backup, `sqlite:${place}`, 0)).rejects.toThrow('nothing was changed');
});
