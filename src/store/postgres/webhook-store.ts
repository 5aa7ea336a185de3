/** Webhooks and their deliveries in PostgreSQL; the deliveries are added by the triggers of 0002_webhooks.sql. */
import { RegistryError } from '../../registry/errors.js';
import { type Delivery, GIVE_UP_AFTER_MS, type Webhook, type WebhookEvent } from '../../webhooks/webhook.js';
import type { WebhookStore } from '../../webhooks/webhook-store.js';
import type { PostgresDatabase } from './database.js';
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

/** $1 the time, $2 at most of each webhook, $3 at most in all. */
const TAKE_DUE = `with due as (
    select number from (
      select number, row_number() over (partition by webhook order by next_attempt, number) as turn
      from webhook_delivery where state = 'waiting' and next_attempt <= $1 and leased_until <= $1) waiting
    where turn <= $2 order by number limit $3
  ), taken as (
    select d.number from webhook_delivery d join due using (number)
    where d.state = 'waiting' and d.leased_until <= $1 order by d.number for update of d skip locked
  )
  update webhook_delivery d set leased_until = $4 from taken where d.number = taken.number returning d.number`;

export function postgresWebhookStore(database: PostgresDatabase, names: Names): WebhookStore {
  return {
    addWebhook: async (webhook) => {
      const account = await names.findAccount(webhook.account);
      if (account === undefined) throw new RegistryError('not-found', `There is no account "${webhook.account}".`);
      const { id, url, events, secret, created } = webhook;
      await database.write((session) =>
        session.run('insert into webhook (id, account, url, events, secret, created) values ($1, $2, $3, $4, $5, $6)', [
          id,
          account,
          url,
          JSON.stringify(events),
          secret,
          created,
        ]),
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

    takeDue: ({ now, limit, perWebhook, leaseMs }) =>
      database.write(async (session) => {
        const taken = await session.rows<{ number: number }>(TAKE_DUE, [now, perWebhook, limit, now + leaseMs]);
        if (taken.length === 0) return [];
        const rows = await session.rows<DeliveryRow & { url: string; secret: string }>(
          `select d.*, s.uuid as submission_uuid, w.url, w.secret from webhook_delivery d
           join submission s on s.id = d.submission join webhook w on w.id = d.webhook
           where d.number = any($1) order by d.number`,
          [taken.map(({ number }) => number)],
        );
        return rows.map((row) => ({ ...readDelivery(row), url: row.url, secret: row.secret }));
      }),

    recordAttempt: async (deliveryId, { at, status, error, retryAt, state }) => {
      await database.write((session) =>
        session.run(
          `update webhook_delivery set state = $2, attempts = attempts + 1, last_attempt = $3, last_status = $4,
           last_error = $5, next_attempt = coalesce($6, next_attempt), leased_until = 0 where id = $1`,
          [deliveryId, state, at, status ?? null, error ?? null, retryAt ?? null],
        ),
      );
    },

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
