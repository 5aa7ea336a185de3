/** What src/submissions/submission-store.ts promises, on any adapter: accepting, claiming, ending. Batches: apply-batch.ts. Over 300 lines: one list. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store, StoreOptions } from '../../src/store/store.js';
import type { Submission } from '../../src/submissions/submission.js';
import type { SubmissionSearch } from '../../src/submissions/submission-search.js';
import type { Claim, NewSubmission, ReplayRule } from '../../src/submissions/submission-store.js';
import { batchOf, draft, named } from '../many-machines/store-samples.js';

export type OpenStore = (options: StoreOptions) => Promise<Store>;

const MINUTE = 60_000;
const SAME: ReplayRule = { sameBytes: true };
const FAULT = { code: 'service.unavailable', message: 'm', retryable: true };

export function submissionStoreContract(name: string, open: OpenStore): void {
  describe(`submission store contract on ${name}`, () => {
    let store: Store;
    let clock: number;
    beforeEach(async () => {
      clock = Date.UTC(2030, 0, 1);
      store = await open({ prefix: 'SAMR', now: () => clock });
    });
    afterEach(() => store.close());

    const accept = async (changes: Partial<NewSubmission> = {}, rule = SAME): Promise<Submission> => {
      const answer = await store.accept(draft('ada', { created: clock, updated: clock, ...changes }), rule);
      expect(answer.kind).toBe('accepted');
      return answer.submission;
    };
    const rules = { maxAttempts: 2, outsideMs: 60 * MINUTE };
    const claimNext = (worker = 'w', lane: 'small' | 'large' = 'large', skipAlone = false) =>
      store.claimNext({ lane, worker, leaseMs: MINUTE, skipAlone, ...rules });
    const claim = async (worker?: string): Promise<Claim> => {
      const claimed = await claimNext(worker);
      if (claimed === undefined) throw new Error('nothing was claimable');
      return claimed;
    };
    const apply = (on: Claim, fromLine: number, count: number, last = false) =>
      store.applyBatch(on, batchOf(fromLine, named(fromLine, count)), { leaseMs: MINUTE, last });
    const stale = expect.objectContaining({ code: 'claim.lost' });

    describe('accepting', () => {
      it('keeps everything about an upload, and starts it waiting with nothing done', async () => {
        const given = draft('ada', {
          admin: true,
          lane: 'small',
          columns: {
            fromPlainHeaders: { count: 101, headers: ['tissue "ü"', 'a\u001fb'] },
            notStored: { count: 0, headers: [] },
            nothingStored: false,
          },
          fileName: 'Proben "März"\t2.tsv',
          options: { ...draft('x').options, checklist: 'c', releaseDate: 5, sheet: 's', encoding: 'macintosh' },
        });
        const { submission } = await store.accept(given, SAME);
        expect(submission).toEqual({
          ...given,
          counts: { rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 },
          becomePublic: 0,
          createdPublic: 0,
          issues: [],
          bytesRead: 0,
          cursor: 0,
          attempts: 0,
          cancelRequested: false,
        });
        expect(await store.find(given.id)).toEqual(submission);
        expect(await store.find(draft('x').id)).toBeUndefined();
      });

      it('answers the first one to the same bytes, to the same key, and to both at once', async () => {
        const first = await accept({ sha256: 'aa' }, { key: 'k', sameBytes: true });
        for (const rule of [SAME, { key: 'k', sameBytes: true }, { key: 'k', sameBytes: false }]) {
          const again = await store.accept(draft('ada', { sha256: 'aa' }), rule);
          expect(again).toEqual({ kind: 'replayed', submission: first });
        }
        expect((await store.list({ size: 10 })).map(({ id }) => id)).toEqual([first.id]);
      });

      it('refuses a key that came before with other bytes, and scopes keys and bytes to accounts', async () => {
        const first = await accept({ sha256: 'aa' }, { key: 'k', sameBytes: true });
        const other = await store.accept(draft('ada', { sha256: 'bb' }), { key: 'k', sameBytes: true });
        expect(other).toEqual({ kind: 'key-reused', submission: first });
        await accept({ account: 'bo', sha256: 'aa' }, { key: 'k', sameBytes: true });
        expect(await store.list({ account: 'bo', size: 10 })).toHaveLength(1);
      });

      it('answers the first edit to the same request with the same key, whichever samples it finds by now', async () => {
        const { options } = draft('ada', {});
        const edit = (sha256: string, request: string, more: object = {}) =>
          draft('ada', { sha256, options: { ...options, ...more, edit: { changes: [], request } } });
        const rule = { key: 'e', sameBytes: false };
        const first = (await store.accept(edit('aa', 'r1'), rule)).submission;
        expect(await store.accept(edit('bb', 'r1'), rule)).toEqual({ kind: 'replayed', submission: first });
        const others = [edit('bb', 'r2'), edit('aa', 'r1', { dryRun: true }), draft('ada', { sha256: 'cc' })];
        for (const other of others) expect(await store.accept(other, rule)).toMatchObject({ kind: 'key-reused' });
        expect(await store.knowsKey('ada', 'e')).toBe(true);
        expect([await store.knowsKey('ada', 'f'), await store.knowsKey('bo', 'e')]).toEqual([false, false]);
      });

      it('remembers a key that an answer to the same bytes was given for', async () => {
        const first = await accept({ sha256: 'aa' });
        await store.accept(draft('ada', { sha256: 'aa' }), { key: 'later', sameBytes: true });
        const answer = await store.accept(draft('ada', { sha256: 'bb' }), { key: 'later', sameBytes: true });
        expect(answer).toMatchObject({ kind: 'key-reused', submission: { id: first.id } });
      });

      it('tells of the same bytes with other options, and names the earlier upload when bytes alone do not answer', async () => {
        const first = await accept({ sha256: 'aa' });
        const options = { ...first.options, update: 'merge' as const };
        const other = await store.accept(draft('ada', { sha256: 'aa', options }), SAME);
        expect(other).toMatchObject({ kind: 'other-options', submission: { id: first.id } });
        const earlier = await store.accept(draft('ada', { sha256: 'aa' }), { sameBytes: false });
        expect(earlier).toMatchObject({ kind: 'accepted', submission: { earlierUpload: first.id } });
        const allowed = { ...first.options, duplicate: 'allow' as const };
        const anew = await store.accept(draft('ada', { sha256: 'aa', options: allowed }), { sameBytes: false });
        expect(anew.submission.earlierUpload).toBeUndefined();
      });

      it('accepts exactly one of many equal uploads at the same instant', async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            store.accept(draft('ada', { sha256: 'aa' }), n % 2 ? SAME : { key: 'k', sameBytes: true }),
          ),
        );
        expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
        expect(new Set(answers.map(({ submission }) => submission.id)).size).toBe(1);
      });

      it('records a file that cannot be understood as failed, which nobody claims or goes on with', async () => {
        const problem = { code: 'file.header', message: 'No Sample Name', line: 1, column: 'x', retryable: false };
        const failed = await store.acceptFailed(draft('ada', { sha256: 'aa' }), problem);
        expect(failed).toMatchObject({ state: 'FAILED', phase: 'DONE', problem });
        expect(await claimNext()).toBeUndefined();
        expect((await store.retry(failed.id))?.state).toBe('FAILED');
        await accept({ sha256: 'aa' });
      });

      it('lets one that failed for a reason outside the file go on when it is sent again', async () => {
        const first = await accept({ sha256: 'aa' });
        const claimed = await claim();
        await apply(claimed, 2, 3);
        await store.finish(claimed, FAULT);
        const again = await store.accept(draft('ada', { sha256: 'aa' }), SAME);
        expect(again).toMatchObject({ kind: 'replayed', submission: { id: first.id, state: 'ACTIVE', cursor: 4 } });
        expect((await claim()).submission).toMatchObject({ id: first.id, cursor: 4, counts: { created: 3 } });
      });
    });

    it('lists the newest first, in pages, of one account or of all', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 7; n++) ids.unshift((await accept({ account: n % 2 ? 'bo' : 'ada' })).id);
      const all = await store.list({ size: 3 });
      expect(all.map(({ id }) => id)).toEqual(ids.slice(0, 3));
      const before = all[2]?.id as string;
      expect((await store.list({ size: 10, before })).map(({ id }) => id)).toEqual(ids.slice(3));
      expect((await store.list({ size: 10, account: 'bo' })).map(({ account }) => account)).toEqual(['bo', 'bo', 'bo']);
      expect(await store.list({ size: 10, account: 'nobody' })).toEqual([]);
    });

    describe('searching', () => {
      const DAY = 86_400_000;
      const found = async (search: Partial<SubmissionSearch>) =>
        (await store.searchSubmissions({ dryRuns: true, size: 10, ...search })).submissions.map(
          ({ fileName }) => fileName,
        );
      const options = draft('x').options;
      beforeEach(async () => {
        await accept({ fileName: 'Leber März.tsv' });
        clock += DAY;
        await accept({ fileName: 'kidney.tsv', account: 'bo' });
        clock += DAY;
        await accept({ fileName: 'leber check.tsv', options: { ...options, dryRun: true } });
        const fault = { code: 'file.header', message: 'm', retryable: false };
        await store.acceptFailed(draft('ada', { fileName: 'broken.tsv', created: clock, updated: clock }), fault);
      });

      it('gives all without a filter, the newest first', async () => {
        expect(await found({})).toEqual(['broken.tsv', 'leber check.tsv', 'kidney.tsv', 'Leber März.tsv']);
      });

      it('gives those of an account, a state, several states, a part of a name in any case, without dry runs', async () => {
        expect(await found({ account: 'bo' })).toEqual(['kidney.tsv']);
        expect(await found({ account: 'nobody' })).toEqual([]);
        expect(await found({ states: ['FAILED'] })).toEqual(['broken.tsv']);
        expect(await found({ states: ['FAILED', 'ACTIVE'], account: 'ada' })).toHaveLength(3);
        expect(await found({ fileName: 'LEBER' })).toEqual(['leber check.tsv', 'Leber März.tsv']);
        expect(await found({ fileName: 'MA\u0308RZ' })).toEqual(['Leber März.tsv']);
        expect(await found({ fileName: '%' })).toEqual([]);
        expect(await found({ fileName: 'leber', dryRuns: false })).toEqual(['Leber März.tsv']);
      });

      it('gives those of a stretch of time, its end left out', async () => {
        const start = clock - 2 * DAY;
        expect(await found({ from: start, to: start + DAY })).toEqual(['Leber März.tsv']);
        expect(await found({ from: start + DAY, to: start + DAY + 1 })).toEqual(['kidney.tsv']);
        expect(await found({ from: clock })).toEqual(['broken.tsv', 'leber check.tsv']);
        expect(await found({ to: start })).toEqual([]);
        expect(await found({ to: start + 2 * DAY, account: 'ada' })).toEqual(['Leber März.tsv']);
      });

      it('finds what a later submission of a slower clock stands behind', async () => {
        const late = clock;
        clock -= 60_000;
        await accept({ fileName: 'slow clock.tsv' });
        expect(await found({ from: late })).toEqual(['broken.tsv', 'leber check.tsv']);
        expect(await found({ from: clock, to: late })).toEqual(['slow clock.tsv']);
      });

      const FILTERS: Partial<SubmissionSearch>[] = [
        {},
        { fileName: 'leber' },
        { account: 'ada' },
        { states: ['ACTIVE', 'FAILED'] },
      ];

      async function paged(search: Partial<SubmissionSearch>): Promise<string[]> {
        const seen: string[] = [];
        for (let before: string | undefined; ; ) {
          const from = before === undefined ? {} : { before };
          const page = await store.searchSubmissions({ dryRuns: true, size: 10, ...search, ...from });
          seen.push(...page.submissions.map(({ fileName }) => fileName));
          if (page.next === undefined) return seen;
          before = page.next;
        }
      }

      it('gives every one exactly once, page by page, with any filter', async () => {
        for (let n = 0; n < 8; n++) await accept({ fileName: `leber ${n}.tsv`, account: n % 2 ? 'bo' : 'ada' });
        for (const filter of FILTERS) {
          const whole = await found({ ...filter, size: 100 });
          for (const size of [1, 2, 3, 5]) expect(await paged({ ...filter, size })).toEqual(whole);
        }
      });
    });

    describe('claiming', () => {
      it('gives a waiting submission of the lane to one worker, with a lease and a number', async () => {
        const waiting = await accept();
        expect(await claimNext('w', 'small')).toBeUndefined();
        expect(await store.countClaimable('large')).toBe(1);
        const claimed = await claim('one');
        expect(claimed).toMatchObject({ attempt: 1, worker: 'one' });
        expect(claimed.submission).toMatchObject({
          id: waiting.id,
          attempts: 1,
          leaseUntil: clock + MINUTE,
          worker: 'one',
        });
        expect(claimed.submission.phase).toBe('READING');
        expect(await claimNext('two')).toBeUndefined();
        expect(await store.countClaimable('large')).toBe(0);
      });

      it('hands a submission whose lease ran out to the next, and refuses the former', async () => {
        await accept();
        const former = await claim('one');
        clock += MINUTE - 1;
        expect(await claimNext('two')).toBeUndefined();
        clock += 1;
        expect(await store.countClaimable('large')).toBe(1);
        const next = await claim('two');
        expect(next.attempt).toBe(2);
        await expect(apply(former, 2, 1)).rejects.toEqual(stale);
        await expect(store.heartbeat(former, { leaseMs: 1 })).rejects.toEqual(stale);
        await expect(store.reserve(former, 1)).rejects.toEqual(stale);
        await expect(store.finish(former)).rejects.toEqual(stale);
        await expect(store.release(former)).rejects.toEqual(stale);
        // Each part of the claim counts by itself: the same worker's former attempt, another worker under this one.
        await expect(apply({ ...next, attempt: 1 }, 2, 1)).rejects.toEqual(stale);
        await expect(apply({ ...next, worker: 'one' }, 2, 1)).rejects.toEqual(stale);
        expect((await apply(next, 2, 1, true)).submission.state).toBe('COMPLETED');
        await expect(apply(next, 3, 1)).rejects.toEqual(stale);
      });

      it('tells who claims of each submission that another had left, once, and of none that was handed back', async () => {
        const left: string[] = [];
        const looking = (lane: 'small' | 'large' = 'large') =>
          store.claimNext({ lane, worker: 'w2', leaseMs: MINUTE, ...rules, onTakenOver: (id) => left.push(id) });
        const kept = await accept();
        const lost = await accept();
        await store.release(await claim('w1'));
        await claim('w1');
        await claim('w1');
        clock += MINUTE / 2;
        expect(await looking()).toBeUndefined();
        expect(left).toEqual([]);
        clock += MINUTE;
        await looking();
        await looking();
        expect(left).toEqual([kept.id, lost.id]);
        clock += MINUTE / 2;
        expect(await looking()).toBeUndefined();
        expect(left).toHaveLength(2);
      });

      it('does not believe a lease that was written in the future, by a clock that has been set back since', async () => {
        await accept();
        const former = await claim('one');
        clock -= MINUTE;
        expect(await claimNext('two'), 'within its own length, clocks may differ').toBeUndefined();
        clock -= 30 * 24 * 60 * MINUTE;
        expect(await store.countClaimable('large')).toBe(1);
        expect(await store.stats()).toMatchObject({ waiting: 1, running: 0 });
        const next = await claim('two');
        expect(next.attempt).toBe(2);
        await expect(apply(former, 2, 1)).rejects.toEqual(stale);
        expect(await claimNext('three')).toBeUndefined();
        expect((await apply(next, 2, 1, true)).submission.state).toBe('COMPLETED');
      });

      it('keeps a lease that is extended, with what the worker tells of its progress', async () => {
        await accept();
        const claimed = await claim();
        clock += MINUTE - 1;
        const after = await store.heartbeat(claimed, { phase: 'REGISTERING', bytesRead: 500, leaseMs: MINUTE });
        expect(after).toMatchObject({ phase: 'REGISTERING', bytesRead: 500, leaseUntil: clock + MINUTE });
        expect((await store.heartbeat(claimed, { bytesRead: 100, leaseMs: MINUTE })).bytesRead).toBe(500);
        clock += MINUTE - 1;
        expect(await claimNext('two')).toBeUndefined();
      });

      it('lets accounts take turns, each in order of arrival', async () => {
        for (const account of ['ada', 'ada', 'ada', 'bo', 'bo', 'cy']) await accept({ account });
        const served: string[] = [];
        for (let claimed = await claimNext(); claimed; claimed = await claimNext())
          served.push(claimed.submission.account);
        expect(served).toEqual(['ada', 'bo', 'cy', 'ada', 'bo', 'ada']);
      });

      it('tells how many go before a waiting one, as they then do', async () => {
        const waiting: string[] = [];
        for (const account of ['ada', 'ada', 'ada', 'bo', 'cy', 'bo']) waiting.push((await accept({ account })).id);
        const reported = await Promise.all(waiting.map((id) => store.queuePosition(id)));
        const order: string[] = [];
        for (let claimed = await claimNext(); claimed; claimed = await claimNext()) order.push(claimed.submission.id);
        expect(reported).toEqual(waiting.map((id) => order.indexOf(id)));
        expect(await store.queuePosition(waiting[0] as string)).toBeUndefined();
      });

      it('says of each lane whether a worker has one of it', async () => {
        const workedOn = async () => [await store.isWorkedOn('small'), await store.isWorkedOn('large')];
        await accept();
        expect(await workedOn()).toEqual([false, false]);
        const claimed = await claim('a');
        expect(await workedOn()).toEqual([false, true]);
        clock += MINUTE;
        expect(await workedOn()).toEqual([false, false]);
        clock -= 1;
        await store.heartbeat(claimed, { leaseMs: MINUTE });
        await accept({ lane: 'small', sha256: 'small' });
        await claimNext('b', 'small');
        expect(await workedOn()).toEqual([true, true]);
        await store.release(claimed);
        expect(await workedOn()).toEqual([true, false]);
      });

      it('fails a submission whose processing failed by itself too often at one place, and only then', async () => {
        const { id } = await accept();
        expect(await store.setBack(await claim('a'), { cause: 'itself' }, rules)).toMatchObject({
          state: 'ACTIVE',
          phase: 'QUEUED',
          setbacks: { outside: 0, itself: 1, since: clock, nextTry: clock + 1000 },
        });
        expect(await claimNext()).toBeUndefined();
        expect(await store.countClaimable('large')).toBe(0);
        clock += 1000;
        expect(await store.countClaimable('large')).toBe(1);
        const alone = await claim('b');
        expect(alone).toMatchObject({ alone: true, submission: { setbacks: { itself: 1 } } });
        const problem = { code: 'internal', message: 'again', retryable: true };
        expect(await store.setBack(alone, { cause: 'itself', problem }, rules)).toMatchObject({
          state: 'FAILED',
          problem,
        });
        await expect(store.setBack(alone, { cause: 'itself' }, rules)).rejects.toEqual(stale);
        const revived = await store.retry(id);
        expect(revived?.state).toBe('ACTIVE');
        expect(revived).not.toHaveProperty('setbacks');
        // It gets further, so it has its attempts anew.
        await store.setBack(await claim('d'), { cause: 'itself' }, rules);
        clock += 1000;
        const further = await claim('e');
        expect((await apply(further, 2, 1)).submission).not.toHaveProperty('setbacks');
        expect(await store.setBack(further, { cause: 'itself' }, rules)).toMatchObject({
          state: 'ACTIVE',
          setbacks: { itself: 1 },
        });
      });

      it('does not count workers that are lost, with growing waits, until the time for that is over', async () => {
        const { id } = await accept();
        const waits: number[] = [];
        for (let lost = 1; lost <= 9; lost++) {
          const { alone } = await claim('w');
          expect(alone).toBe(lost > 2);
          // Half of them are known to be dead, of the others the lease runs out.
          if (lost % 2 === 1) expect(await store.releaseWorker('w', rules)).toBe(1);
          else clock += MINUTE;
          // A lease that ran out is noticed by who looks for work.
          if (lost > 1) expect(await claimNext()).toBeUndefined();
          const { setbacks } = (await store.find(id)) as Submission;
          expect(setbacks).toMatchObject({ outside: lost, itself: 0 });
          waits.push((setbacks?.nextTry as number) - clock);
          clock = setbacks?.nextTry as number;
        }
        expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
        clock += 60 * MINUTE;
        await claim('w');
        await store.releaseWorker('w', rules);
        expect((await store.find(id))?.setbacks).toMatchObject({ outside: 9, itself: 1 });
        clock += MINUTE;
        await claim('w');
        await store.releaseWorker('w', rules);
        expect(await store.find(id)).toMatchObject({
          state: 'FAILED',
          problem: { code: 'submission.attempts-used-up', retryable: true },
        });
      });

      it('leaves what is tried alone to those that can, and everything else to all', async () => {
        const first = await accept();
        await store.setBack(await claim(), { cause: 'itself' }, rules);
        clock += 1000;
        expect(await claimNext('w', 'large', true)).toBeUndefined();
        const second = await accept();
        expect((await claimNext('w', 'large', true))?.submission.id).toBe(second.id);
        expect((await claim()).submission.id).toBe(first.id);
      });

      it('ends one that was to be cancelled when its worker is lost', async () => {
        const { id } = await accept();
        await claim('w');
        await store.cancel(id);
        await store.releaseWorker('w', rules);
        expect((await store.find(id))?.state).toBe('CANCELLED');
      });

      it('gives a released one on at its cursor without counting an attempt, and frees all of a dead worker', async () => {
        await accept();
        for (let times = 0; times < 5; times++) {
          const claimed = await claim('w');
          await store.release(claimed);
        }
        await accept();
        await claim('dead');
        await claim('dead');
        expect(await claimNext()).toBeUndefined();
        expect(await store.releaseWorker('other', rules)).toBe(0);
        expect(await store.releaseWorker('dead', rules)).toBe(2);
        expect(await claimNext()).toBeDefined();
      });

      it('waits for the earlier upload to end before one of the same bytes begins', async () => {
        const first = await accept({ sha256: 'aa' });
        await store.accept(draft('ada', { sha256: 'aa' }), { sameBytes: false });
        const claimed = await claim();
        expect(claimed.submission.id).toBe(first.id);
        expect(await claimNext()).toBeUndefined();
        await apply(claimed, 2, 1, true);
        expect((await claim()).submission.earlierUpload).toBe(first.id);
      });

      it('names the uploads of the same bytes that wrote samples beside one that left rows out, oldest first, without what is undone or only looked', async () => {
        const upload = async (rows: number, cancelled = false, options = {}) => {
          const own = { ...draft('x').options, ...options };
          const { submission } = await store.accept(draft('ada', { sha256: 'aa', options: own }), {
            sameBytes: false,
          });
          const claimed = await claim();
          if (rows > 0) await apply(claimed, 2, rows, !cancelled);
          if (cancelled) await store.cancel(submission.id);
          if (cancelled || rows === 0) await store.finish(claimed);
          return submission.id;
        };
        const first = await upload(2, true);
        const furthest = await upload(4, true);
        const undone = await upload(1, true);
        await upload(0, false, { undoOf: undone });
        await upload(0, false, { dryRun: true });
        const others = await accept({ account: 'bo', sha256: 'aa' });
        await store.finish(await claim());
        const third = await upload(1, true);
        const asked = await store.accept(draft('ada', { sha256: 'aa' }), { sameBytes: false });
        expect(await store.earlierUploads(asked.submission)).toEqual([furthest, first, third]);
        expect(await store.earlierUploads(others)).toEqual([]);
        await store.finish(await claim());
        expect(await store.earlierUploads({ id: third })).toEqual([furthest, first]);
        const whole = await upload(5);
        const { submission } = await store.accept(draft('ada', { sha256: 'aa' }), { sameBytes: false });
        expect(await store.earlierUploads(submission)).toEqual([whole]);
        expect(await store.earlierUploads({ id: '00000000-0000-4000-8000-000000000000' })).toEqual([]);
      });

      it('lets an undo that was cancelled wait again at its cursor when it is asked for again, and no commit', async () => {
        const { submission } = await store.accept(draft('ada', { sha256: 'aa' }), { sameBytes: false });
        await apply(await claim(), 2, 5, true);
        const follow = async (options: object) =>
          (
            await store.accept(draft('ada', { sha256: 'aa', options: { ...draft('x').options, ...options } }), {
              sameBytes: false,
            })
          ).submission;
        const undo = await follow({ undoOf: submission.id });
        await store.cancel(undo.id);
        expect(await follow({ undoOf: submission.id })).toMatchObject({
          id: undo.id,
          state: 'ACTIVE',
          phase: 'QUEUED',
        });
        await store.cancel(undo.id);
        expect(await store.retry(undo.id)).toMatchObject({ state: 'ACTIVE', cancelRequested: false });
        await store.finish(await claim());
        const commit = await follow({ commitOf: { submissionId: 'dry' } });
        await store.cancel(commit.id);
        expect(await store.retry(commit.id)).toMatchObject({ state: 'CANCELLED' });
        const other = await follow({ commitOf: { submissionId: 'dry' } });
        expect(other.id).not.toBe(commit.id);
        await store.cancel(other.id);
        const automatic = await follow({ commitOf: { submissionId: 'dry', automatic: true } });
        expect(automatic).toMatchObject({ id: commit.id, state: 'CANCELLED' });
      });

      it('has an undo and uploads of the same bytes wait for each other, and finds the undo that stopped half-way', async () => {
        const send = async (options: object = {}, account = 'ada') =>
          (
            await store.accept(draft(account, { sha256: 'aa', options: { ...draft('x').options, ...options } }), {
              sameBytes: false,
            })
          ).submission;
        const first = await send();
        await apply(await claim(), 2, 5, true);
        const second = await send();
        const undo = await send({ undoOf: first.id });
        const third = await send({ update: 'merge' });
        const others = await send({}, 'bo');
        // Accounts take turns.
        expect((await claim()).submission.id).toBe(others.id);
        const taken = await claim();
        expect(taken.submission.id).toBe(second.id);
        expect(await claimNext()).toBeUndefined();
        await store.cancel(second.id);
        await store.finish(taken);
        const undoing = await claim();
        expect(undoing.submission.id).toBe(undo.id);
        expect(undoing.submission.earlierUpload).toBeUndefined();
        expect(await store.findStoppedUndo(third)).toBeUndefined();
        await apply(undoing, 2, 2, false);
        await store.cancel(undo.id);
        expect((await store.finish(undoing)).state).toBe('CANCELLED');
        const { submission } = await claim();
        expect([submission.id, submission.earlierUpload]).toEqual([third.id, first.id]);
        expect((await store.findStoppedUndo(third))?.id).toBe(undo.id);
        for (const one of [first, undo, others, draft('x')]) expect(await store.findStoppedUndo(one)).toBeUndefined();
        const alone = await send({}, 'cy');
        await apply(await claim(), 2, 1, true);
        const last = [await send({ undoOf: alone.id }, 'cy'), await send({ update: 'merge' }, 'cy')];
        expect((await claim()).submission.id).toBe(last[0]?.id);
        expect(await claimNext()).toBeUndefined();
      });

      it('gives each of many to exactly one of many workers that ask at once', async () => {
        for (let n = 0; n < 12; n++) await accept({ account: `a${n % 3}` });
        const claims = await Promise.all(Array.from({ length: 16 }, (_, n) => claimNext(`w${n}`)));
        const ids = claims.filter((each) => each !== undefined).map(({ submission }) => submission.id);
        expect(ids).toHaveLength(12);
        expect(new Set(ids).size).toBe(12);
      });
    });

    describe('ending', () => {
      it('reserves the same numbers each time it is asked, for nobody else', async () => {
        await accept();
        const first = await claim();
        const from = await store.reserve(first, 100);
        clock += MINUTE;
        const second = await claim('two');
        expect(second.submission.reservedFrom).toBe(from);
        expect(await store.reserve(second, 100)).toBe(from);
        await accept();
        const other = await store.reserve(await claim('three'), 10);
        expect(other >= from + 100 || other + 10 <= from).toBe(true);
      });

      it('ends as the counts and a wish to cancel call for', async () => {
        const finished = async (prepare: (on: Claim) => Promise<unknown>): Promise<Submission> => {
          await accept();
          const claimed = await claim();
          await prepare(claimed);
          return store.finish(claimed);
        };
        const bad = {
          line: 3,
          name: 'x',
          issues: [{ line: 3, code: 'row.held-back', message: 'm', severity: 'error' } as const],
        };
        const withBad = (count: number) => (on: Claim) =>
          store.applyBatch(
            on,
            { ...batchOf(2, named(2, count)), rejected: [bad], toLine: 9 },
            { leaseMs: 1, last: false },
          );
        expect((await finished((on) => apply(on, 2, 2))).state).toBe('COMPLETED');
        expect((await finished(withBad(1))).state).toBe('COMPLETED_WITH_ERRORS');
        expect((await finished(withBad(0))).state).toBe('FAILED');
        const ended = await finished((on) => store.cancel(on.submission.id));
        expect(ended).toMatchObject({ state: 'CANCELLED', phase: 'DONE' });
        expect(ended.worker).toBeUndefined();
      });

      it('cancels a waiting one at once and asks a running one to stop; ended ones stay', async () => {
        const waiting = await accept();
        expect((await store.cancel(waiting.id))?.state).toBe('CANCELLED');
        const running = await accept();
        const claimed = await claim();
        expect(await store.cancel(running.id)).toMatchObject({ state: 'ACTIVE', cancelRequested: true });
        expect((await store.heartbeat(claimed, { leaseMs: 1 })).cancelRequested).toBe(true);
        const stopped = await apply(claimed, 2, 5);
        expect(stopped.submission.state).toBe('CANCELLED');
        expect(stopped.chunk.created).toEqual([]);
        expect((await store.cancel(running.id))?.state).toBe('CANCELLED');
        expect(await store.cancel(draft('x').id)).toBeUndefined();
        expect(await store.nextAccession()).toBe(1);
      });

      it('cancels one whose worker died, when its lease runs out', async () => {
        const { id } = await accept();
        await claim();
        await store.cancel(id);
        clock += MINUTE;
        expect(await claimNext('two')).toBeUndefined();
        expect((await store.find(id))?.state).toBe('CANCELLED');
      });

      it('retries only what failed for a reason outside the file', async () => {
        const { id } = await accept();
        const claimed = await claim();
        await store.finish(claimed, { ...FAULT, retryable: false });
        expect((await store.retry(id))?.state).toBe('FAILED');
        expect(await store.retry(draft('x').id)).toBeUndefined();
        const other = await accept();
        await store.finish(await claim(), FAULT);
        expect(await store.retry(other.id)).toMatchObject({ state: 'ACTIVE', phase: 'QUEUED' });
        expect((await store.find(other.id))?.problem).toBeUndefined();
      });

      it('lets none go on that another upload of the same bytes has overtaken: not when it is asked to, nor by its key or its bytes', async () => {
        const key = { key: 'k', sameBytes: true };
        const failed = await accept({ sha256: 'aa' }, key);
        await store.finish(await claim(), FAULT);
        const atomic = draft('ada', { sha256: 'aa', options: { ...draft('x').options, mode: 'atomic' } });
        expect((await store.accept(atomic, SAME)).kind).toBe('accepted');
        const refused = async (): Promise<void> => {
          await expect(store.retry(failed.id)).rejects.toMatchObject({
            code: 'submission.final',
            message: expect.stringContaining(atomic.id),
          });
          const byKey = await store.accept(draft('ada', { sha256: 'aa' }), key);
          expect(byKey).toMatchObject({ kind: 'replayed', submission: { id: failed.id, state: 'FAILED' } });
          const byBytes = await store.accept(draft('ada', { sha256: 'aa' }), SAME);
          expect(byBytes).toMatchObject({ kind: 'other-options', submission: { id: atomic.id } });
        };
        await refused();
        const claimed = await claim();
        expect(claimed.submission.id).toBe(atomic.id);
        await apply(claimed, 2, 3, true);
        await refused();
        expect(await claimNext()).toBeUndefined();
        // Of another account or with other bytes it would be another file.
        const others = await accept({ sha256: 'bb' });
        await store.finish(await claim(), FAULT);
        expect(await store.retry(others.id)).toMatchObject({ state: 'ACTIVE' });
      });

      it('lets one go on or another of its bytes come in, and never both at once', async () => {
        const atomic = { options: { ...draft('x').options, mode: 'atomic' as const } };
        const rounds = Array.from({ length: 20 }, (_, n) => `bytes ${n}`);
        for (const sha256 of rounds) {
          const failed = await accept({ sha256 });
          await store.finish(await claim(), FAULT);
          const [resumed, other] = await Promise.allSettled([
            store.retry(failed.id),
            store.accept(draft('ada', { sha256, ...atomic }), SAME),
          ]);
          const isThere = other.status === 'fulfilled' && other.value.kind === 'accepted';
          expect([resumed.status === 'fulfilled', isThere].filter(Boolean), sha256).toHaveLength(1);
          await store.finish(await claim());
        }
      });

      it('tells of a commit that another upload of the same bytes was registered since its dry run', async () => {
        const { options } = draft('x');
        const dryRun = await accept({ sha256: 'aa', options: { ...options, dryRun: true } });
        await store.finish(await claim());
        const since = await accept({ sha256: 'aa', options: { ...options, mode: 'atomic' } }, { sameBytes: false });
        const commitOf = { submissionId: dryRun.id };
        const commit = (mode: 'atomic' | 'partial') =>
          store.accept(draft('ada', { sha256: 'aa', options: { ...options, mode, commitOf } }), { sameBytes: false });
        expect(await commit('atomic')).toMatchObject({ kind: 'registered-since', submission: { id: since.id } });
        expect(await commit('partial')).toMatchObject({ kind: 'accepted', submission: { earlierUpload: since.id } });
      });

      it('counts what operators want to know', async () => {
        await accept();
        clock += 5000;
        await accept();
        await claim();
        clock += 1000;
        const stats = await store.stats();
        expect(stats).toMatchObject({ waiting: 1, running: 1, oldestWaiting: 1000 });
        expect(stats.states).toMatchObject({ ACTIVE: 2, COMPLETED: 0 });
      });
    });
  });
}
