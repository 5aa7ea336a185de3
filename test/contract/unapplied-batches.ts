/** Batches of which nothing is applied, as `applyBatch` of src/submissions/submission-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.js';
import { OutdatedBatch, RefusedBatch } from '../../src/submissions/processing/unapplied-batch.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, draft, named, type Row, rewriteSample } from '../many-machines/store-samples.js';
import { idsOf } from './apply-batch.js';
import type { OpenStore } from './submission-store.js';

const LEASE = { leaseMs: 60_000, last: false };
const LAST = { ...LEASE, last: true };
const UNKNOWN: Row = { id: 999_999, name: 'nobody' };

export function unappliedBatchesContract(name: string, open: OpenStore): void {
  describe(`contract of batches that are not applied on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR', now: () => Date.UTC(2030, 0, 1) });
    });
    afterEach(() => store.close());

    const claim = async (options: Partial<UploadOptions> = {}): Promise<Claim> => {
      const base = draft('ada');
      await store.accept({ ...base, options: { ...base.options, ...options } }, { sameBytes: true });
      return await claimNext(store);
    };
    const register = async (count: number): Promise<number[]> =>
      idsOf((await store.applyBatch(await claim(), batchOf(2, named(2, count)), LAST)).chunk.created);
    const samples = async (): Promise<number> => (await store.sampleIds(0, 1000)).length;
    const thrown = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);
    const untouched = async ({ submission }: Claim): Promise<void> => {
      const { cursor, counts, bytesRead } = submission;
      expect(await store.find(submission.id)).toMatchObject({ state: 'ACTIVE', cursor, counts, bytesRead });
      for await (const chunk of store.ledger(submission.id)) expect.fail(`recorded: ${JSON.stringify(chunk)}`);
    };

    it('are those made of samples as they were read, where one was written since', async () => {
      const [a, b] = (await register(2)) as [number, number];
      await rewriteSample(store, b, Date.UTC(2021, 0, 1));
      const made = (expected: number[]) => ({
        ...batchOf(2, [
          { id: a, name: 'edited', cells: 'Mus musculus\tliver' },
          { id: b, name: 'edited', cells: 'Mus musculus\tliver' },
        ]),
        expected: Float64Array.from(expected),
      });
      const claimed = await claim();
      const outdated = { ...made([1, 1]), mayBeReadAgain: true as const };
      expect(await thrown(store.applyBatch(claimed, outdated, LAST))).toBeInstanceOf(OutdatedBatch);
      await untouched(claimed);
      expect((await store.readSample(a))?.sample.version).toBe(1);
      const anew = { ...made([1, 2]), mayBeReadAgain: true as const };
      const { submission } = await store.applyBatch(claimed, anew, LAST);
      expect(submission.counts).toMatchObject({ rows: 2, updated: 2 });
      // Whoever may not read it again has the row refused.
      const { chunk } = await store.applyBatch(await claim(), made([2, 1]), LAST);
      expect(chunk.rejected.map(({ line, issues }) => [line, issues[0]?.code])).toEqual([[3, 'row.changed-since']]);
    });

    it('are those of all or nothing that would register the first row behind one that the store refuses', async () => {
      const claimed = await claim({ mode: 'atomic' });
      const refused = await thrown(store.applyBatch(claimed, batchOf(2, [...named(2, 2), UNKNOWN]), LAST));
      expect(refused).toBeInstanceOf(RefusedBatch);
      const { rejected, lines } = refused as RefusedBatch;
      expect(rejected.map(({ line, issues }) => [line, issues[0]?.code])).toEqual([[4, 'identifier.unknown']]);
      expect(lines).toEqual([4]);
      await untouched(claimed);
      expect(await samples()).toBe(0);
    });

    it('are those of all or nothing behind rows that were refused, by whomever', async () => {
      const claimed = await claim({ mode: 'atomic' });
      const bad = { line: 4, name: 'bad', issues: [] };
      const within = { ...batchOf(2, named(2, 2)), toLine: 4, rejected: [bad] };
      expect(await thrown(store.applyBatch(claimed, within, LEASE))).toMatchObject({ rejected: [], lines: [4] });
      await untouched(claimed);
      const alone = { ...batchOf(2, []), toLine: 4, rejected: [bad] };
      const { chunk } = await store.applyBatch(claimed, alone, LEASE);
      expect(chunk.rejected).toHaveLength(1);
      expect(await thrown(store.applyBatch(claimed, batchOf(5, named(5, 2)), LEASE))).toBeInstanceOf(RefusedBatch);
      expect(await samples()).toBe(0);
    });

    it('are no others: rows that change nothing, dry runs, good rows alone, and what follows rows that are registered', async () => {
      const [a] = (await register(1)) as [number];
      const same: Row = { id: a, name: 'sample 2' };
      const unchanged = await store.applyBatch(await claim({ mode: 'atomic' }), batchOf(2, [same, UNKNOWN]), LAST);
      expect(unchanged.submission.counts).toMatchObject({ unchanged: 1, rejected: 1 });
      const dry = { mode: 'atomic', dryRun: true } as const;
      const shown = await store.applyBatch(await claim(dry), batchOf(2, [...named(2, 1), UNKNOWN]), LAST);
      expect(shown.submission.counts).toMatchObject({ created: 1, rejected: 1 });
      const claimed = await claim({ mode: 'atomic' });
      await store.applyBatch(claimed, batchOf(2, named(2, 2)), LEASE);
      const { submission } = await store.applyBatch(claimed, batchOf(4, [...named(4, 1), UNKNOWN]), LAST);
      expect(submission.counts).toMatchObject({ created: 3, rejected: 1 });
      const some = await store.applyBatch(await claim(), batchOf(2, [...named(8, 1), UNKNOWN]), LAST);
      expect(some.submission.counts).toMatchObject({ created: 1, rejected: 1 });
    });
  });
}
