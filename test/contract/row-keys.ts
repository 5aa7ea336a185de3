/** What keys promise (sample-key-store.ts, and those of whole batches), on any adapter. Over 300 lines: one list. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REQUEST_KEYS } from '../../src/registry/samples/repeated-requests.js';
import { MOST_KEY_SPACES } from '../../src/registry/samples/row-key.js';
import { emptyContent } from '../../src/registry/samples/sample.js';
import { HOLD, type LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import type { NewSample } from '../../src/registry/samples/sample-store.js';
import type { Store } from '../../src/store/store.js';
import type { UploadOptions } from '../../src/submissions/submission.js';
import type { BatchResult, Claim } from '../../src/submissions/submission-store.js';
import { batchOf, claimNext, draft, named } from '../many-machines/store-samples.js';
import { idsOf } from './apply-batch.js';
import type { OpenStore } from './submission-store.js';

const LAST = { leaseMs: 60_000, last: true };
const at = (key: string, space = 'lims', account = 'ada') => ({ account, space, key });
const sample = (name: string, account = 'ada'): NewSample => ({
  draft: { name, release: 0, content: emptyContent() },
  account,
  author: account,
  via: 'JSON_API',
  placeholder: false,
});

/** The names of the batch's rows are their keys. */
function byName(batch: LaidOutBatch, meant?: number[]): LaidOutBatch {
  const keys = new Uint32Array(batch.count * 2);
  for (let row = 0; row < batch.count; row++) {
    keys.set(batch.spans.subarray(row * 4, row * 4 + 2), row * 2);
  }
  return { ...batch, keys, ...(meant ? { meant: Float64Array.from(meant) } : {}) };
}

