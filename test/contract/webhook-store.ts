/** What src/webhooks/webhook-store.ts and src/limits/usage-store.ts promise, on any adapter. Over 300 lines: one list. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/auth/account-store.js';
import type { UsageStore } from '../../src/limits/usage-store.js';
import type { NewSubmission, SubmissionStore } from '../../src/submissions/submission-store.js';
import type { TurnLimits } from '../../src/webhooks/turns.js';
import { GIVE_UP_AFTER_MS, GIVEN_UP, WEBHOOK_EVENTS, type WebhookEvent } from '../../src/webhooks/webhook.js';
import type { DueDelivery, WebhookStore } from '../../src/webhooks/webhook-store.js';

export interface WebhookStores extends WebhookStore, UsageStore, SubmissionStore, AccountStore {
  close(): Promise<void>;
}

/** Within the day in which a delivery is tried. */
const LATER = Date.now() + 3_600_000;

export function webhookStoreContract(
  name: string,
  open: (options: { prefix: string }) => Promise<WebhookStores>,
): void {
  describe(`webhook store contract on ${name}`, () => {
    let store: WebhookStores;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR' });
      for (const account of ['ada', 'bo']) await store.ensureAccount(account, 1);
    });
    afterEach(() => store.close());

    const draft = (account = 'ada', created = Date.now()): NewSubmission => ({
      id: randomUUID(),
      account,
      admin: false,
      state: 'ACTIVE',
      phase: 'QUEUED',
      lane: 'small',
      fileName: 'a.tsv',
      fileSize: 100,
      sha256: randomUUID(),
      blobKey: randomUUID(),
      options: { mode: 'partial', update: 'replace', dryRun: false, duplicate: 'reuse', unknownColumns: 'ignore' },
      created,
      updated: created,
    });
    const submit = async (account?: string, created?: number): Promise<string> => {
      const made = await store.accept(draft(account, created), { sameBytes: false });
      return made.submission.id;
    };
    const claim = { lane: 'small', worker: 'w', leaseMs: 10_000, maxAttempts: 3, outsideMs: 3_600_000 } as const;
    const fail = async (account?: string): Promise<string> => {
      const id = await submit(account);
      const claimed = await store.claimNext(claim);
      await store.finish(claimed as NonNullable<typeof claimed>, { code: 'x', message: 'x', retryable: true });
      return id;
    };
    const addWebhook = async (account = 'ada', events: WebhookEvent[] = [...WEBHOOK_EVENTS]) => {
      const webhook = {
        id: randomUUID(),
        account,
        url: 'https://lims.example/h',
        events,
        secret: 'whsec_x',
        created: 5,
      };
      await store.addWebhook(webhook);
      return webhook;
    };
    const take = (now = LATER, limits: Partial<TurnLimits> = {}) =>
      store.takeDue({ now, limit: 100, perWebhook: 100, perAccount: 100, leaseMs: 1000, ...limits });

    it('gives webhooks back as they were made, to their account alone', async () => {
      const first = await addWebhook();
      const second = await addWebhook('ada', ['submission.failed']);
      await addWebhook('bo');
      expect(await store.findWebhook(first.id)).toEqual(first);
      expect(await store.listWebhooks('ada')).toEqual([first, second]);
      expect(await store.listWebhooks('nobody')).toEqual([]);
      expect(await store.findWebhook(randomUUID())).toBeUndefined();
      await expect(addWebhook('nobody')).rejects.toMatchObject({ code: 'not-found' });
    });

    describe('changes of samples', () => {
      const follow = async (cursor: string, account = 'ada', filters?: string[]) => {
        const webhook = {
          id: randomUUID(),
          account,
          url: 'https://lims.example/h',
          events: ['sample.created' as const],
          secret: 'whsec_x',
          created: 5,
          cursor,
          ...(filters ? { filters } : {}),
        };
        await store.addWebhook(webhook);
        return webhook;
      };
      const followers = async (latest: string, limit = 10) =>
        (await store.followers(latest, limit)).map(({ id, cursor }) => [id, cursor]);

      it('are followed by webhooks that are behind and have nothing waiting, the one first that was looked at longest ago', async () => {
        await addWebhook();
        const one = await follow('a', 'ada', ['attr:x']);
        const two = await follow('a', 'bo');
        await follow('z');
        expect(await store.findWebhook(one.id)).toEqual(one);
        expect(await followers('z')).toEqual([
          [one.id, 'a'],
          [two.id, 'a'],
        ]);
        expect(await store.addChanges(one.id, { from: 'a', to: 'b', at: 7 })).toBe(true);
        expect(await store.addChanges(one.id, { from: 'a', to: 'x', at: 8 })).toBe(false);
        const moves = [0, 1, 2, 3].map((at) => store.addChanges(one.id, { from: 'b', to: `b${at}`, at: 7 }));
        expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1);
        const place = (await store.findWebhook(one.id))?.cursor as string;
        expect(await store.addChanges(one.id, { from: place, to: 'b', at: 7 })).toBe(true);
        expect(await followers('z')).toEqual([
          [two.id, 'a'],
          [one.id, 'b'],
        ]);
        expect(await followers('z', 1)).toEqual([[two.id, 'a']]);
        const delivery = { id: randomUUID(), changes: 3 };
        expect(await store.addChanges(two.id, { from: 'a', to: 'c', at: 8, delivery })).toBe(true);
        expect(await followers('z')).toEqual([[one.id, 'b']]);
        expect(await store.addChanges(two.id, { from: 'c', to: 'd', at: 9 })).toBe(false);
        const [due] = await take(LATER);
        await store.recordAttempt(due as DueDelivery, { at: 10, status: 204, state: 'delivered' });
        expect(await followers('z')).toEqual([
          [one.id, 'b'],
          [two.id, 'c'],
        ]);
      });

      it('are given to one of many that move a place at the same moment, with their delivery or not at all', async () => {
        const { id } = await follow('a');
        const moves = Array.from({ length: 8 }, () => ({ id: randomUUID(), changes: 1 }));
        const moved = await Promise.all(
          moves.map((delivery, at) => store.addChanges(id, { from: 'a', to: `b${at}`, at: 1, delivery })),
        );
        expect(moved.filter(Boolean)).toHaveLength(1);
        const winner = moved.indexOf(true);
        expect((await store.findWebhook(id))?.cursor).toBe(`b${winner}`);
        const listed = await store.listDeliveries(id, { size: 10 });
        expect(listed).toMatchObject([
          {
            id: moves[winner]?.id,
            event: 'samples.changed',
            state: 'waiting',
            changes: { from: 'a', to: `b${winner}`, count: 1 },
          },
        ]);
        expect(listed[0]?.submissionId).toBeUndefined();
        // The same delivery twice: the place stays where it is.
        const { id: other } = await follow('a');
        await expect(
          store.addChanges(other, { from: 'a', to: 'q', at: 1, delivery: moves[winner] as (typeof moves)[0] }),
        ).rejects.toThrow();
        expect((await store.findWebhook(other))?.cursor).toBe('a');
      });

      it('wait until they are taken, however long that is, also when they were asked for again', async () => {
        const { id } = await follow('a');
        const delivery = { id: randomUUID(), changes: 1 };
        await store.addChanges(id, { from: 'a', to: 'b', at: 1, delivery });
        const years = LATER + 10 * 365 * GIVE_UP_AFTER_MS;
        expect(await store.redeliver(id, delivery.id, LATER)).toMatchObject({ changes: { from: 'a', to: 'b' } });
        expect(await store.failExpired(years)).toBe(0);
        expect(await take(years)).toMatchObject([{ id: delivery.id, changes: { from: 'a', to: 'b', count: 1 } }]);
      });
    });

    it('has a delivery as soon as a submission has ended, one for each webhook of its account that asked for it', async () => {
      const all = await addWebhook();
      const cancelled = await addWebhook('ada', ['submission.cancelled']);
      await addWebhook('bo');
      const active = await submit();
      expect(await take()).toEqual([]);
      await store.cancel(active);
      const failed = await fail();
      const due = await take();
      expect(due.map(({ webhookId, event, submissionId }) => [webhookId, event, submissionId])).toEqual(
        expect.arrayContaining([
          [all.id, 'submission.cancelled', active],
          [cancelled.id, 'submission.cancelled', active],
          [all.id, 'submission.failed', failed],
        ]),
      );
      expect(due).toHaveLength(3);
      expect(due[0]).toMatchObject({ url: all.url, secret: all.secret, attempts: 0, state: 'waiting' });
      expect(due[0]?.expires).toBe((due[0]?.created ?? 0) + GIVE_UP_AFTER_MS);
    });

    it('tells of a file that cannot be understood, and of each end when a failed one goes on and fails again', async () => {
      await addWebhook('ada', ['submission.failed']);
      await store.acceptFailed(draft(), { code: 'file.empty', message: 'x', retryable: false });
      const id = await fail();
      await store.retry(id);
      const claimed = await store.claimNext(claim);
      await store.finish(claimed as NonNullable<typeof claimed>, { code: 'x', message: 'x', retryable: true });
      expect(await take()).toHaveLength(3);
    });

    it('does not hand out a taken delivery before its lease is over, nor one whose time has not come', async () => {
      await addWebhook();
      await fail();
      expect(await take(Date.now() - 3600_000)).toEqual([]);
      const [taken] = await take(LATER);
      expect(await take(LATER + 999)).toEqual([]);
      const [again] = await take(LATER + 1001);
      expect(again?.id).toBe(taken?.id);
    });

    it('hands out at most as many of one webhook as asked for', async () => {
      await addWebhook();
      await addWebhook('bo');
      for (let n = 0; n < 5; n++) await fail('ada');
      await fail('bo');
      expect(await take(LATER, { perWebhook: 2 })).toHaveLength(3);
    });

    it('gives accounts turns: who has least under way, then who was served longest ago', async () => {
      await store.ensureAccount('cy', 1);
      const owners = new Map<string, string>();
      const own = async (account: string) => owners.set((await addWebhook(account)).id, account);
      await own('ada');
      await own('ada');
      for (let n = 0; n < 4; n++) await fail('ada');
      const next = async (limits: Partial<TurnLimits>, now = LATER) =>
        (await take(now, limits)).map(({ webhookId }) => owners.get(webhookId));
      expect(await next({ limit: 3, perAccount: 3 })).toEqual(['ada', 'ada', 'ada']);
      for (const account of ['bo', 'cy']) {
        await own(account);
        await fail(account);
        await fail(account);
      }
      expect((await next({ limit: 2 }, LATER + 1)).sort()).toEqual(['bo', 'cy']);
      expect((await next({ limit: 9, perAccount: 3 }, LATER + 2)).sort()).toEqual(['bo', 'cy']);
      // All leases are over: the others were served later than ada.
      expect(await next({ limit: 1 }, LATER + 2_000)).toEqual(['ada']);
    });

    it('leaves the receivers of one account at a host alone after it was unavailable, longer each time, until one answers', async () => {
      const url = (path: string) => `https://dead.example:8443/${path}`;
      const hook = async (account: string, address: string) => {
        const webhook = {
          id: randomUUID(),
          account,
          url: address,
          events: [...WEBHOOK_EVENTS],
          secret: 'w',
          created: 5,
        };
        await store.addWebhook(webhook);
        return webhook.id;
      };
      const [one, two] = [await hook('ada', url('1')), await hook('ada', url('2'))];
      const elsewhere = await hook('ada', 'https://alive.example/');
      const others = await hook('bo', url('1'));
      for (const account of ['ada', 'ada', 'bo', 'bo']) await fail(account);
      const webhooks = async (now: number) => [...new Set((await take(now)).map(({ webhookId }) => webhookId))].sort();
      const taken = await take(LATER);
      const ofOne = taken.filter(({ webhookId }) => webhookId === one);
      const gone = { error: 'gone', state: 'waiting', unavailable: true } as const;
      for (const due of ofOne) await store.recordAttempt(due, { ...gone, at: LATER, retryAt: LATER + 5_000 });
      // Both attempts began before the pause of 5 s: they are one failure.
      expect(await webhooks(LATER + 4_999)).toEqual([elsewhere, others].sort());
      const back = await take(LATER + 10_000);
      const ofHost = back.filter(({ webhookId }) => webhookId === one || webhookId === two);
      // After a failure it is tried with one delivery of each webhook.
      expect(ofHost.map(({ webhookId }) => webhookId).sort()).toEqual([one, two].sort());
      const [first, second] = ofHost as [(typeof ofHost)[0], (typeof ofHost)[0]];
      await store.recordAttempt(first, { ...gone, at: LATER + 10_000, retryAt: LATER + 10_000 });
      expect(await webhooks(LATER + 39_999)).toEqual([elsewhere, others].sort());
      await store.recordAttempt(second, { at: LATER + 20_000, status: 204, state: 'delivered' });
      expect(await webhooks(LATER + 20_000)).toContain(first.webhookId);
    });

    it('leaves a receiver alone for as long as it asked, with all its deliveries', async () => {
      await addWebhook();
      for (let n = 0; n < 2; n++) await fail();
      const [due] = await take(LATER, { limit: 1 });
      const attempt = { at: LATER, status: 429, state: 'waiting', unavailable: true, restMs: 60_000 } as const;
      await store.recordAttempt(due as DueDelivery, { ...attempt, retryAt: LATER + 60_000 });
      expect(await take(LATER + 59_999)).toEqual([]);
      expect(await take(LATER + 60_000)).not.toEqual([]);
    });

    it('tries a receiver that is left alone when its owner asks', async () => {
      const webhook = await addWebhook();
      await fail();
      await fail();
      const [due] = await take();
      const id = due?.id as string;
      await store.recordAttempt(due as DueDelivery, {
        at: LATER,
        error: 'x',
        retryAt: LATER + 5_000,
        state: 'waiting',
        unavailable: true,
      });
      expect(await take(LATER + 1_001)).toEqual([]);
      await store.redeliver(webhook.id, id, LATER + 1_001);
      expect((await take(LATER + 1_001)).length).toBeGreaterThan(0);
    });

    it('gives up what has waited its day while its receiver is left alone, and what nobody has asked it for never', async () => {
      const webhook = await addWebhook();
      const other = await addWebhook('bo');
      for (const account of ['ada', 'ada', 'bo']) await fail(account);
      const beyond = Date.now() + GIVE_UP_AFTER_MS + 60_000;
      expect(await store.failExpired(beyond)).toBe(0);
      const due = await take(beyond, { perWebhook: 1 });
      expect(due.map(({ webhookId }) => webhookId).sort()).toEqual([webhook.id, other.id].sort());
      const tried = due.find(({ webhookId }) => webhookId === webhook.id);
      await store.recordAttempt(tried as DueDelivery, { at: beyond, error: 'x', state: 'failed', unavailable: true });
      expect(await store.failExpired(beyond + 1)).toBe(1);
      const logged = await store.listDeliveries(webhook.id, { size: 2 });
      expect(logged.map(({ state }) => state)).toEqual(['failed', 'failed']);
      expect(logged.map(({ lastError }) => lastError).sort()).toEqual([GIVEN_UP, 'x']);
      // Of bo's, whose lease is over, an attempt has to say what comes of it.
      expect(await take(beyond + 2_000)).toMatchObject([{ webhookId: other.id, state: 'waiting' }]);
    });

    it('records attempts: waiting again, delivered, failed', async () => {
      const webhook = await addWebhook();
      await fail();
      const [due] = await take();
      const failed = { at: 7, status: 500, error: 'no', retryAt: LATER + 50, state: 'waiting' } as const;
      expect(await store.recordAttempt(due as DueDelivery, failed)).toBe(true);
      expect(await take(LATER + 49)).toEqual([]);
      const [again] = await take(LATER + 50);
      expect(await store.recordAttempt(again as DueDelivery, { at: 8, status: 200, state: 'delivered' })).toBe(true);
      expect(await take(LATER + 1e9)).toEqual([]);
      const [logged] = await store.listDeliveries(webhook.id, { size: 10 });
      expect(logged).toMatchObject({ state: 'delivered', attempts: 2, lastAttempt: 8, lastStatus: 200 });
      expect(logged).not.toHaveProperty('lastError');
      expect(await store.deliveryBacklog()).toEqual({ waiting: 0 });
    });

    it('records nothing of an attempt that comes back after the delivery was taken again', async () => {
      const webhook = await addWebhook();
      await fail();
      const [late] = await take(LATER);
      const [next] = await take(LATER + 1_001);
      expect(next?.id).toBe(late?.id);
      const gone = { at: LATER, error: 'gone', retryAt: LATER + 5_000, state: 'waiting', unavailable: true } as const;
      expect(await store.recordAttempt(late as DueDelivery, gone)).toBe(false);
      // Nor does it give the delivery away that is under way, or have its receiver left alone.
      expect(await take(LATER + 1_002)).toEqual([]);
      expect(await store.recordAttempt(next as DueDelivery, { at: LATER, status: 200, state: 'delivered' })).toBe(true);
      expect(await store.recordAttempt(late as DueDelivery, gone)).toBe(false);
      const [logged] = await store.listDeliveries(webhook.id, { size: 1 });
      expect(logged).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 200 });
      await fail();
      expect(await take(LATER + 1_003)).toHaveLength(1);
    });

    it('records nothing of an attempt that was under way when the delivery was asked for again', async () => {
      const webhook = await addWebhook();
      await fail();
      const [before] = await take(LATER);
      await store.redeliver(webhook.id, before?.id as string, LATER + 1);
      expect(await store.recordAttempt(before as DueDelivery, { at: 7, status: 200, state: 'delivered' })).toBe(false);
      expect(await take(LATER + 1)).toMatchObject([{ id: before?.id, state: 'waiting', attempts: 0 }]);
      await store.removeWebhook(webhook.id);
      expect(await store.recordAttempt(before as DueDelivery, { at: 7, status: 200, state: 'delivered' })).toBe(false);
    });

    it('counts the one attempt that nobody took over, however late it comes back', async () => {
      const webhook = await addWebhook();
      await fail();
      await fail();
      const [other, due] = await take(LATER);
      const beyond = (due?.expires ?? 0) + 1_000_000;
      await store.recordAttempt(other as DueDelivery, { at: beyond, state: 'failed', unavailable: true });
      expect(await store.failExpired(beyond + 1)).toBe(1);
      const attempt = { at: LATER + 90_000, status: 200, state: 'delivered' } as const;
      expect(await store.recordAttempt(due as DueDelivery, attempt)).toBe(true);
      const logged = await store.listDeliveries(webhook.id, { size: 2 });
      expect(logged.find(({ id }) => id === due?.id)).toMatchObject({ state: 'delivered' });
    });

    it('believes no time of a clock that was set back since, and every other', async () => {
      const webhook = await addWebhook();
      await addWebhook('bo');
      // Within the day in which they are tried.
      const [now, ahead, lease] = [LATER, LATER + 20 * 3_600_000, 60_000];
      for (const account of ['ada', 'ada', 'bo']) await fail(account);
      const HOUR = 3_600_000;
      const failsAt = (at: number, due: DueDelivery | undefined) =>
        store.recordAttempt(due as DueDelivery, {
          at,
          retryAt: at + HOUR,
          state: 'waiting',
          unavailable: true,
          restMs: HOUR,
        });
      const there = async (at: number) =>
        (await store.takeDue({ now: at, leaseMs: lease, limit: 9, perWebhook: 9, perAccount: 9 })).length;
      const [tried] = await take(ahead, { limit: 1 });
      expect(tried?.webhookId).toBe(webhook.id);
      await failsAt(ahead, tried);
      // The one of bo is under way now, and the receiver of ada is left alone.
      expect(await there(ahead)).toBe(1);
      expect(await there(now)).toBe(0);
      await store.endFutureTimes(now, lease);
      const [one, two] = [await take(now, { limit: 2 }), await take(now, { limit: 9, perWebhook: 1 })];
      expect(one.length + two.length).toBe(2);
      expect(new Set([...one, ...two].map(({ webhookId }) => webhookId)).size).toBe(2);
      for (const due of [...one, ...two]) await failsAt(now, due);
      await store.endFutureTimes(now - 3_500_000, lease);
      expect(await there(now + HOUR - 1)).toBe(0);
      expect(await there(now + HOUR)).toBeGreaterThan(0);
      await store.endFutureTimes(now + HOUR - lease, lease);
      expect(await there(now + HOUR + lease - 1)).toBe(0);
    });

    it('sends again what it is asked to, with a fresh day', async () => {
      const webhook = await addWebhook();
      await fail();
      const [due] = await take();
      await store.recordAttempt(due as DueDelivery, { at: 7, error: 'gone', state: 'failed' });
      const again = await store.redeliver(webhook.id, due?.id as string, LATER);
      expect(again).toMatchObject({
        state: 'waiting',
        attempts: 0,
        nextAttempt: LATER,
        expires: LATER + GIVE_UP_AFTER_MS,
      });
      expect(again?.created).toBe(due?.created);
      expect(await take(LATER)).toHaveLength(1);
      expect(await store.redeliver(randomUUID(), due?.id as string, LATER)).toBeUndefined();
    });

    it('lists deliveries newest first, in pages', async () => {
      const webhook = await addWebhook();
      const submissions = [await fail(), await fail(), await fail()].reverse();
      const first = await store.listDeliveries(webhook.id, { size: 2 });
      const rest = await store.listDeliveries(webhook.id, { size: 2, before: first[1]?.id as string });
      expect([...first, ...rest].map(({ submissionId }) => submissionId)).toEqual(submissions);
      expect(await store.deliveryBacklog()).toMatchObject({ waiting: 3, oldest: rest[0]?.created });
    });

    it('forgets ended deliveries of old, and all of a webhook that is removed', async () => {
      const webhook = await addWebhook();
      await fail();
      await fail();
      const [due] = await take();
      await store.recordAttempt(due as DueDelivery, { at: 7, status: 200, state: 'delivered' });
      expect(await store.forgetDeliveries(1)).toBe(0);
      expect(await store.forgetDeliveries(LATER)).toBe(1);
      expect(await store.removeWebhook(webhook.id)).toBe(true);
      expect(await store.removeWebhook(webhook.id)).toBe(false);
      expect(await store.deliveryBacklog()).toEqual({ waiting: 0 });
    });

    it('counts what an account has sent since a time, and what waits', async () => {
      const now = Date.now();
      await submit('ada', now - 10_000);
      const second = await submit('ada', now);
      await submit('bo', now);
      expect(await store.sentSince('ada', now - 20_000)).toEqual({ submissions: 2, bytes: 200 });
      expect(await store.countWaiting('ada')).toBe(2);
      await store.cancel(second);
      expect(await store.sentSince('ada', now - 5_000)).toEqual({ submissions: 1, bytes: 100 });
      expect(await store.countWaiting('ada')).toBe(1);
      const readAs = { sheet: 'Samples "1"', bytes: 5000 };
      for (const more of [{}, { packed: 40 }]) {
        const made = draft('cy', now);
        await store.accept(
          { ...made, options: { ...made.options, readAs: { ...readAs, ...more } } },
          { sameBytes: false },
        );
      }
      expect(await store.sentSince('cy', 0)).toEqual({ submissions: 2, bytes: 200 + 5000 + 40 });
      expect(await store.sentSince('nobody', 0)).toEqual({ submissions: 0, bytes: 0 });
      expect(await store.countWaiting('nobody')).toBe(0);
    });
  });
}
