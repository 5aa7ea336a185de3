/** What src/registry/search/kept-export-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptExport, KeptExportStore, NewKeptExport } from '../../src/registry/search/kept-export-store.js';

type Stores = KeptExportStore & { close(): Promise<void> };

const DAY = 86_400_000;
const REQUEST = {
  filters: ['attr:organism:Homo "sapiens"'],
  format: 'tsv' as const,
  curated: false,
  registry: 'http://r',
};
const FILE = { samples: 3, bytes: 100, sha256: 'ab' };
const ROOM = { ofOne: 1_000, inAll: 5_000_000_000 };
const MANY = { ofOne: 5, inAll: 100 };

export function keptExportStoreContract(name: string, open: (options: { prefix: string }) => Promise<Stores>): void {
  describe(`kept export store contract on ${name}`, () => {
    let store: Stores;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR' });
    });
    afterEach(() => store.close());

    const order = async (id: string, account = 'ada', created = 1_000, more: Partial<NewKeptExport> = {}) =>
      store.orderExport(
        { id, account, admin: false, request: REQUEST, created, expires: created + DAY, ...more },
        MANY,
      );
    const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);
    const claim = async (id: string, now = 2_000, leaseMs = 500) =>
      (await store.claimExport(id, now, leaseMs)) as KeptExport;

    it('is found as it was ordered until it expires, by the newest first', async () => {
      expect(await order('a')).toBe('ordered');
      expect(await order('b', 'bo', 1_500, { admin: true, request: { ...REQUEST, text: 'wörd' } })).toBe('ordered');
      expect(await store.findExport('a', 1_000)).toEqual({
        id: 'a',
        account: 'ada',
        admin: false,
        request: REQUEST,
        state: 'ACTIVE',
        attempts: 0,
        handedBack: 0,
        created: 1_000,
        expires: 1_000 + DAY,
      });
      expect(await store.findExport('b', 2_000)).toMatchObject({ admin: true, request: { text: 'wörd' } });
      expect(ids(await store.listExports(undefined, 2_000, 10))).toEqual(['b', 'a']);
      expect(ids(await store.listExports(undefined, 2_000, 1))).toEqual(['b']);
      expect(ids(await store.listExports('ada', 2_000, 10))).toEqual(['a']);
      expect(await store.findExport('a', 1_000 + DAY)).toBeUndefined();
      expect(await store.listExports('ada', 1_000 + DAY, 10)).toEqual([]);
    });

    it('has bounds for one account and for all; removed ones make room', async () => {
      const bounds = { ofOne: 2, inAll: 3 };
      const more = (id: string, account: string) =>
        store.orderExport({ id, account, admin: false, request: REQUEST, created: 5, expires: DAY }, bounds);
      expect([await more('a', 'ada'), await more('b', 'ada'), await more('c', 'ada')]).toEqual([
        'ordered',
        'ordered',
        'of one',
      ]);
      expect([await more('d', 'bo'), await more('e', 'bo')]).toEqual(['ordered', 'in all']);
      expect(await store.removeExport('a', 6)).toBe(true);
      expect(await store.removeExport('a', 6)).toBe(false);
      expect(await more('f', 'ada')).toBe('in all');
      await store.forgetExport('a');
      expect(await more('f', 'ada')).toBe('ordered');
    });

    it('ordered at the same time, no more of an account are kept than may be', async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => order(`x${at}`)));
      expect(answers.filter((answer) => answer === 'ordered')).toHaveLength(MANY.ofOne);
    });

    it('waits in turn: the oldest of each account that has none in the making', async () => {
      await order('a2', 'ada', 1_100);
      await order('b', 'bo', 1_050);
      await order('a1', 'ada', 1_000);
      expect(ids(await store.waitingExports(2_000, 10))).toEqual(['a1', 'b']);
      expect(ids(await store.waitingExports(2_000, 1))).toEqual(['a1']);
      const first = await claim('a1');
      expect(first).toMatchObject({ attempts: 1, leaseUntil: 2_500 });
      expect(ids(await store.waitingExports(2_400, 10))).toEqual(['b']);
      expect(await store.claimExport('a1', 2_400, 500)).toBeUndefined();
      // Its process has died.
      expect(ids(await store.waitingExports(2_500, 10))).toEqual(['a1', 'b']);
      expect(await claim('a1', 2_600)).toMatchObject({ attempts: 2 });
      expect(await store.extendExport(first, 2_700, 500)).toBe(false);
      expect(await store.returnExport(first, 2_700, 2_700)).toBe(false);
      expect(await store.failExport(first, { code: 'x', message: 'y' }, { now: 1, expires: 2 })).toBe(false);
      expect(await store.completeExport(first, FILE, ROOM, { now: 1, expires: 2 })).toBe('lost');
      expect(await store.returnExport({ id: 'a1', attempts: 2 }, 2_650, 2_700)).toBe(true);
      expect(ids(await store.waitingExports(2_699, 10))).toEqual(['b']);
      expect(await store.findExport('a1', 2_699)).toMatchObject({ state: 'ACTIVE', attempts: 2, handedBack: 1 });
      expect(ids(await store.waitingExports(2_700, 10))).toEqual(['a1', 'b']);
      expect(await store.waitingExports(1_000 + 2 * DAY, 10)).toEqual([]);
    });

    it('a claim that is extended holds; only one of two gets it', async () => {
      await order('a');
      const claims = await Promise.all([claim('a'), claim('a')]);
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
      expect(await store.extendExport({ id: 'a', attempts: 1 }, 2_400, 500)).toBe(true);
      expect(await store.waitingExports(2_800, 10)).toEqual([]);
      expect(ids(await store.waitingExports(2_900, 10))).toEqual(['a']);
    });

    it('is COMPLETED with its file, as long as there is room for it', async () => {
      for (const [id, account] of [
        ['a', 'ada'],
        ['b', 'ada'],
        ['c', 'bo'],
      ] as const)
        await order(id, account);
      const times = { now: 2_000, expires: 9_000 };
      const large = { ...FILE, bytes: 4_000_000_000 };
      const wide = { ofOne: 4_000_000_000, inAll: 5_000_000_000 };
      expect(await store.completeExport(await claim('a'), large, wide, times)).toBe('completed');
      expect(await store.findExport('a', 8_999)).toMatchObject({ state: 'COMPLETED', file: large, expires: 9_000 });
      expect((await store.findExport('a', 8_999))?.leaseUntil).toBeUndefined();
      expect(await store.findExport('a', 9_000)).toBeUndefined();
      expect(await store.keptBytes('ada')).toEqual({ ofAccount: large.bytes, inAll: large.bytes });
      expect(await store.keptBytes('new')).toEqual({ ofAccount: 0, inAll: large.bytes });
      const second = await claim('b');
      expect(await store.completeExport(second, FILE, wide, times)).toBe('no room');
      const third = await claim('c');
      expect(await store.completeExport(third, { ...FILE, bytes: 1_000_000_001 }, wide, times)).toBe('no room');
      expect(await store.completeExport(third, { ...FILE, bytes: 1_000_000_000 }, wide, times)).toBe('completed');
      const problem = { code: 'storage.full', message: 'no "room"' };
      expect(await store.failExport(second, problem, times)).toBe(true);
      expect(await store.findExport('b', 5_000)).toMatchObject({ state: 'FAILED', problem, expires: 9_000 });
      expect(await store.waitingExports(2_000, 10)).toEqual([]);
    });

    it('ended ones are named until they are forgotten, those in the making once nobody makes them', async () => {
      await order('expired', 'ada', 1_000, { expires: 1_200 });
      await order('made', 'bo');
      await order('stays', 'cy');
      const { id, attempts } = await claim('made');
      expect(await store.removeExport('made', 2_100)).toBe(true);
      expect(await store.findExport('made', 2_100)).toBeUndefined();
      expect(await store.extendExport({ id, attempts }, 2_200, 500)).toBe(false);
      expect(await store.completeExport({ id, attempts }, FILE, ROOM, { now: 1, expires: 2 })).toBe('lost');
      expect(await store.endedExports(2_200, 10)).toEqual([{ id: 'expired', attempts: 0 }]);
      expect(await store.endedExports(2_500, 10)).toEqual([
        { id: 'expired', attempts: 0 },
        { id: 'made', attempts: 1 },
      ]);
      await store.forgetExport('made');
      await store.forgetExport('made');
      expect(ids(await store.endedExports(2_500, 10))).toEqual(['expired']);
    });
  });
}
