/** Webhooks and their deliveries in PostgreSQL; the deliveries are added by the triggers of 0002_webhooks.sql. */
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
import type { PostgresDatabase, Session } from '../database.js';
import type { Names } from '../samples/names.js';

type JoinedWebhook = WebhookRow & { account_name: string };
type JoinedDelivery = DeliveryRow & { submission_uuid: string | null };

const WEBHOOKS = 'select w.*, a.name as account_name from webhook w join account a on a.id = w.account';
const DELIVERIES =
  'select d.*, s.uuid as submission_uuid from webhook_delivery d left join submission s on s.id = d.submission';

/** $1 is the time. */
const IS_DUE = `d.webhook = w.id and d.state = 'waiting' and d.next_attempt <= $1 and d.leased_until <= $1`;
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
    addWebhook: (webhook) =>
      database.write(async (session) => {
        const account = requireAccount(webhook.account, await names.findWithin(session, webhook.account));
        await session.run(
          `insert into webhook (${NEW_WEBHOOK}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          newWebhookValues(webhook, account),
        );
      }),

    findWebhook: async (id) => {
      const row = await database.one<JoinedWebhook>(`${WEBHOOKS} where w.id = $1`, [id]);
      return row && readWebhook(row);
    },

    listWebhooks: async (account) => {
      const rows = await database.rows<JoinedWebhook>(`${WEBHOOKS} where a.name = $1 order by w.created, w.seq`, [
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
        const rows = await session.rows<JoinedDelivery & { url: string; secret: string }>(
          `select d.*, s.uuid as submission_uuid, w.url, w.secret from webhook_delivery d
           left join submission s on s.id = d.submission join webhook w on w.id = d.webhook
           where d.number = any($1) order by d.number`,
          [taken],
        );
        return rows.map((row) => ({
          ...readDelivery(row),
          url: row.url,
          secret: row.secret,
          leasedUntil: now + leaseMs,
        }));
      });
    },

    recordAttempt: ({ id, leasedUntil }, attempt) =>
      database.write(async (session) => {
        const changed = await session.run(
          `update webhook_delivery set state = $3, attempts = attempts + 1, last_attempt = $4, last_status = $5,
           last_error = $6, next_attempt = coalesce($7, next_attempt), leased_until = 0 where id = $1 and leased_until = $2`,
          [id, leasedUntil, ...attemptValues(attempt)],
        );
        if (changed === 0) return false;
        const receiver = await session.one<ReceiverRow>(`${RECEIVER}$1 for update of w`, [id]);
        if (receiver) await noteReceiver(session, receiver, attempt);
        return true;
      }),

    followers: async (latest, limit) => {
      const rows = await database.rows<JoinedWebhook>(
        `${WEBHOOKS} where w.cursor <> $1 and ${NO_CHANGES_WAIT} order by w.looked limit $2`,
        [latest, limit],
      );
      return rows.map((row) => ({ ...readWebhook(row), cursor: row.cursor as string }));
    },

    addChanges: (webhookId, moved) =>
      database.write(async (session) => {
        // Whoever else moves it waits here, and finds another place.
        const found = await session.one('select 1 from webhook where id = $1 and cursor = $2 for update', [
          webhookId,
          moved.from,
        ]);
        if (found === undefined) return false;
        const set = `update webhook w set cursor = $2, looked = $3 where id = $1 and ${NO_CHANGES_WAIT} returning id`;
        if ((await session.one(set, [webhookId, moved.to, moved.at])) === undefined) return false;
        if (moved.delivery) {
          await session.run(
            `insert into webhook_delivery (${NEW_CHANGES}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
            newChangesValues(webhookId, moved.delivery, moved),
          );
        }
        return true;
      }),

    endFutureTimes: async (now, leaseMs) => {
      const latest = latestBelieved(now, leaseMs);
      if (!(await database.one(futureTimes('$1', '$2'), [latest.pause, latest.lease]))) return;
      await database.write(
        async (session) => {
          for (const statement of endFutureTimes(latest)) await session.run(statement);
        },
        { repeatable: true },
      );
    },

    failExpired: (now) =>
      database.run(`update webhook_delivery d set state = 'failed', last_error = $2 where ${expiredWhile('$1')}`, [
        now,
        GIVEN_UP,
      ]),

    listDeliveries: async (webhookId, { size, before }) => {
      const seen =
        before === undefined
          ? undefined
          : await database.one<{ number: number }>('select number from webhook_delivery where id = $1', [before]);
      const start = before === undefined ? Number.MAX_SAFE_INTEGER : (seen?.number ?? 0);
      const rows = await database.rows<JoinedDelivery>(
        `${DELIVERIES} where d.webhook = $1 and d.number < $2 order by d.number desc limit $3`,
        [webhookId, start, size],
      );
      return rows.map(readDelivery);
    },

    redeliver: (webhookId, deliveryId, now) =>
      database.write(
        async (session) => {
          await session.run(
            `update webhook_delivery set state = 'waiting', attempts = 0, next_attempt = $3, expires = greatest(expires, $4), leased_until = 0
             where id = $1 and webhook = $2`,
            [deliveryId, webhookId, now, newExpiry(now)],
          );
          await session.run('update webhook set rest_until = 0 where id = $1', [webhookId]);
          const row = await session.one<JoinedDelivery>(`${DELIVERIES} where d.id = $1 and d.webhook = $2`, [
            deliveryId,
            webhookId,
          ]);
          return row && readDelivery(row);
        },
        { repeatable: true },
      ),

    deliveryBacklog: async () => backlogOf(await database.one<{ waiting: number; oldest: number | null }>(BACKLOG)),

    forgetDeliveries: (before) =>
      database.run(`delete from webhook_delivery where state <> 'waiting' and created < $1`, [before]),
  };
}

async function noteReceiver(session: Session, receiver: ReceiverRow, attempt: Attempt): Promise<void> {
  const rest = restAfter(receiver, attempt);
  if (rest === undefined) return;
  await session.run(
    'update webhook set failures = $1, rest_until = $2, host = $3 where account = $4 and (id = $5 or host = $3)',
    [rest.failures, rest.restUntil, rest.host, receiver.account, receiver.webhook],
  );
}

const readWebhook = (row: JoinedWebhook): Webhook => webhookOf(row, row.account_name);

const readDelivery = (row: JoinedDelivery): Delivery => deliveryOf(row, row.submission_uuid ?? undefined);
