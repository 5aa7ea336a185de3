/** Webhooks and their deliveries in PostgreSQL; the deliveries are added by the triggers of 0002_webhooks.sql. */
import { RegistryError } from '../../registry/errors.js';
import { type Candidate, planTurns } from '../../webhooks/turns.js';
import {
  type Delivery,
  GIVE_UP_AFTER_MS,
  GIVEN_UP,
  hostOf,
  pauseAfter,
  type Webhook,
  type WebhookEvent,
} from '../../webhooks/webhook.js';
import type { Attempt, WebhookStore } from '../../webhooks/webhook-store.js';
import type { PostgresDatabase, Session } from './database.js';
import type { Names } from './names.js';

interface WebhookRow {
  id: string;
  account_name: string;
  url: string;
  events: string;
  secret: string;
  created: number;
}

interface DeliveryRow {
  number: number;
  id: string;
  webhook: string;
  event: WebhookEvent;
  submission_uuid: string;
  state: Delivery['state'];
  created: number;
  expires: number;
  attempts: number;
  next_attempt: number;
  last_attempt: number | null;
  last_status: number | null;
  last_error: string | null;
}

const WEBHOOKS = 'select w.*, a.name as account_name from webhook w join account a on a.id = w.account';
const DELIVERIES =
  'select d.*, s.uuid as submission_uuid from webhook_delivery d join submission s on s.id = d.submission';

/** $1 is the time. */
const IS_DUE = `d.webhook = w.id and d.state = 'waiting' and d.next_attempt <= $1 and d.leased_until <= $1 and d.expires >= $1`;
const CANDIDATES = `select w.id as webhook, w.account, w.failures, w.taken, found.due, found.since,
    (select count(*) from webhook_delivery d where d.webhook = w.id and d.leased_until > 0 and d.leased_until > $1) as busy
  from webhook w cross join lateral (
    select count(*) as due, min(next_attempt) as since from (
      select d.next_attempt from webhook_delivery d where ${IS_DUE} order by d.next_attempt limit $2) first) found
  where w.rest_until <= $1 and found.due > 0`;
const BUSY = `select w.account, count(*) as busy from webhook_delivery d join webhook w on w.id = d.webhook
  where d.leased_until > 0 and d.leased_until > $1 group by w.account`;
const TAKE = `update webhook_delivery t set leased_until = $4 where t.number in (
    select d.number from webhook w join webhook_delivery d on ${IS_DUE}
    where w.id = $2 order by d.next_attempt, d.number limit $3)
  returning t.number`;
/** One process decides at a time about whose turn it is. */
const TAKING = 7_263_403;

