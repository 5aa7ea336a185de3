/** Webhooks and their deliveries in SQLite; the deliveries are added by the triggers of 0002_webhooks.sql. */
import { type Candidate, planTurns } from '../../../webhooks/turns.js';
import { type Delivery, GIVEN_UP, type Webhook } from '../../../webhooks/webhook.js';
import type { Attempt, WebhookStore } from '../../../webhooks/webhook-store.js';
import { requireAccount } from '../../rows/account-row.js';
import {
  attemptValues,
  BACKLOG,
  backlogOf,
  type DeliveryRow,
  deliveryOf,
  endFutureTimes,
  expiredWhile,
  futureTimes,
  latestBelieved,
  NEW_CHANGES,
  NEW_WEBHOOK,
  NO_CHANGES_WAIT,
  newChangesValues,
  newExpiry,
  newWebhookValues,
  RECEIVER,
  type ReceiverRow,
  restAfter,
  type WebhookRow,
  webhookOf,
} from '../../rows/webhook-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';

const IS_DUE = `d.webhook = w.id and d.state = 'waiting' and d.next_attempt <= @now and d.leased_until <= @now`;
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
  const readWebhook = (row: WebhookRow): Webhook => webhookOf(row, names.accountName(row.account));
  const readDelivery = (row: DeliveryRow): Delivery =>
    deliveryOf(row, row.to_cursor === null ? names.submissionId(row.submission) : undefined);
  return {
    addWebhook: (webhook) =>
      database.write(() => {
        const account = requireAccount(webhook.account, names.findAccount(webhook.account));
        database
          .sql(`insert into webhook (${NEW_WEBHOOK}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
          .run(...newWebhookValues(webhook, account));
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
          return rows.map((row) => ({
            ...readDelivery(row),
            url: row.url,
            secret: row.secret,
            leasedUntil: now + leaseMs,
          }));
        });
      });
    },

    recordAttempt: ({ id, leasedUntil }, attempt) =>
      database.write(() => {
        const { changes } = database
          .sql(
            `update webhook_delivery set state = ?, attempts = attempts + 1, last_attempt = ?, last_status = ?,
             last_error = ?, next_attempt = coalesce(?, next_attempt), leased_until = 0 where id = ? and leased_until = ?`,
          )
          .run(...attemptValues(attempt), id, leasedUntil);
        const receiver = changes > 0 && database.sql<ReceiverRow>(`${RECEIVER}?`).get(id);
        if (receiver) noteReceiver(database, receiver, attempt);
        return changes > 0;
      }),

    followers: async (latest, limit) =>
      database
        .sql<WebhookRow>(`select * from webhook w where cursor <> ? and ${NO_CHANGES_WAIT} order by looked limit ?`)
        .all(latest, limit)
        .map((row) => ({ ...readWebhook(row), cursor: row.cursor as string })),

    addChanges: (webhookId, moved) =>
      database.write(() => {
        const { changes } = database
          .sql(`update webhook as w set cursor = ?, looked = ? where id = ? and cursor = ? and ${NO_CHANGES_WAIT}`)
          .run(moved.to, moved.at, webhookId, moved.from);
        if (changes > 0 && moved.delivery) {
          database
            .sql(`insert into webhook_delivery (${NEW_CHANGES}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
            .run(...newChangesValues(webhookId, moved.delivery, moved));
        }
        return changes > 0;
      }),

    endFutureTimes: async (now, leaseMs) => {
      const latest = latestBelieved(now, leaseMs);
      if (!database.sql(futureTimes('@pause', '@lease')).get(latest)) return;
      await database.write(() => {
        for (const statement of endFutureTimes(latest)) database.sql(statement).run();
      });
    },

    failExpired: async (now) => {
      const expired = expiredWhile('@now');
      if (!database.sql(`select 1 from webhook_delivery d where ${expired} limit 1`).get({ now })) return 0;
      const { changes } = await database.write(() =>
        database
          .sql(`update webhook_delivery as d set state = 'failed', last_error = @why where ${expired}`)
          .run({ now, why: GIVEN_UP }),
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
            `update webhook_delivery set state = 'waiting', attempts = 0, next_attempt = ?, expires = max(expires, ?), leased_until = 0
             where id = ? and webhook = ? returning *`,
          )
          .get(now, newExpiry(now), deliveryId, webhookId);
        database.sql('update webhook set rest_until = 0 where id = ?').run(webhookId);
        return row && readDelivery(row);
      }),

    deliveryBacklog: async () => backlogOf(database.sql<{ waiting: number; oldest: number | null }>(BACKLOG).get()),

    forgetDeliveries: async (before) =>
      (
        await database.write(() =>
          database.sql(`delete from webhook_delivery where state <> 'waiting' and created < ?`).run(before),
        )
      ).changes,
  };
}

function noteReceiver(database: SqliteDatabase, receiver: ReceiverRow, attempt: Attempt): void {
  const rest = restAfter(receiver, attempt);
  if (rest === undefined) return;
  database
    .sql('update webhook set failures = ?, rest_until = ?, host = ? where account = ? and (id = ? or host = ?)')
    .run(rest.failures, rest.restUntil, rest.host, receiver.account, receiver.webhook, rest.host);
}
