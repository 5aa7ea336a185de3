/** What src/upkeep/upkeep-store.ts promises, on any adapter. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import type { Store } from '../../src/store/store.js';
import type { LedgerChunk } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, draft, named, type Row } from '../many-machines/store-samples.js';

const LATER = Date.UTC(2100, 0, 1);

export function upkeepStoreContract(name: string, open: (options: { prefix: string }) => Promise<Store>): void {
  describe(`upkeep store contract on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR' });
      await store.ensureAccount('ada', 1);
    });
    afterEach(() => store.close());

    /** A submission that has ended with these rows from line 2 on. */
    async function registered(rows: Row[], key?: string): Promise<string> {
      const { submission } = await store.accept(draft('ada'), { sameBytes: false, ...(key ? { key } : {}) });
      const claim = await claimNext(store);
      await store.applyBatch(claim, batchOf(2, rows), { leaseMs: 60_000, last: true });
      return submission.id;
    }
    const ledger = async (id: string): Promise<LedgerChunk[]> => {
      const chunks: LedgerChunk[] = [];
      for await (const chunk of store.ledger(id)) chunks.push(chunk);
      return chunks;
    };

    it('reads all samples in pages, and the line that wrote each version', async () => {
      const first = await registered(named(0, 5));
      const ids = await store.sampleIds(0, 100);
      expect(ids).toHaveLength(5);
      expect(await store.sampleIds(ids[1] as number, 2)).toEqual([ids[2], ids[3]]);
      const second = await registered([{ name: 'sample 2', cells: 'Mus musculus\tliver', id: ids[2] as number }]);
      expect(await store.versionOrigins(ids[1] as number, 2)).toEqual([
        { id: ids[1], version: 1, submissionId: first, line: 3 },
        { id: ids[2], version: 1, submissionId: first, line: 4 },
        { id: ids[2], version: 2, submissionId: second, line: 2 },
      ]);
      const records = await store.sampleRecords([ids[2] as number, 999_999_999, ids[0] as number]);
      expect(records.map(({ sample }) => [sample.id, sample.version]).sort()).toEqual(
        [
          [ids[0], 1],
          [ids[2], 2],
        ].sort(),
      );
    });

    it('counts samples that began in a table, whatever became of them, and knows the next number', async () => {
      await registered(named(0, 3));
      await store.createSample({
        draft: { name: 'json', release: 0, content: emptyContent() },
        account: 'ada',
        author: 'ada',
        via: 'JSON_API',
        placeholder: false,
      });
      const ids = await store.sampleIds(0, 100);
      await registered([{ name: 'sample 0', cells: 'other\tliver', id: ids[0] as number }]);
      expect(await store.countSamplesFromFiles()).toBe(3);
      expect(await store.nextAccession()).toBeGreaterThan(ids.at(-1) as number);
      expect(await store.integrityFaults()).toEqual([]);
    });

    it('settles once what all processes agree on, anew where that is asked for', async () => {
      expect(await store.settled('files')).toBeUndefined();
      expect(await Promise.all([store.settle('files', 'a'), store.settle('files', 'a')])).toEqual(['a', 'a']);
      expect(await store.settle('files', 'b')).toBe('a');
      await store.settleAnew('files', 'c');
      expect(await store.settled('files')).toBe('c');
      await store.settleAnew('files', undefined);
      expect(await store.settled('files')).toBeUndefined();
    });

    it('remembers when the last backup was taken', async () => {
      expect(await store.lastBackup()).toBeUndefined();
      await store.recordBackup(2_000);
      await store.recordBackup(1_000);
      expect(await store.lastBackup()).toBe(2_000);
      await store.recordBackup(3_000);
      expect(await store.lastBackup()).toBe(3_000);
    });

    it('forgets ledgers of old, says so to who asks for them, and keeps the samples', async () => {
      const id = await registered(named(0, 3));
      const { submission: active } = await store.accept(draft('ada'), { sameBytes: false });
      expect(await ledger(id)).toHaveLength(1);
      expect(await store.forgetLedgers(1)).toBe(0);
      expect(await store.ledgerGone(id)).toBe(false);
      expect(await store.forgetLedgers(LATER)).toBe(1);
      expect(await store.forgetLedgers(LATER)).toBe(0);
      expect([await store.ledgerGone(id), await store.ledgerGone(active.id)]).toEqual([true, false]);
      const gone = { code: 'submission.outcomes-gone', message: expect.stringContaining(id) };
      await expect(ledger(id)).rejects.toMatchObject(gone);
      await expect(store.requireLedger(id)).rejects.toMatchObject(gone);
      await store.requireLedger(active.id);
      expect(await store.sampleIds(0, 10)).toHaveLength(3);
    });

    it('names originals of old once, and remembers that they are gone', async () => {
      const id = await registered(named(0, 1));
      await store.accept(draft('ada'), { sameBytes: false });
      expect(await store.originalsFrom(1, 10)).toEqual([]);
      const due = await store.originalsFrom(LATER, 10);
      expect(due).toEqual([{ submissionId: id, blobKey: (await store.find(id))?.blobKey }]);
      expect(await store.originalGone(id)).toBe(false);
      await store.markOriginalsGone([id]);
      expect(await store.originalGone(id)).toBe(true);
      expect(await store.originalsFrom(LATER, 10)).toEqual([]);
      await store.markOriginalsGone([]);
    });

    it('names no original that a later submission has, which follows from the first, or one that is ACTIVE', async () => {
      const first = draft('ada');
      const later = draft('ada');
      const follow = { ...later, sha256: first.sha256, blobKey: first.blobKey };
      await store.accept(first, { sameBytes: false });
      await store.finish(await claimNext(store));
      const ended = (await store.find(first.id))?.updated as number;
      await store.accept(follow, { sameBytes: false });
      expect(await store.originalsFrom(LATER, 10)).toEqual([]);
      await store.applyBatch(await claimNext(store), batchOf(2, named(0, 1)), { leaseMs: 60_000, last: true });
      const afterwards = (await store.find(follow.id))?.updated as number;
      if (afterwards > ended) expect(await store.originalsFrom(afterwards, 10)).toEqual([]);
      const both = [first.id, follow.id].map((submissionId) => ({ submissionId, blobKey: first.blobKey }));
      expect(await store.originalsFrom(LATER, 10)).toEqual(both);
    });

    it('has the file of an upload that comes again for an original that is gone', async () => {
      const first = draft('ada');
      const accept = (one: typeof first, key?: string) =>
        store.accept({ ...one, sha256: first.sha256 }, { sameBytes: true, ...(key ? { key } : {}) });
      await store.accept(first, { sameBytes: true, key: 'k' });
      await store.applyBatch(await claimNext(store), batchOf(2, named(0, 1)), { leaseMs: 60_000, last: true });
      const fileOf = (one: typeof first) => ({ account: 'ada', sha256: first.sha256, blobKey: one.blobKey });
      const blobKey = async () => (await store.find(first.id))?.blobKey;
      const [second, third, fourth] = [1, 2, 3].map(() => {
        const id = randomUUID();
        return { ...draft('ada'), id, blobKey: id, crc32: 7 };
      }) as [typeof first, typeof first, typeof first];
      await accept(second);
      expect(await blobKey(), 'it is there').toBe(first.blobKey);
      expect([await store.hasOriginal(fileOf(first)), await store.hasOriginal(fileOf(second))]).toEqual([true, false]);
      await store.markOriginalsGone([first.id]);
      expect(await accept(third)).toMatchObject({
        kind: 'replayed',
        submission: { id: first.id, blobKey: third.blobKey, crc32: 7 },
      });
      expect(await store.originalGone(first.id)).toBe(false);
      expect(await store.hasOriginal(fileOf(third))).toBe(true);
      const files = [third.blobKey, second.blobKey, randomUUID()];
      expect(await store.originalsAmong(files)).toEqual([third.blobKey]);
      expect(await store.originalsAmong([])).toEqual([]);
      expect(await store.hasOriginal({ ...fileOf(third), account: 'bo' })).toBe(false);
      expect(await store.originalsFrom(LATER, 10)).toEqual([{ submissionId: first.id, blobKey: third.blobKey }]);
      await store.markOriginalsGone([first.id]);
      expect(await accept({ ...fourth, id: randomUUID() }), 'what follows another brings no file').toMatchObject({
        submission: { blobKey: third.blobKey },
      });
      await accept(fourth, 'k');
      expect(await blobKey(), 'by its key, too').toBe(fourth.blobKey);
    });

    it('has its file again when it goes on', async () => {
      const first = draft('ada');
      await store.accept(first, { sameBytes: true });
      await store.finish(await claimNext(store), { code: 'not-found', message: 'x', retryable: true });
      await store.markOriginalsGone([first.id]);
      const id = randomUUID();
      const again = { ...draft('ada'), id, blobKey: id, sha256: first.sha256 };
      const { submission } = await store.accept(again, { sameBytes: true });
      expect(submission).toMatchObject({ id: first.id, state: 'ACTIVE', blobKey: id });
      expect((await claimNext(store)).submission.blobKey).toBe(id);
    });

    it('forgets idempotency keys of submissions that ended long ago', async () => {
      await registered(named(0, 1), 'old');
      const { submission: active } = await store.accept(draft('ada'), { sameBytes: false, key: 'young' });
      expect(await store.forgetKeys(1)).toBe(0);
      expect(await store.forgetKeys(LATER)).toBe(1);
      expect((await store.accept(draft('ada'), { sameBytes: false, key: 'old' })).kind).toBe('accepted');
      const again = await store.accept(draft('ada', { sha256: active.sha256 }), { sameBytes: false, key: 'young' });
      expect(again).toMatchObject({ kind: 'replayed', submission: { id: active.id } });
    });
  });
}
