/** What src/webhooks/webhook-store.ts and src/limits/usage-store.ts promise, on any adapter. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/auth/account-store.js';
import type { UsageStore } from '../../src/limits/usage-store.js';
import type { NewSubmission, SubmissionStore } from '../../src/submissions/submission-store.js';
import { GIVE_UP_AFTER_MS, WEBHOOK_EVENTS, type WebhookEvent } from '../../src/webhooks/webhook.js';
import type { WebhookStore } from '../../src/webhooks/webhook-store.js';

export interface WebhookStores extends WebhookStore, UsageStore, SubmissionStore, AccountStore {
  close(): Promise<void>;
}

const LATER = Date.UTC(2100, 0, 1);

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
    const claim = { lane: 'small', worker: 'w', leaseMs: 10_000, maxAttempts: 3 } as const;
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
    const take = (now = LATER, perWebhook = 100) => store.takeDue({ now, limit: 100, perWebhook, leaseMs: 1000 });

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
      expect(await take(LATER, 2)).toHaveLength(3);
    });

    it('records attempts: waiting again, delivered, failed', async () => {
      const webhook = await addWebhook();
      await fail();
      const [due] = await take();
      const id = due?.id as string;
      await store.recordAttempt(id, { at: 7, status: 500, error: 'no', retryAt: LATER + 50, state: 'waiting' });
      expect(await take(LATER + 49)).toEqual([]);
      expect(await take(LATER + 50)).toHaveLength(1);
      await store.recordAttempt(id, { at: 8, status: 200, state: 'delivered' });
      expect(await take(LATER + 1e9)).toEqual([]);
      const [logged] = await store.listDeliveries(webhook.id, { size: 10 });
      expect(logged).toMatchObject({ state: 'delivered', attempts: 2, lastAttempt: 8, lastStatus: 200 });
      expect(logged).not.toHaveProperty('lastError');
      expect(await store.deliveryBacklog()).toEqual({ waiting: 0 });
    });

    it('sends again what it is asked to, with a fresh day', async () => {
      const webhook = await addWebhook();
      await fail();
      const [due] = await take();
      await store.recordAttempt(due?.id as string, { at: 7, error: 'gone', state: 'failed' });
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
      await store.recordAttempt(due?.id as string, { at: 7, status: 200, state: 'delivered' });
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
      expect(await store.usage('ada', now - 20_000)).toEqual({ submissions: 2, bytes: 200, waiting: 2 });
      await store.cancel(second);
      expect(await store.usage('ada', now - 5_000)).toEqual({ submissions: 1, bytes: 100, waiting: 1 });
      const readAs = { sheet: 'Samples "1"', bytes: 5000 };
      for (const more of [{}, { packed: 40 }]) {
        const made = draft('cy', now);
        await store.accept(
          { ...made, options: { ...made.options, readAs: { ...readAs, ...more } } },
          { sameBytes: false },
        );
      }
      expect(await store.usage('cy', 0)).toMatchObject({ submissions: 2, bytes: 200 + 5000 + 40 });
      expect(await store.usage('nobody', 0)).toEqual({ submissions: 0, bytes: 0, waiting: 0 });
    });
  });
}
