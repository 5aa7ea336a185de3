/** A batch is applied as it is when its turn comes, whatever a store has prepared of it while the one before was applied. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchName, type LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { Store } from '../../src/store/store.js';
import { holdBack } from '../../src/submissions/processing/finish-batch.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { idsOf, linesOf } from './apply-batch.js';
import type { OpenStore } from './submission-store.js';

const ROWS = 70;
const LEASE = { leaseMs: 60_000, last: false };
const from = (nth: number): number => 2 + nth * ROWS;
const batch = (nth: number): LaidOutBatch => batchOf(from(nth), named(from(nth), ROWS));

export function nextBatchesContract(name: string, open: OpenStore): void {
  describe(`contract of batches that follow on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const claimed = async (account = 'ada', options: object = {}): Promise<Claim> => {
      const base = draft(account);
      await store.accept({ ...base, options: { ...base.options, ...options } }, { sameBytes: true });
      return await claimNext(store);
    };
    /** Ids of the samples that the batch registers, each of which is its row's and of that submission. */
    const applied = async (claim: Claim, asked: LaidOutBatch, next?: LaidOutBatch): Promise<number[]> => {
      const names = Array.from({ length: asked.count }, (_, row) => batchName(asked, row));
      const { chunk } = await store.applyBatch(claim, asked, { ...LEASE, ...(next ? { next } : {}) });
      const ids = idsOf(chunk.created);
      const lines = linesOf(chunk.created);
      const { account, id: submissionId } = claim.submission;
      for (const [at, id] of ids.entries()) {
        const { sample } = (await store.readSample(id)) ?? {};
        const line = lines[at] as number;
        expect(sample).toMatchObject({ account, submissionId, line, version: 1, created: clock, updated: clock });
        expect(names[line - asked.fromLine]).toBe(sample?.name);
      }
      return ids;
    };

    it('each registers its own rows once, one after the other', async () => {
      const claim = await claimed();
      const batches = Array.from({ length: 5 }, (_, nth) => batch(nth));
      const ids: number[] = [];
      for (const [nth, one] of batches.entries()) ids.push(...(await applied(claim, one, batches[nth + 1])));
      expect(new Set(ids).size).toBe(5 * ROWS);
      expect((await store.find(claim.submission.id))?.counts).toMatchObject({ rows: 5 * ROWS, created: 5 * ROWS });
    });

    it('says when it was registered, not when it was prepared', async () => {
      const claim = await claimed();
      const [one, two] = [batch(0), batch(1)];
      await applied(claim, one, two);
      clock += 3_600_000;
      await applied(claim, two);
      const third = batch(2);
      clock -= 1000;
      await applied(claim, third);
    });

    it('keeps the lease for as long as is asked, however long ago it was prepared', async () => {
      const claim = await claimed();
      const [one, two] = [batch(0), batch(1)];
      await store.applyBatch(claim, one, { ...LEASE, next: two });
      clock += 900;
      await store.applyBatch(claim, two, LEASE);
      clock += 59_900;
      expect(await claimNext(store)).toBeUndefined();
    });

    it('registers none of the rows that are held back meanwhile, and all of the one behind it', async () => {
      const claim = await claimed();
      const [one, two, three] = [batch(0), batch(1), batch(2)];
      await applied(claim, one, two);
      holdBack(two, 'allOrNothing');
      expect(await applied(claim, two, three)).toEqual([]);
      expect(await applied(claim, three)).toHaveLength(ROWS);
      expect((await store.find(claim.submission.id))?.counts).toMatchObject({ created: 2 * ROWS, rejected: ROWS });
    });

    it('registers a row less for each that means a sample by then', async () => {
      const claim = await claimed();
      const [one, two] = [batch(0), batch(1)];
      const [first] = await applied(claim, one, two);
      two.ids[3] = first as number;
      expect(await applied(claim, two)).toHaveLength(ROWS - 1);
      expect((await store.readSample(first as number))?.sample).toMatchObject({
        version: 2,
        name: `sample ${from(1) + 3}`,
      });
    });

    it('is of the submission that it is applied for', async () => {
      const claim = await claimed('ada');
      const two = batch(1);
      const ids = await applied(claim, batch(0), two);
      const other = await claimed('bo');
      const rows = await applied(other, { ...two, fromLine: 2, toLine: 1 + ROWS, lines: batch(0).lines });
      const again = await applied(other, batch(1));
      expect(new Set([...ids, ...rows, ...again]).size).toBe(3 * ROWS);
      const third = await claimed('ada');
      expect(new Set([...ids, ...(await applied(third, two))]).size).toBe(2 * ROWS);
    });

    it('shares no number with what others register meanwhile', async () => {
      const [ada, bo] = [await claimed('ada'), await claimed('bo')];
      const [one, two, three, four] = [batch(0), batch(1), batch(0), batch(1)];
      const ids = await applied(ada, one, two);
      ids.push(...(await applied(bo, three, four)));
      ids.push(...(await applied(ada, two)), ...(await applied(bo, four)));
      expect(new Set(ids).size).toBe(4 * ROWS);
    });

    it('is refused to a worker whose claim is over, and registers nothing', async () => {
      const claim = await claimed();
      const [one, two] = [batch(0), batch(1)];
      await applied(claim, one, two);
      clock += 120_000;
      const later = await claimNext(store);
      await expect(store.applyBatch(claim, two, LEASE)).rejects.toMatchObject({ code: 'claim.lost' });
      expect(await applied(later, batch(1))).toHaveLength(ROWS);
    });

    it('gets no numbers in a dry run', async () => {
      const claim = await claimed('ada', { dryRun: true });
      const before = await store.nextAccession();
      const [one, two] = [batch(0), batch(1)];
      await store.applyBatch(claim, one, { ...LEASE, next: two });
      await store.applyBatch(claim, two, LEASE);
      expect(await store.nextAccession()).toBe(before);
    });
  });
}