export function postgresWebhookStore(database: PostgresDatabase, names: Names): WebhookStore {
  return {
    addWebhook: async (webhook) => {
      const account = await names.findAccount(webhook.account);
      if (account === undefined) throw new RegistryError('not-found', `There is no account "${webhook.account}".`);
      const { id, url, events, secret, created } = webhook;
      await database.write((session) =>
        session.run(
          'insert into webhook (id, account, url, events, secret, created, host) values ($1, $2, $3, $4, $5, $6, $7)',
          [id, account, url, JSON.stringify(events), secret, created, hostOf(url)],
        ),
      );
    },

    findWebhook: async (id) => {
      const row = await database.one<WebhookRow>(`${WEBHOOKS} where w.id = $1`, [id]);
      return row && readWebhook(row);
    },

    listWebhooks: async (account) => {
      const rows = await database.rows<WebhookRow>(`${WEBHOOKS} where a.name = $1 order by w.created, w.seq`, [
        account,
      ]);
      return rows.map(readWebhook);
    },

    removeWebhook: async (id) => (await database.run('delete from webhook where id = $1', [id])) > 0,

    takeDue: async ({ now, leaseMs, ...limits }) => {
      // Most of the time nothing waits; then nothing is locked.
      if (!(await database.one(`select 1 from webhook_delivery where state = 'waiting' limit 1`))) return [];
      return database.write(async (session) => {
        await session.run('select pg_advisory_xact_lock($1)', [TAKING]);
        const candidates = await session.rows<Candidate>(CANDIDATES, [now, limits.perWebhook]);
        if (candidates.length === 0) return [];
        const busy = await session.rows<{ account: number; busy: number }>(BUSY, [now]);
        const plan = planTurns(candidates, new Map(busy.map((one) => [one.account, one.busy])), limits);
        const taken: number[] = [];
        for (const [webhook, count] of plan) {
          const rows = await session.rows<{ number: number }>(TAKE, [now, webhook, count, now + leaseMs]);
          taken.push(...rows.map(({ number }) => number));
          await session.run('update webhook set taken = $2 where id = $1', [webhook, now]);
        }
        const rows = await session.rows<DeliveryRow & { url: string; secret: string }>(
          `select d.*, s.uuid as submission_uuid, w.url, w.secret from webhook_delivery d
           join submission s on s.id = d.submission join webhook w on w.id = d.webhook
           where d.number = any($1) order by d.number`,
          [taken],
        );
        return rows.map((row) => ({ ...readDelivery(row), url: row.url, secret: row.secret }));
      });
    },

    recordAttempt: async (deliveryId, attempt) => {
      await database.write(async (session) => {
        const { at, status, error, retryAt, state } = attempt;
        await session.run(
          `update webhook_delivery set state = $2, attempts = attempts + 1, last_attempt = $3, last_status = $4,
           last_error = $5, next_attempt = coalesce($6, next_attempt), leased_until = 0 where id = $1`,
          [deliveryId, state, at, status ?? null, error ?? null, retryAt ?? null],
        );
        const receiver = await session.one<ReceiverRow>(RECEIVER, [deliveryId]);
        if (receiver) await noteReceiver(session, receiver, attempt);
      });
    },

    failExpired: (now) =>
      database.run(
        `update webhook_delivery set state = 'failed', last_error = $2
         where state = 'waiting' and expires < $1 and leased_until <= $1`,
        [now, GIVEN_UP],
      ),

    listDeliveries: async (webhookId, { size, before }) => {
      const seen =
        before === undefined
          ? undefined
          : await database.one<{ number: number }>('select number from webhook_delivery where id = $1', [before]);
      const start = before === undefined ? Number.MAX_SAFE_INTEGER : (seen?.number ?? 0);
      const rows = await database.rows<DeliveryRow>(
        `${DELIVERIES} where d.webhook = $1 and d.number < $2 order by d.number desc limit $3`,
        [webhookId, start, size],
      );
      return rows.map(readDelivery);
    },

    redeliver: (webhookId, deliveryId, now) =>
      database.write(
        async (session) => {
          await session.run(
            `update webhook_delivery set state = 'waiting', attempts = 0, next_attempt = $3, expires = $4, leased_until = 0
             where id = $1 and webhook = $2`,
            [deliveryId, webhookId, now, now + GIVE_UP_AFTER_MS],
          );
          await session.run('update webhook set rest_until = 0 where id = $1', [webhookId]);
          const row = await session.one<DeliveryRow>(`${DELIVERIES} where d.id = $1 and d.webhook = $2`, [
            deliveryId,
            webhookId,
          ]);
          return row && readDelivery(row);
        },
        { repeatable: true },
      ),

    deliveryBacklog: async () => {
      const row = await database.one<{ waiting: number; oldest: number | null }>(
        `select count(*) as waiting, min(created) as oldest from webhook_delivery where state = 'waiting'`,
      );
      return { waiting: row?.waiting ?? 0, ...(row?.oldest ? { oldest: row.oldest } : {}) };
    },

    forgetDeliveries: (before) =>
      database.run(`delete from webhook_delivery where state <> 'waiting' and created < $1`, [before]),
  };
}

interface ReceiverRow {
  webhook: string;
  account: number;
  url: string;
  failures: number;
  rest_until: number;
}

const RECEIVER = `select w.id as webhook, w.account, w.url, w.failures, w.rest_until
  from webhook w join webhook_delivery d on d.webhook = w.id where d.id = $1 for update of w`;

/** Of one account alone: nobody makes others' webhooks wait by an address that they share. */
async function noteReceiver(session: Session, receiver: ReceiverRow, { at, unavailable }: Attempt): Promise<void> {
  const { webhook, account, url, failures, rest_until } = receiver;
  if (unavailable && rest_until > at) return;
  const failed = unavailable ? failures + 1 : 0;
  if (failed === failures) return;
  await session.run(
    'update webhook set failures = $1, rest_until = $2, host = $3 where account = $4 and (id = $5 or host = $3)',
    [failed, failed === 0 ? 0 : at + pauseAfter(failed), hostOf(url), account, webhook],
  );
}

const readWebhook = ({ id, account_name, url, events, secret, created }: WebhookRow): Webhook => ({
  id,
  account: account_name,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  secret,
  created,
});

const readDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhook,
  event: row.event,
  submissionId: row.submission_uuid,
  state: row.state,
  created: row.created,
  expires: row.expires,
  attempts: row.attempts,
  nextAttempt: row.next_attempt,
  ...(row.last_attempt === null ? {} : { lastAttempt: row.last_attempt }),
  ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
  ...(row.last_error === null ? {} : { lastError: row.last_error }),
});