export function rowKeysContract(name: string, open: OpenStore): void {
  describe(`keys contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const accepted = async (options: Partial<UploadOptions> = {}, account = 'ada') => {
      const base = draft(account);
      const keyed = { ...base.options, key: 'Sample Name', keySpace: 'lims', ...options };
      await store.accept({ ...base, options: keyed }, { sameBytes: false });
    };
    const claim = async (options?: Partial<UploadOptions>, account?: string): Promise<Claim> => {
      await accepted(options, account);
      return claimNext(store);
    };
    const upload = async (first: number, count: number, options: Partial<UploadOptions> = {}): Promise<BatchResult> =>
      store.applyBatch(await claim(options), byName(batchOf(first, named(first, count))), LAST);
    const codes = ({ chunk }: BatchResult) => chunk.rejected.map(({ line, issues }) => [line, issues[0]?.code]);

    it('registers rows whose keys nobody has, and knows them again', async () => {
      const first = await upload(2, 30);
      const ids = idsOf(first.chunk.created);
      expect(ids).toHaveLength(30);
      expect(await store.findKey(at('sample 5'))).toBe(ids[3]);
      expect(await store.findKey(at('sample 5', 'other'))).toBeUndefined();
      expect(await store.findKey(at('sample 5', 'lims', 'bo'))).toBeUndefined();
      const again = await upload(2, 40);
      expect(idsOf(again.chunk.unchanged)).toEqual(ids);
      expect(idsOf(again.chunk.created)).toHaveLength(10);
      const elsewhere = await upload(2, 3, { keySpace: 'other' });
      expect(idsOf(elsewhere.chunk.created)).toHaveLength(3);
    });

    it('keeps keys letter by letter, whatever they hold', async () => {
      for (const key of ['A', 'a', 'ä', '\u001f', '\u0001n', '"', '𝒳', "'; drop"]) {
        const made = await store.createWithKey(sample(key), at(key));
        expect(made).toMatchObject({ created: { name: key } });
        expect(await store.findKey(at(key))).toBe('created' in made ? made.created.id : 0);
      }
    });

    it('refuses rows that only may update or only may create, and rows whose accession disagrees', async () => {
      const ids = idsOf((await upload(2, 2)).chunk.created);
      expect(codes(await upload(2, 3, { onlyCreate: true }))).toEqual([
        [2, 'key.exists'],
        [3, 'key.exists'],
      ]);
      expect(codes(await upload(2, 4, { onlyUpdate: true }))).toEqual([[5, 'key.unknown']]);
      const crossed = byName(batchOf(2, named(2, 2)));
      crossed.ids.set([ids[1] as number, 0]);
      expect(codes(await store.applyBatch(await claim(), crossed, LAST))).toEqual([[2, 'key.of-another']]);
      const renamed = byName(batchOf(90, named(90, 1)));
      renamed.ids.set([ids[0] as number]);
      expect(codes(await store.applyBatch(await claim(), renamed, LAST))).toEqual([[90, 'key.differs']]);
      expect(await store.findKey(at('sample 90'))).toBeUndefined();
    });

    it('gives a sample without a key that of its row, and what a line meant before counts only then', async () => {
      const { id } = await store.createSample(sample('old'));
      const naming = byName(batchOf(2, named(2, 1)));
      naming.ids.set([id]);
      await store.applyBatch(await claim(), naming, LAST);
      expect(await store.findKey(at('sample 2'))).toBe(id);
      const free = (await store.createSample(sample('free'))).id;
      const meant = await store.applyBatch(await claim(), byName(batchOf(3, named(3, 2)), [free, id]), LAST);
      expect(idsOf(meant.chunk.updated)).toEqual([free]);
      expect(idsOf(meant.chunk.created)).toHaveLength(1);
      expect(await store.findKey(at('sample 3'))).toBe(free);
    });

    it('gives no key for a row that is refused, nor in a dry run', async () => {
      const foreign = await store.createSample(sample('of bo', 'bo'));
      const naming = byName(batchOf(2, named(2, 1)));
      naming.ids.set([foreign.id]);
      expect(codes(await store.applyBatch(await claim(), naming, LAST))).toEqual([[2, 'identifier.not-yours']]);
      const dry = await upload(7, 3, { dryRun: true });
      expect(dry.submission.counts.created).toBe(3);
      for (const key of ['sample 2', 'sample 7']) expect(await store.findKey(at(key))).toBeUndefined();
    });

    it('holds a commit to what was shown: a key that somebody gave meanwhile is refused', async () => {
      const batch = byName(batchOf(2, named(2, 2)));
      batch.expected = Float64Array.from([0, 0]);
      const claimed = await claim({ commitOf: { submissionId: '0' } });
      await store.createWithKey(sample('x'), at('sample 3'));
      expect(codes(await store.applyBatch(claimed, batch, LAST))).toEqual([[3, 'row.not-as-shown']]);
    });

    it('takes keys back with the upload that gave them, and every key of what is withdrawn', async () => {
      const kept = (await store.createSample(sample('kept'))).id;
      const giving = byName(batchOf(2, named(2, 2)));
      giving.ids.set([kept]);
      const given = await store.applyBatch(await claim(), giving, LAST);
      const [created = 0] = idsOf(given.chunk.created);
      await store.giveKey(at('second', 'other'), created);
      const undo = batchOf(2, named(2, 2));
      undo.ids.set([kept, created]);
      undo.holds = Uint8Array.from([0, 1]);
      undo.keysOf = { submissionId: given.submission.id, unchanged: [] };
      await store.applyBatch(await claim({ undoOf: given.submission.id }), undo, LAST);
      for (const key of [at('sample 2'), at('sample 3'), at('second', 'other')])
        expect(await store.findKey(key)).toBeUndefined();
      expect((await store.readSample(created))?.sample.adminStatus).toBe('KILLED');
    });

    it('lets one upload into a key space at a time, others and dry runs beside it', async () => {
      const first = await claim();
      await accepted();
      expect(await store.countClaimable('large')).toBe(0);
      await accepted({ keySpace: 'other' });
      await accepted({}, 'bo');
      expect(await store.countClaimable('large')).toBe(2);
      await store.finish(first);
      expect(await store.countClaimable('large')).toBe(3);
    });

    it('lists the keys of a space in their order, page by page', async () => {
      await upload(2, 7);
      await upload(2, 3, { keySpace: 'other' });
      const place = { account: 'ada', options: { ...draft('ada').options, key: 'Sample Name', keySpace: 'lims' } };
      const keys: string[] = [];
      for (let after: string | undefined; ; after = keys.at(-1)) {
        const page = await store.keyedSamples(place, after, 3);
        for (const { key, sample: id } of page) expect(await store.findKey(at(key))).toBe(id);
        keys.push(...page.map(({ key }) => key));
        if (page.length < 3) break;
      }
      expect(keys).toEqual([2, 3, 4, 5, 6, 7, 8].map((n) => `sample ${n}`));
      const nowhere = { ...place, options: { ...place.options, keySpace: 'nowhere' } };
      expect(await store.keyedSamples(nowhere, undefined, 3)).toEqual([]);
    });

    it('tells the samples that no status holds back from those that were withdrawn', async () => {
      const [first, second, third] = idsOf((await upload(2, 3)).chunk.created) as [number, number, number];
      const fate = (id: number, adminStatus: 'KILLED' | 'MISSING') =>
        store.updateSample(id, ({ sample: { name, release, content } }) => ({
          kind: 'update',
          draft: { name, release, content },
          provenance: { author: 'ada', via: 'JSON_API' },
          adminStatus,
        }));
      await fate(second, 'MISSING');
      expect(await store.unheldSamples([third, second, first, 999_999])).toEqual([first, third]);
      await fate(third, 'KILLED');
      expect(await store.unheldSamples([first, second, third])).toEqual([first]);
      expect(await store.unheldSamples([])).toEqual([]);
    });

    it('has everything else of a key space wait for the plan of a standing sheet, and keeps what it decided', async () => {
      const plan = await claim({ standing: 'lims', dryRun: true });
      await accepted();
      await accepted({ dryRun: true });
      expect(await store.countClaimable('large')).toBe(0);
      await store.applyBatch(plan, byName(batchOf(2, named(2, 2))), { leaseMs: 60_000, last: false });
      const standing = { decision: 'WAITING', samples: 0, missing: 0 } as const;
      const last = { ...batchOf(4, []), toLine: 4, standing };
      const { submission } = await store.applyBatch(plan, last, LAST);
      expect([submission.state, submission.standing]).toEqual(['COMPLETED', standing]);
      expect((await store.find(submission.id))?.standing).toEqual(standing);
      expect(await store.countClaimable('large')).toBe(1);
    });

    it('has what came behind a plan wait for its commit by itself too, and that one for nothing behind the plan', async () => {
      const bytes = { sha256: 'd'.repeat(64) };
      const send = async (options: Partial<UploadOptions>, more: { sha256?: string } = {}): Promise<string> => {
        const base = draft('ada', more);
        const keyed = { ...base.options, key: 'Sample Name', standing: 'lims', ...options };
        return (await store.accept({ ...base, options: keyed }, { sameBytes: false })).submission.id;
      };
      // Came before without keys, so that uploads of these bytes wait for each other.
      const base = draft('ada', bytes);
      const earlierUpload = (await store.accept(base, { sameBytes: false })).submission.id;
      await store.applyBatch(await claimNext(store), batchOf(2, named(2, 1)), LAST);
      const [plan, nextPlan] = [await send({ dryRun: true }, bytes), await send({ dryRun: true })];
      const rows = await send({}, bytes);
      const claimed = await claimNext(store);
      const commitOf = { submissionId: plan, earlierUpload, automatic: true } as const;
      const commit = await send({ commitOf }, bytes);
      expect([claimed.submission.id, await store.countClaimable('large')]).toEqual([plan, 0]);
      await store.finish(claimed);
      for (const expected of [commit, nextPlan, rows]) {
        expect(await store.countClaimable('large')).toBe(1);
        const next = await claimNext(store);
        expect(next.submission.id).toBe(expected);
        await store.finish(next);
      }
    });

    it('finds the commit of a later plan of the same standing sheet, unless it came to nothing or was undone', async () => {
      const send = async (options: Partial<UploadOptions>, more: { account?: string } = {}): Promise<string> => {
        const { account = 'ada' } = more;
        const base = draft(account, { sha256: 'e'.repeat(64) });
        const keyed = { ...base.options, key: 'Sample Name', standing: 'lims', ...options };
        return (await store.accept({ ...base, options: keyed }, { sameBytes: false })).submission.id;
      };
      const commitOf = (submissionId: string) => ({ commitOf: { submissionId } });
      const plans = [await send({ dryRun: true }), await send({ dryRun: true })] as const;
      const [first, second] = plans;
      const later = () => Promise.all(plans.map((id) => store.findNewerCommit({ id })));
      const elsewhere = await send({ dryRun: true, standing: 'other' });
      const foreign = await send({ dryRun: true }, { account: 'bo' });
      await send({ standing: 'other', ...commitOf(elsewhere) });
      await send(commitOf(foreign), { account: 'bo' });
      await send(commitOf(first));
      expect(await later()).toEqual([undefined, undefined]);
      const cancelled = await send(commitOf(second));
      expect(await later()).toEqual([cancelled, undefined]);
      await store.cancel(cancelled);
      expect(await later()).toEqual([undefined, undefined]);
      const commit = await send(commitOf(second));
      expect(await later()).toEqual([commit, undefined]);
      const undo = await send({ undoOf: commit });
      expect(await later()).toEqual([undefined, undefined]);
      await store.cancel(undo);
      expect(await later()).toEqual([commit, undefined]);
      expect(await store.findNewerCommit(draft('ada'))).toBeUndefined();
    });

    describe('where an upload with keys FAILED, and others came into its space since', () => {
      const FAULT = { code: 'storage.full', message: 'm', retryable: true };
      const send = async (options: Partial<UploadOptions>, key?: string, account = 'ada'): Promise<string> => {
        const base = draft(account, { sha256: key ?? 'later' });
        const keyed = { ...base.options, key: 'Sample Name', keySpace: 'lims', ...options };
        const rule = { sameBytes: false, ...(key === undefined ? {} : { key }) };
        return (await store.accept({ ...base, options: keyed }, rule)).submission.id;
      };
      const fail = async (more: Partial<UploadOptions> = {}): Promise<string> => {
        const id = await send(more, 'night 1');
        const claimed = await claimNext(store);
        await store.applyBatch(claimed, byName(batchOf(2, named(2, 2))), { leaseMs: 60_000, last: false });
        await store.finish(claimed, FAULT);
        return id;
      };
      const stateOf = async (id: string) => (await store.find(id))?.state;

      it('lets it go on by no way while a later one writes, has written, or stopped half-way', async () => {
        const failed = await fail();
        const refused = async (later: string): Promise<void> => {
          expect(await store.findNewerRows({ id: failed })).toBe(later);
          await expect(store.retry(failed)).rejects.toMatchObject({
            code: 'submission.final',
            message: expect.stringMatching(`${later}.*send it again`),
          });
          expect(await send({}, 'night 1')).toBe(failed);
          expect(await stateOf(failed)).toBe('FAILED');
        };
        const second = await send({});
        const claimed = await claimNext(store);
        await refused(second);
        await store.applyBatch(claimed, byName(batchOf(2, named(2, 2))), { leaseMs: 60_000, last: false });
        await store.finish(claimed, FAULT);
        await refused(second);
        await store.retry(second);
        await store.applyBatch(await claimNext(store), byName(batchOf(4, named(4, 1))), LAST);
        await refused(second);
        const undo = await send({ undoOf: second });
        expect(await store.retry(failed)).toMatchObject({ state: 'ACTIVE' });
        expect(await stateOf(undo)).toBe('ACTIVE');
      });

      it('lets it go on where nothing came that it sets back', async () => {
        const failed = await fail();
        const before = await send({ dryRun: true });
        await store.applyBatch(await claimNext(store), byName(batchOf(2, named(2, 1))), LAST);
        for (const elsewhere of [send({ keySpace: 'other' }), send({}, undefined, 'bo')]) {
          await elsewhere;
          await store.applyBatch(await claimNext(store), byName(batchOf(2, named(2, 1))), LAST);
        }
        await send({});
        await store.finish(await claimNext(store), FAULT);
        const waiting = await send({});
        expect(await store.retry(failed)).toMatchObject({ state: 'ACTIVE' });
        const claimed = await claimNext(store);
        expect(claimed.submission.id).toBe(failed);
        expect(await store.findNewerRows({ id: failed })).toBeUndefined();
        await store.applyBatch(claimed, byName(batchOf(4, named(4, 1))), LAST);
        expect((await claimNext(store)).submission.id).toBe(waiting);
        expect(await store.findNewerRows({ id: before })).toBeUndefined();
      });

      it('counts the commit of a plan by itself as having come with its plan', async () => {
        const plan = await send({ dryRun: true, standing: 'lims' });
        const claimed = await claimNext(store);
        const between = await send({});
        const commit = await send({ standing: 'lims', commitOf: { submissionId: plan, automatic: true } });
        await store.finish(claimed);
        await store.finish(await claimNext(store), FAULT);
        await store.applyBatch(await claimNext(store), byName(batchOf(2, named(2, 1))), LAST);
        expect(await stateOf(between)).toBe('COMPLETED');
        await expect(store.retry(commit)).rejects.toThrow(between);
        expect(await store.findNewerRows({ id: between })).toBeUndefined();
      });
    });

    it('withdraws samples that a standing sheet has no more, beside its rows, and leaves those that changed', async () => {
      const [one = 0, two = 0, three = 0] = idsOf((await upload(2, 3)).chunk.created);
      const missing = (ids: number[], expected: number[]): LaidOutBatch => ({
        ...batchOf(9, named(9, ids.length)),
        ids: Float64Array.from(ids),
        expected: Float64Array.from(expected),
        holds: new Uint8Array(ids.length).fill(HOLD.missing),
      });
      const statusOf = async (id: number) => (await store.readSample(id))?.sample.adminStatus;
      const standing = { standing: 'lims', missing: 'withdraw' } as const;
      const planned = await store.applyBatch(await claim({ ...standing, dryRun: true }), missing([one], [0]), LAST);
      expect([planned.chunk.missing, planned.chunk.seen]).toEqual([[[9, one, 1]], [[9, 1, 1]]]);
      expect(await statusOf(one)).toBeUndefined();
      const { chunk, submission } = await store.applyBatch(
        await claim(standing),
        missing([one, two, three], [1, 1, 7]),
        LAST,
      );
      expect([chunk.missing, chunk.left, chunk.updated, chunk.rejected]).toEqual([[[9, one, 2]], 1, [], []]);
      expect(submission.counts).toEqual({ rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 });
      expect(await Promise.all([one, two, three].map(statusOf))).toEqual(['MISSING', 'MISSING', undefined]);
      expect((await store.readSample(one))?.sample.version).toBe(2);
      expect(await store.findKey(at('sample 2'))).toBe(one);
      const again = await store.applyBatch(await claim(standing), missing([one], [0]), LAST);
      expect([again.chunk.missing, again.chunk.left]).toEqual([undefined, undefined]);
      const back = await store.applyBatch(await claim(standing), byName(batchOf(2, named(2, 3))), LAST);
      expect(back.submission.counts).toMatchObject({ updated: 2, unchanged: 1 });
      expect(await statusOf(one)).toBeUndefined();
    });

    it('gives a key once, whoever asks for it at the same instant', async () => {
      const claimed = await claim();
      const batch = byName(batchOf(2, named(2, 20)));
      const others = Array.from({ length: 10 }, () => store.createWithKey(sample('x'), at('sample 7')));
      const [applied, ...made] = await Promise.all([store.applyBatch(claimed, batch, LAST), ...others]);
      const created = made.filter((each) => 'created' in each).length;
      expect(created + (applied as BatchResult).submission.counts.created).toBe(20);
      const id = await store.findKey(at('sample 7'));
      for (const each of made) expect('created' in each ? each.created.id : each.id).toBe(id);
    });

    it('gives and takes single keys', async () => {
      const one = (await store.createSample(sample('one'))).id;
      const two = (await store.createSample(sample('two'))).id;
      expect(await store.giveKey(at('k'), one)).toEqual({ given: true });
      for (const id of [one, two]) expect(await store.giveKey(at('k'), id)).toEqual({ id: one });
      expect(await store.giveKey(at('l'), one)).toEqual({ other: 'k' });
      expect(await store.takeKey(at('k', 'other'))).toBe(false);
      expect(await store.takeKey(at('k'))).toBe(true);
      expect(await store.takeKey(at('k'))).toBe(false);
      expect(await store.giveKey(at('k'), two)).toEqual({ given: true });
    });

    it('says what is known of keys and samples', async () => {
      const [a = 0, b = 0] = idsOf((await upload(2, 2)).chunk.created);
      const asked = { account: 'ada', options: { ...draft('ada').options, key: 'Sample Name', keySpace: 'lims' } };
      const known = await store.knownKeys(asked, ['sample 2', 'none'], [b, 999]);
      expect([...known.samples]).toEqual([['sample 2', a]]);
      expect(known.keys.get(b)).toBe('sample 3');
      const empty = await store.knownKeys({ ...asked, account: 'nobody' }, ['sample 2'], [a]);
      expect([empty.samples.size, empty.keys.size]).toEqual([0, 0]);
    });

    it('has room for so many key spaces of an account', async () => {
      for (let n = 0; n < MOST_KEY_SPACES; n++) await store.createWithKey(sample('x'), at('k', `space-${n}`));
      await expect(store.createWithKey(sample('x'), at('k', 'one-more'))).rejects.toMatchObject({ code: 'conflict' });
      await store.createWithKey(sample('x'), at('l', 'space-0'));
      await store.createWithKey(sample('x'), at('k', 'of-bo', 'bo'));
      // Keys of requests are in none of them.
      await store.createWithKey(sample('x'), at('k', REQUEST_KEYS));
    });

    it('counts the keys of requests for no key space of an account', async () => {
      await store.createWithKey(sample('x'), at('k', REQUEST_KEYS));
      for (let n = 0; n < MOST_KEY_SPACES; n++) await store.createWithKey(sample('x'), at('k', `space-${n}`));
    });
  });
}
