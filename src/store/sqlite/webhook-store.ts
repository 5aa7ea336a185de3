/** Webhooks and their deliveries in SQLite; the deliveries are added by the triggers of 0002_webhooks.sql. */
import { RegistryError } from '../../registry/errors.js';
import { type Delivery, GIVE_UP_AFTER_MS, type Webhook, type WebhookEvent } from '../../webhooks/webhook.js';
import type { WebhookStore } from '../../webhooks/webhook-store.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

interface WebhookRow {
  id: string;
  account: number;
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
  submission: number;
  state: Delivery['state'];
  created: number;
  expires: number;
  attempts: number;
  next_attempt: number;
  last_attempt: number | null;
  last_status: number | null;
  last_error: string | null;
}

const DUE = `select number from (
    select number, row_number() over (partition by webhook order by next_attempt, number) as turn
    from webhook_delivery where state = 'waiting' and next_attempt <= ? and leased_until <= ?)
  where turn <= ? order by number limit ?`;

export function sqliteWebhookStore(database: SqliteDatabase, names: Names): WebhookStore {
  const readWebhook = (row: WebhookRow): Webhook => ({
    ...row,
    account: names.accountName(row.account),
    events: JSON.parse(row.events) as WebhookEvent[],
  });
  const readDelivery = (row: DeliveryRow): Delivery => deliveryOf(row, names.submissionId(row.submission));
  const due = (now: number, perWebhook: number, limit: number) =>
    database.sql<{ number: number }>(DUE).all(now, now, perWebhook, limit);
  return {
    addWebhook: (webhook) =>
      database.write(() => {
        const account = names.findAccount(webhook.account);
        if (account === undefined) throw new RegistryError('not-found', `There is no account "${webhook.account}".`);
        database
          .sql('insert into webhook (id, account, url, events, secret, created) values (?, ?, ?, ?, ?, ?)')
          .run(webhook.id, account, webhook.url, JSON.stringify(webhook.events), webhook.secret, webhook.created);
      }),

    findWebhook: async (id) => {
      const row = database.sql<WebhookRow>('select * from webhook where id = ?').get(id);
      return row && readWebhook(row);
    },

    listWebhooks: async (account) =>
      database
        .sql<WebhookRow>('select * from webhook where account = ? order by created, rowid')
        .all(names.findAccount(account) ?? -1)
        .map(readWebhook),

    removeWebhook: async (id) =>
      (await database.write(() => database.sql('delete from webhook where id = ?').run(id))).changes > 0,

    takeDue: async ({ now, limit, perWebhook, leaseMs }) => {
      // Most of the time nothing is due; then no write is begun.
      if (due(now, perWebhook, 1).length === 0) return [];
      return database.write(() =>
        due(now, perWebhook, limit).map(({ number }) => {
          database.sql('update webhook_delivery set leased_until = ? where number = ?').run(now + leaseMs, number);
          const row = database
            .sql<DeliveryRow & { url: string; secret: string }>(
              'select d.*, w.url, w.secret from webhook_delivery d join webhook w on w.id = d.webhook where d.number = ?',
            )
            .get(number) as DeliveryRow & { url: string; secret: string };
          return { ...readDelivery(row), url: row.url, secret: row.secret };
        }),
      );
    },

    recordAttempt: async (deliveryId, { at, status, error, retryAt, state }) => {
      await database.write(() =>
        database
          .sql(
            `update webhook_delivery set state = ?, attempts = attempts + 1, last_attempt = ?, last_status = ?,
             last_error = ?, next_attempt = coalesce(?, next_attempt), leased_until = 0 where id = ?`,
          )
          .run(state, at, status ?? null, error ?? null, retryAt ?? null, deliveryId),
      );
    },

    listDeliveries: async (webhookId, { size, before }) => {
      const start =
        before === undefined
          ? Number.MAX_SAFE_INTEGER
          : (database.sql<{ number: number }>('select number from webhook_delivery where id = ?').get(before)?.number ??
            0);
      return database
        .sql<DeliveryRow>(
          'select * from webhook_delivery where webhook = ? and number < ? order by number desc limit ?',
        )
        .all(webhookId, start, size)
        .map(readDelivery);
    },

    redeliver: (webhookId, deliveryId, now) =>
      database.write(() => {
        const row = database
          .sql<DeliveryRow>(
            `update webhook_delivery set state = 'waiting', attempts = 0, next_attempt = ?, expires = ?, leased_until = 0
             where id = ? and webhook = ? returning *`,
          )
          .get(now, now + GIVE_UP_AFTER_MS, deliveryId, webhookId);
        return row && readDelivery(row);
      }),

    deliveryBacklog: async () => {
      const row = database
        .sql<{ waiting: number; oldest: number | null }>(
          `select count(*) as waiting, min(created) as oldest from webhook_delivery where state = 'waiting'`,
        )
        .get();
      return { waiting: row?.waiting ?? 0, ...(row?.oldest ? { oldest: row.oldest } : {}) };
    },

    forgetDeliveries: async (before) =>
      (
        await database.write(() =>
          database.sql(`delete from webhook_delivery where state <> 'waiting' and created < ?`).run(before),
        )
      ).changes,
  };
}

const deliveryOf = (row: DeliveryRow, submissionId: string): Delivery => ({
  id: row.id,
  webhookId: row.webhook,
  event: row.event,
  submissionId,
  state: row.state,
  created: row.created,
  expires: row.expires,
  attempts: row.attempts,
  nextAttempt: row.next_attempt,
  ...(row.last_attempt === null ? {} : { lastAttempt: row.last_attempt }),
  ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
  ...(row.last_error === null ? {} : { lastError: row.last_error }),
});
