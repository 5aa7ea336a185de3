/** What relationships that wait promise (open-relationship-store.ts, and those of whole batches), on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { type Completion, HOLD, type LaidOutBatch, type OpenTarget } from '../../src/registry/samples/sample-batch.js';
import type { Store } from '../../src/store/store.js';
import type { OpenRelationship } from '../../src/submissions/open-relationship-store.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import type { Claim } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { idsOf } from './apply-batch.js';
import type { OpenStore } from './submission-store.js';

const GO_ON = { leaseMs: 60_000, last: false };
const LAST = { leaseMs: 60_000, last: true };
const target = (name: string, place = 0, type = 'derived from'): OpenTarget => ({ type, name, place });

function opening(batch: LaidOutBatch, open: [number, OpenTarget[]][]): LaidOutBatch {
  const documents = new Map(open.map(([row]) => [row, JSON.stringify(emptyContent())]));
  return { ...batch, documents, open: new Map(open) };
}

function completing(line: number, completes: [id: number, Completion][]): LaidOutBatch {
  const batch = batchOf(line, named(line, completes.length));
  return {
    ...batch,
    ids: Float64Array.from(completes, ([id]) => id),
    holds: new Uint8Array(completes.length).fill(HOLD.complete),
    completes: new Map(completes.map(([, completion], row) => [row, completion])),
  };
}

export function openRelationshipsContract(name: string, open: OpenStore): void {
  describe(`open relationships contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const claim = async (options: Partial<UploadOptions> = {}, account = 'ada'): Promise<Claim> => {
      const base = draft(account);
      await store.accept({ ...base, options: { ...base.options, ...options } }, { sameBytes: false });
      return claimNext(store);
    };
    const listed = async (account = 'ada') =>
      (await store.openRelationships({ account }, undefined, 100)).map((row) => [row.name, row.sample]);
    const relationships = async (id: number) => (await store.readSample(id))?.sample.content.relationships;

    it('opens with the rows that are written, and lists by name and by submission, page by page', async () => {
      const first = await claim();
      const opened = opening(batchOf(2, named(2, 4)), [
        [0, [target('b'), target('a', 1)]],
        [2, [target('a'), target('ä\u0000\u001f\ud83d\ude00', 1, 'x\u0001')]],
      ]);
      const ids = idsOf((await store.applyBatch(first, opened, LAST)).chunk.created) as [number, number, number];
      const other = await claim({}, 'bo');
      await store.applyBatch(other, opening(batchOf(2, named(2, 1)), [[0, [target('a')]]]), LAST);
      const dry = await claim({ dryRun: true });
      await store.applyBatch(dry, opening(batchOf(2, named(2, 1)), [[0, [target('never')]]]), LAST);
      const all: OpenRelationship[] = [];
      for (;;) {
        const page = await store.openRelationships({ account: 'ada' }, all.at(-1), 1);
        all.push(...page);
        if (page.length === 0) break;
      }
      expect(all.map((row) => [row.name, row.type, row.sample, row.place, row.line])).toEqual([
        ['a', 'derived from', ids[0], 1, 2],
        ['a', 'derived from', ids[2], 0, 4],
        ['b', 'derived from', ids[0], 0, 2],
        ['ä\u0000\u001f\ud83d\ude00', 'x\u0001', ids[2], 1, 4],
      ]);
      expect(new Set(all.map(({ submissionId }) => submissionId))).toEqual(new Set([first.submission.id]));
      const own = { submissionId: first.submission.id };
      const [one] = await store.openRelationships(own, undefined, 1);
      expect(one).toMatchObject({ sample: ids[0], name: 'a' });
      expect(await store.openRelationships(own, one, 10)).toHaveLength(3);
      expect(await store.countOpenRelationships(first.submission)).toBe(0);
      expect(await store.countOpenRelationships(dry.submission)).toBe(4);
      expect(await listed('nobody')).toEqual([]);
    });

    it('ends no upload that writes while something of the account waits, and every other one', async () => {
      const opens = await claim();
      const batch = opening(batchOf(2, named(2, 1)), [[0, [target('b')]]]);
      expect((await store.applyBatch(opens, batch, LAST)).submission.state).toBe('ACTIVE');
      // Applied before, its answer lost.
      expect((await store.applyBatch(opens, batch, LAST)).submission.state).toBe('ACTIVE');
      expect((await store.finish(opens)).state).toBe('COMPLETED');
      const stateOf = async (options: Partial<UploadOptions>, account = 'ada') =>
        (await store.applyBatch(await claim(options, account), batchOf(2, named(2, 1)), LAST)).submission.state;
      expect(await stateOf({})).toBe('ACTIVE');
      expect(await stateOf({ dryRun: true })).toBe('COMPLETED');
      expect(await stateOf({ undoOf: opens.submission.id })).toBe('COMPLETED');
      expect(await stateOf({}, 'bo')).toBe('COMPLETED');
    });

    it('lets an upload that brings a name end, or one that waits for it find it, whichever comes first', async () => {
      for (let round = 0; round < 20; round++) {
        const account = `lab ${round}`;
        const [brings, waits] = [await claim({}, account), await claim({}, account)];
        const brought = batchOf(2, named(2, 1));
        const [ended, found] = await Promise.all([
          store.applyBatch(brings, brought, LAST).then(({ submission }) => submission.state === 'COMPLETED'),
          store
            .applyBatch(waits, opening(batchOf(50, named(50, 1)), [[0, [target('sample 2')]]]), GO_ON)
            .then(() => store.namedAmong(account, { first: 1, count: 1000 }, ['sample 2'])),
        ]);
        if (ended) expect(found).toHaveLength(1);
      }
    });

    it('completes what waits, each at its place, once, and knows the name from then on', async () => {
      const first = await claim();
      const targets = [target('b'), target('c', 1), target('a', 2)];
      const batch = opening(batchOf(2, named(2, 2)), [[0, targets]]);
      const [id, come] = idsOf((await store.applyBatch(first, batch, LAST)).chunk.created) as [number, number];
      const second = await claim();
      const complete = (name: string): [number, Completion] => [
        id,
        { own: false, targets: [{ type: 'derived from', name, target: come }] },
      ];
      const { chunk, submission } = await store.applyBatch(second, completing(2, [complete('a')]), GO_ON);
      expect(chunk.completed).toEqual([[2, id, 1]]);
      expect(submission.counts.rows).toBe(0);
      // The same name again, one that never waited, and a sample that is not there.
      const nobody: [number, Completion] = [9_999, complete('a')[1]];
      const idle = await store.applyBatch(second, completing(3, [complete('a'), nobody]), GO_ON);
      expect(idle.chunk).toMatchObject({ rejected: [], updated: [] });
      expect(idle.chunk.completed).toBeUndefined();
      expect(await listed()).toEqual([
        ['b', id],
        ['c', id],
      ]);
      expect(await store.completedNames('ada', ['a', 'b'])).toEqual(new Map([['a', come]]));
      expect(await store.completedNames('bo', ['a'])).toEqual(new Map());
      const third = await store.applyBatch(
        second,
        completing(5, [[id, { own: true, targets: [{ type: 'derived from', name: 'b', target: id }] }]]),
        GO_ON,
      );
      expect(third.chunk.completedOwn).toEqual([[5, id, 1]]);
      expect((await relationships(id))?.map((each) => each.target)).toEqual([`SAMR${id}`, `SAMR${come}`]);
      expect((await store.readSample(id))?.sample).toMatchObject({ version: 3, submissionId: second.submission.id });
    });

    it('gives up what a row says anew and what is undone, and opens again what was completed by it', async () => {
      const first = await claim();
      const batch = opening(batchOf(2, named(2, 2)), [
        [0, [target('a')]],
        [1, [target('b')]],
      ]);
      const [id, kept] = idsOf((await store.applyBatch(first, batch, LAST)).chunk.created) as [number, number];
      const second = await claim();
      const completion: Completion = { own: false, targets: [{ type: 'derived from', name: 'a', target: kept }] };
      await store.applyBatch(second, completing(2, [[id, completion]]), LAST);
      const content = JSON.stringify(emptyContent());
      const undo = async (line: number, sample: number, undoes: string) => {
        const plain = batchOf(line, named(line, 1));
        const back = { ...plain, ids: Float64Array.of(sample), documents: new Map([[0, content]]), undoes };
        return store.applyBatch(await claim({ undoOf: undoes }), back, LAST);
      };
      await undo(2, id, second.submission.id);
      expect(await relationships(id)).toEqual([]);
      expect(await listed()).toEqual([
        ['a', id],
        ['b', kept],
      ]);
      await undo(3, id, first.submission.id);
      expect(await listed()).toEqual([['b', kept]]);
      const row = (id: number) => ({ ...batchOf(2, named(70, 1)), ids: Float64Array.of(id) });
      await store.applyBatch(await claim({ update: 'merge' }), row(kept), LAST);
      expect(await listed()).toEqual([['b', kept]]);
      await store.applyBatch(
        await claim(),
        {
          ...row(kept),
          documents: new Map([[0, JSON.stringify({ ...emptyContent(), characteristics: { x: [{ text: '1' }] } })]]),
        },
        LAST,
      );
      expect(await listed()).toEqual([]);
    });

    // In rows of their own, and in blocks, which begin with eight samples.
    it.each([5, 9])('finds samples of an account by name within their numbers, of %d', async (count) => {
      const ids = idsOf((await store.applyBatch(await claim(), batchOf(2, named(2, count)), LAST)).chunk.created);
      const [first, , , fourth] = ids as [number, number, number, number];
      const within = (samples: number, account = 'ada') =>
        store.namedAmong(account, { first, count: samples }, ['sample 2', 'sample 5', 'none']);
      expect(await within(5)).toEqual([
        { id: first, name: 'sample 2' },
        { id: fourth, name: 'sample 5' },
      ]);
      expect(await within(3)).toHaveLength(1);
      expect(await within(5, 'bo')).toEqual([]);
    });
  });
}
