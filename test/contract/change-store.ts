/** What src/registry/changes/change-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeRun } from '../../src/registry/changes/change-store.js';
import type { AdminStatus } from '../../src/registry/samples/sample.js';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { Store } from '../../src/store/store.js';
import {
  batchOf,
  claimNext,
  createSample,
  curationLink,
  draft,
  named,
  rewriteSample,
} from '../many-machines/store-samples.js';
import type { OpenStore } from './submission-store.js';

const DAY = 86_400_000;
const NOW = Date.UTC(2030, 0, 1);

export function changeStoreContract(name: string, open: OpenStore): void {
  describe(`change store contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = NOW;
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const create = (release: number, account = 'ada') => createSample(store, account, release);
    const rewrite = (id: number, release: number, adminStatus?: AdminStatus | null) =>
      rewriteSample(store, id, release, adminStatus);
    const all = async (from = 1): Promise<ChangeRun[]> => {
      while (await store.advanceChanges());
      const runs: ChangeRun[] = [];
      for (;;) {
        const page = await store.readChanges((runs.at(-1)?.number ?? from - 1) + 1, 3);
        runs.push(...page);
        if (page.length < 3) return runs;
      }
    };
    const story = async (of?: number) =>
      (await all())
        .filter(({ first, count }) => of === undefined || (of >= first && of < first + count))
        .map(({ type, public: open }) => `${type}${open ? '' : ' (own)'}`);

    it('logs what a write does to a sample, and who hears of it', async () => {
      const id = await create(NOW + DAY);
      await rewrite(id, NOW + 2 * DAY);
      await rewrite(id, NOW - DAY);
      await rewrite(id, NOW - 2 * DAY);
      await rewrite(id, NOW + DAY);
      await rewrite(id, NOW - DAY);
      await rewrite(id, NOW - DAY, 'SUPPRESSED');
      await rewrite(id, NOW - DAY);
      await rewrite(id, NOW - DAY, null);
      expect(await story()).toEqual([
        'created (own)',
        'updated (own)',
        'released',
        'updated',
        'withdrawn',
        'released',
        'withdrawn',
        'updated (own)',
        'released',
      ]);
      const hidden = await create(NOW + DAY);
      await rewrite(hidden, NOW + DAY, 'KILLED');
      expect(await story(hidden)).toEqual(['created (own)', 'withdrawn (own)']);
    });

    it('logs what is attached to a sample and taken away, and nothing for what changes nothing', async () => {
      const id = await create(NOW - DAY);
      const link = curationLink('h', {});
      await store.addCurationLink(id, link);
      await store.addCurationLink(id, link);
      await store.declineCurationLink(id, 'h', NOW);
      await store.declineCurationLink(id, 'h', NOW);
      await store.deleteCurationLink(id, 'h');
      await store.deleteCurationLink(id, 'h');
      const table = { domain: null, account: 'bo', type: 't', schema: null, content: [], created: NOW, updated: NOW };
      await store.putStructuredData(id, 'bo', [table], NOW);
      await store.putStructuredData(id, 'bo', [table], NOW);
      await store.deleteStructuredData(id, {});
      await store.deleteStructuredData(id, {});
      await store.updateSample(id, () => ({ kind: 'unchanged' }));
      expect(await story()).toEqual(['created', 'curated', 'curated', 'curated', 'updated', 'updated']);
    });

    it('logs the rows of a batch as runs, each with what became of it', async () => {
      const write = async (batch: LaidOutBatch) => {
        await store.accept(draft('ada'), { sameBytes: true });
        return store.applyBatch(await claimNext(store), batch, { leaseMs: 60_000, last: true });
      };
      const { chunk } = await write(batchOf(2, named(2, 50)));
      const first = chunk.created[0]?.[1] as number;
      expect(await all()).toMatchObject([{ number: 1, at: NOW, first, count: 50, type: 'created', public: true }]);
      const rows = [NOW + DAY, NOW - DAY, NOW - DAY].map((release, at) => ({ name: 's', release, id: first + at }));
      await write({ ...batchOf(2, rows), holds: Uint8Array.from([0, 0, 1]) });
      expect((await all(2)).map(({ type, first, public: open }) => [type, first, open])).toEqual([
        ['withdrawn', first, true],
        ['updated', first + 1, true],
        ['withdrawn', first + 2, true],
      ]);
    });

    it('logs a release once when its date passes, unless the sample was changed before', async () => {
      const stays = await create(NOW + DAY);
      const moved = await create(NOW + DAY);
      const hidden = await create(NOW + DAY);
      const back = await create(NOW + DAY);
      await rewrite(moved, NOW + 3 * DAY);
      await rewrite(hidden, NOW + DAY, 'KILLED');
      await rewrite(back, NOW + 2 * DAY);
      await rewrite(back, NOW + DAY);
      await rewrite(stays, NOW + DAY);
      const before = (await all()).length;
      clock = NOW + DAY - 1;
      expect(await all(before + 1)).toEqual([]);
      clock = NOW + DAY;
      expect(await all(before + 1)).toMatchObject([
        { at: clock, type: 'released', public: true, first: stays, count: 1 },
        { type: 'released', first: back, count: 1 },
      ]);
      clock = NOW + 2 * DAY;
      expect(await all(before + 3)).toEqual([]);
      clock = NOW + 3 * DAY;
      expect(await all(before + 3)).toMatchObject([{ first: moved, type: 'released' }]);
      await rewrite(hidden, NOW + DAY, null);
      expect((await story(hidden)).at(-1)).toBe('released');
    });

    it('releases a great many of one date in steps, each once', { tags: 'slow' }, async () => {
      await store.accept(draft('ada'), { sameBytes: true });
      const rows = named(2, 5_000).map((row) => ({ ...row, release: NOW + DAY }));
      await store.applyBatch(await claimNext(store), batchOf(2, rows), { leaseMs: 60_000, last: true });
      const before = await all();
      expect(before).toHaveLength(1);
      clock = NOW + DAY;
      const released = await all(2);
      expect(released.every(({ type }) => type === 'released')).toBe(true);
      const ids = released.flatMap(({ first, count }) => Array.from({ length: count }, (_, at) => first + at));
      expect(ids).toEqual(Array.from({ length: 5_000 }, (_, at) => (before[0]?.first ?? 0) + at));
    });

    it('shows a reader that follows many writers each change once, and none late', async () => {
      const WRITERS = 8;
      const EACH = 15;
      const seen: number[] = [];
      const samples: number[] = [];
      let writing = WRITERS;
      const writers = Array.from({ length: WRITERS }, async (_, at) => {
        for (let n = 0; n < EACH; n++) samples.push(await create(NOW - DAY, `writer ${at}`));
        writing--;
      });
      let next = 1;
      const follow = async () => {
        await store.advanceChanges();
        for (;;) {
          const page = await store.readChanges(next, 50);
          if (page.length === 0) return;
          for (const { number, first, count } of page) {
            expect(number).toBe(next++);
            for (let id = first; id < first + count; id++) seen.push(id);
          }
        }
      };
      while (writing > 0) await Promise.all([follow(), store.advanceChanges(), new Promise(setImmediate)]);
      await Promise.all(writers);
      await follow();
      expect([...seen].sort((a, b) => a - b)).toEqual([...samples].sort((a, b) => a - b));
      expect((await store.lastChange())?.number).toBe(next - 1);
    });
  });
}
