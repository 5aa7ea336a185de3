/** Webhooks and their deliveries in SQLite; the deliveries are added by the triggers of 0002_webhooks.sql. */
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

const IS_DUE = `d.webhook = w.id and d.state = 'waiting' and d.next_attempt <= @now and d.leased_until <= @now
  and d.expires >= @now`;
const CANDIDATES = `select w.id as webhook, w.account, w.failures, w.taken,
    (select count(*) from (select 1 from webhook_delivery d where ${IS_DUE} limit @perWebhook)) as due,
    (select min(d.next_attempt) from webhook_delivery d where ${IS_DUE}) as since,
    (select count(*) from webhook_delivery d where d.webhook = w.id and d.leased_until > @now) as busy
  from webhook w where w.rest_until <= @now and exists (select 1 from webhook_delivery d where ${IS_DUE})`;
const BUSY = `select w.account, count(*) as busy from webhook_delivery d join webhook w on w.id = d.webhook
  where d.leased_until > 0 and d.leased_until > @now group by w.account`;
const TAKEN = `select d.*, w.url, w.secret from webhook w join webhook_delivery d on ${IS_DUE}
  where w.id = @webhook order by d.next_attempt, d.number limit @count`;

type DueRow = DeliveryRow & { url: string; secret: string };

export function sqliteWebhookStore(database: SqliteDatabase, names: Names): WebhookStore {
  const readWebhook = ({ id, url, secret, created, ...row }: WebhookRow): Webhook => ({
    id,
    url,
    secret,
    created,
    account: names.accountName(row.account),
    events: JSON.parse(row.events) as WebhookEvent[],
  });
  const readDelivery = (row: DeliveryRow): Delivery => deliveryOf(row, names.submissionId(row.submission));
  return {
    addWebhook: (webhook) =>
      database.write(() => {
        const account = names.findAccount(webhook.account);
        if (account === undefined) throw new RegistryError('not-found', `There is no account "${webhook.account}".`);
        database
          .sql('insert into webhook (id, account, url, events, secret, created, host) values (?, ?, ?, ?, ?, ?, ?)')
          .run(
            webhook.id,
            account,
            webhook.url,
            JSON.stringify(webhook.events),
            webhook.secret,
            webhook.created,
            hostOf(webhook.url),
          );
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

    takeDue: async ({ now, leaseMs, ...limits }) => {
      const { perWebhook } = limits;
      // Most of the time nothing waits; then no write is begun.
      if (!database.sql(`select 1 from webhook_delivery where state = 'waiting' limit 1`).get()) return [];
      if (!database.sql(`${CANDIDATES} limit 1`).get({ now, perWebhook })) return [];
      return database.write(() => {
        const busy = database.sql<{ account: number; busy: number }>(BUSY).all({ now });
        const candidates = database.sql<Candidate>(CANDIDATES).all({ now, perWebhook });
        const plan = planTurns(candidates, new Map(busy.map((one) => [one.account, one.busy])), limits);
        return [...plan].flatMap(([webhook, count]) => {
          const rows = database.sql<DueRow>(TAKEN).all({ now, webhook, count });
          for (const { number } of rows)
            database.sql('update webhook_delivery set leased_until = ? where number = ?').run(now + leaseMs, number);
          database.sql('update webhook set taken = ? where id = ?').run(now, webhook);
          return rows.map((row) => ({ ...readDelivery(row), url: row.url, secret: row.secret }));
        });
      });
    },

    recordAttempt: async (deliveryId, attempt) => {
      await database.write(() => {
        const { at, status, error, retryAt, state } = attempt;
        database
          .sql(
            `update webhook_delivery set state = ?, attempts = attempts + 1, last_attempt = ?, last_status = ?,
             last_error = ?, next_attempt = coalesce(?, next_attempt), leased_until = 0 where id = ?`,
          )
          .run(state, at, status ?? null, error ?? null, retryAt ?? null, deliveryId);
        const receiver = database.sql<ReceiverRow>(RECEIVER).get(deliveryId);
        if (receiver) noteReceiver(database, receiver, attempt);
      });
    },

    failExpired: async (now) => {
      const expired = `state = 'waiting' and expires < ? and leased_until <= ?`;
      if (!database.sql(`select 1 from webhook_delivery where ${expired} limit 1`).get(now, now)) return 0;
      const { changes } = await database.write(() =>
        database
          .sql(`update webhook_delivery set state = 'failed', last_error = ? where ${expired}`)
          .run(GIVEN_UP, now, now),
      );
      return changes;
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
        database.sql('update webhook set rest_until = 0 where id = ?').run(webhookId);
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

interface ReceiverRow {
  webhook: string;
  account: number;
  url: string;
  failures: number;
  rest_until: number;
}

const RECEIVER = `select w.id as webhook, w.account, w.url, w.failures, w.rest_until
  from webhook w join webhook_delivery d on d.webhook = w.id where d.id = ?`;

/** Of one account alone: nobody makes others' webhooks wait by an address that they share. */
function noteReceiver(database: SqliteDatabase, receiver: ReceiverRow, { at, unavailable }: Attempt): void {
  const { webhook, account, url, failures, rest_until } = receiver;
  if (unavailable && rest_until > at) return;
  const failed = unavailable ? failures + 1 : 0;
  if (failed === failures) return;
  database
    .sql('update webhook set failures = ?, rest_until = ?, host = ? where account = ? and (id = ? or host = ?)')
    .run(failed, failed === 0 ? 0 : at + pauseAfter(failed), hostOf(url), account, webhook, hostOf(url));
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
