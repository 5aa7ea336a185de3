/** The feed of changes on a real store: who hears what, and pages that lose and repeat nothing. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChangeDocument, type ChangeRequest, SampleFeed } from '../../../src/registry/changes/sample-feed.js';
import { RegistryError } from '../../../src/registry/errors.js';
import { type Caller, Registry } from '../../../src/registry/registry.js';
import type { Store } from '../../../src/store/store.js';
import { sqliteStores } from '../../contract/empty-stores.js';
import { batchOf, claimNext, draft, named } from '../../many-machines/store-samples.js';
import { ADA, BO, BODY, ROOT, refused } from '../open-registry.js';

const HOUR = 3_600_000;
const stores = sqliteStores();
let clock: number;
const options = { prefix: 'SAMR', now: () => clock };
let store: Store;
let registry: Registry;
let feed: SampleFeed;
beforeEach(async () => {
  clock = Date.UTC(2030, 0, 1);
  store = await stores.open(options);
  registry = new Registry(store, options);
  feed = new SampleFeed(store, options);
});
afterEach(() => store.close());
afterAll(() => stores.remove());

const page = (request: Partial<ChangeRequest> = {}, caller: Caller = ADA) =>
  feed.page({ size: 1_000, records: false, ...request }, caller);
const nobody = (request: Partial<ChangeRequest> = {}) =>
  feed.page({ size: 1_000, records: false, ...request }, undefined);
const heard = (changes: readonly ChangeDocument[]) =>
  changes.map(({ type, accession, public: open }) => [type, accession, open]);
/** All pages one after the other. */
const pages = async (request: Partial<ChangeRequest>, caller: Caller | undefined): Promise<ChangeDocument[][]> => {
  const read: ChangeDocument[][] = [];
  for (let after = request.after; ; ) {
    const { changes, cursor, more } = await feed.page({ size: 1_000, records: false, ...request, after }, caller);
    read.push(changes);
    if (!more) return read;
    after = cursor;
  }
};
/** Registers rows of a sheet in one transaction; a release for each. */
const upload = async (releases: readonly number[]) => {
  await store.accept(draft('ada'), { sameBytes: true });
  const rows = named(2, releases.length).map((row, at) => ({ ...row, release: releases[at] as number }));
  await store.applyBatch(await claimNext(store), batchOf(2, rows), { leaseMs: 60_000, last: true });
};
const times = <T>(count: number, each: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => each(at));

describe('the feed of changes', () => {
  it('tells each change with its time, and whether the sample is public now', async () => {
    expect(await page()).toMatchObject({ changes: [], more: false });
    const { accession } = await registry.register(BODY, ADA);
    clock += HOUR;
    const later = await registry.register({ ...BODY, release: '2040-01-01' }, ADA);
    const { changes, cursor, more } = await page();
    expect(changes).toEqual([
      { cursor: changes[0]?.cursor, type: 'created', accession, time: '2030-01-01T00:00:00.000Z', public: true },
      { cursor, type: 'created', accession: later.accession, time: '2030-01-01T01:00:00.000Z', public: false },
    ]);
    expect(more).toBe(false);
    expect(await page({ after: changes[0]?.cursor })).toEqual({ changes: changes.slice(1), cursor, more: false });
    expect(await page({ after: cursor })).toEqual({ changes: [], cursor, more: false });
  });

  it('begins with what happens from now on, also where nothing has happened yet', async () => {
    const beginning = await page({ after: 'latest' });
    expect(beginning).toMatchObject({ changes: [], more: false });
    await upload([0, 0, 0]);
    expect((await page({ after: beginning.cursor })).changes).toHaveLength(3);
    const now = await page({ after: 'latest' });
    expect(now).toMatchObject({ changes: [], more: false });
    expect((await page({ after: now.cursor })).changes).toEqual([]);
    const { accession } = await registry.register(BODY, ADA);
    expect(heard((await page({ after: now.cursor })).changes)).toEqual([['created', accession, true]]);
  });

  it('tells owners and administrators all, others what is public and that it was withdrawn', async () => {
    const { accession, document } = await registry.register({ ...BODY, release: '2040-01-01' }, ADA);
    const put = (release: string) => registry.update(accession, { ...document, release }, ADA);
    await put('2020-01-01');
    const withRecords = async (caller: Caller | undefined) =>
      (await (caller ? page({ records: true }, caller) : nobody({ records: true }))).changes.map(
        ({ type, public: open, sample }) => [type, open, sample?.accession],
      );
    for (const caller of [BO, undefined]) expect(await withRecords(caller)).toEqual([['released', true, accession]]);
    await put('2041-01-01');
    for (const caller of [ADA, ROOT])
      expect(await withRecords(caller)).toEqual(
        ['created', 'released', 'withdrawn'].map((type) => [type, false, accession]),
      );
    for (const caller of [BO, undefined])
      expect(await withRecords(caller)).toEqual([['withdrawn', undefined, undefined]]);
  });

  it('loses and repeats nothing in pages of any size, and promises no page that is empty', async () => {
    await registry.register(BODY, ADA);
    await upload(times(5, () => 0));
    await registry.register(BODY, ADA);
    const { changes: all } = await page();
    expect(all.map(({ accession }) => accession)).toEqual(times(7, (at) => `SAMR${at + 1}`));
    for (const records of [false, true])
      for (const size of [1, 2, 3, 7, 8]) {
        const read = await pages({ size, records }, ADA);
        expect(read.flat().map(({ cursor }) => cursor)).toEqual(all.map(({ cursor }) => cursor));
        expect(read.map(({ length }) => length)).toEqual(
          times(Math.ceil(7 / size), (at) => Math.min(size, 7 - at * size)),
        );
      }
    for (const [at, { cursor }] of all.entries())
      expect((await page({ after: cursor })).changes).toEqual(all.slice(at + 1));
  });

  it('ends a page with records when it is large', async () => {
    const characteristics = { note: [{ text: 'x'.repeat(400_000) }] };
    for (let at = 0; at < 4; at++) await registry.register({ ...BODY, characteristics }, ADA);
    expect((await pages({ records: true }, ADA)).map(({ length }) => length)).toEqual([3, 1]);
    expect((await pages({}, ADA)).map(({ length }) => length)).toEqual([4]);
  });

  it('looks at so many samples a page, and goes on behind those that the caller may not see', async () => {
    await upload(times(5_001, () => clock + HOUR));
    const { accession } = await registry.register(BODY, ADA);
    const first = await page({}, BO);
    expect([first.changes, first.more]).toEqual([[], true]);
    expect(await page({ after: first.cursor }, BO)).toMatchObject({ changes: [{ accession }], more: false });
    // Whoever has no token hears of no private sample: none is looked at.
    expect(await nobody()).toMatchObject({ changes: [{ accession }], more: false });
  });

  it('reads no more samples at once than others may wait for, and none behind a full page', async () => {
    await upload(times(1_300, (at) => (at < 1_000 ? clock : clock + HOUR)));
    const readings: number[] = [];
    const counted: Pick<Store, 'readVisibility' | 'readSamplesWithin'> = {
      readVisibility: (ids) => {
        readings.push(ids.length);
        return store.readVisibility(ids);
      },
      readSamplesWithin: (ids, bytes) => {
        readings.push(ids.length);
        return store.readSamplesWithin(ids, bytes);
      },
    };
    const observed = new SampleFeed({ ...store, ...counted }, options);
    for (const records of [false, true]) {
      readings.length = 0;
      expect((await observed.page({ size: 1, records }, undefined)).changes).toHaveLength(1);
      expect([readings.length, readings[0]]).toEqual([1, records ? 1 : 200]);
      readings.length = 0;
      const { changes, more } = await observed.page({ size: 1_000, records }, undefined);
      expect([changes.length, more]).toEqual([1_000, false]);
      expect(Math.max(...readings)).toBeLessThanOrEqual(200);
    }
  });

  it('passes over any number of changes that are not for the caller', async () => {
    await upload(times(1_001, (at) => (at % 2 === 0 ? clock + HOUR : 0)));
    const read = await pages({}, undefined);
    expect(read.map(({ length }) => length)).toEqual([250, 249, 1]);
    expect(read.flat().map(({ accession }) => accession)).toEqual(times(500, (at) => `SAMR${2 * at + 2}`));
  });

  it('has more while releases arrive, however many have one date', async () => {
    await upload(times(2_500, () => clock + HOUR));
    const { cursor } = await page({ after: 'latest' });
    clock += HOUR;
    const released = await page({ after: cursor, size: 2_000 });
    expect([released.changes.length, released.more]).toEqual([2_000, true]);
    const rest = await page({ after: released.cursor, size: 2_000 });
    expect([rest.changes.length, rest.more]).toEqual([500, false]);
    expect(rest.changes.at(-1)).toMatchObject({ type: 'released', accession: 'SAMR2500', public: true });
    await upload(times(2_500, () => clock + HOUR));
    const again = await page({ after: 'latest' });
    clock += HOUR;
    expect(await page({ after: again.cursor, size: 2_500 })).toMatchObject({ changes: { length: 2_000 }, more: true });
  });

  it('shows what is in the log while new changes cannot be taken into it', async () => {
    await registry.register(BODY, ADA);
    const failing = (error: Error) =>
      new SampleFeed({ ...store, advanceChanges: () => Promise.reject(error) }, options);
    const full = failing(new RegistryError('storage.full', 'No space is left.'));
    expect(await full.page({ size: 10, records: false }, ADA)).toMatchObject({ changes: { length: 1 }, more: false });
    const broken = failing(new Error('damaged'));
    await expect(broken.page({ size: 10, records: false }, ADA)).rejects.toThrow('damaged');
  });
});

describe('a cursor of the feed', () => {
  const cursor = (text: string) => Buffer.from(text).toString('base64url');
  it('is none of ours where it is spelt in another way', async () => {
    const spellings = [
      '12345678901.1.1',
      '1.12345678.1',
      '1.1.12345678901',
      'A.1.1',
      '1.1',
      '-1.1.1',
      '1.1.1.',
      '1-1-1',
    ];
    for (const after of ['nonsense', '', ...spellings.map(cursor)])
      await expect(page({ after })).rejects.toEqual(
        refused(
          'request.invalid',
          'The cursor is not one of ours; give that of a change, the header Changes-Cursor of a page, or "latest".',
        ),
      );
  });

  it('is refused where the log that it is of is no longer here', async () => {
    await upload([0, 0]);
    const at = clock.toString(36);
    expect((await page({ after: cursor(`1.1.${at}`) })).changes).toHaveLength(1);
    for (const other of [`1.1.${(clock + 1).toString(36)}`, `2.0.${at}`, `zzz.0.${at}`])
      await expect(page({ after: cursor(other) })).rejects.toEqual(
        refused(
          'changes.gone',
          'This cursor is of a log of changes that is no longer here: the registry was set back to an earlier state. Begin anew without "after", and compare what you have.',
        ),
      );
  });
});
