/** Rows of `webhook` and `webhook_delivery` as both stores have them. */
import {
  type Delivery,
  type DeliveryEvent,
  GIVE_UP_AFTER_MS,
  hostOf,
  LONGEST_PAUSE_MS,
  NEVER,
  pauseAfter,
  type Webhook,
  type WebhookEvent,
} from '../../webhooks/webhook.js';
import type { Attempt, MovedPlace } from '../../webhooks/webhook-store.js';

export interface WebhookRow {
  id: string;
  account: number;
  url: string;
  events: string;
  secret: string;
  created: number;
  filters: string | null;
  cursor: string | null;
}

export const webhookOf = (
  { id, url, events, secret, created, filters, cursor }: WebhookRow,
  account: string,
): Webhook => ({
  id,
  account,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  secret,
  created,
  ...(filters === null ? {} : { filters: JSON.parse(filters) as string[] }),
  ...(cursor === null ? {} : { cursor }),
});

/** The columns of a new webhook, in the order of their values. */
export const NEW_WEBHOOK = 'id, account, url, events, secret, created, host, filters, cursor';
export const newWebhookValues = (
  { id, url, events, secret, created, filters, cursor }: Webhook,
  account: number,
): unknown[] => [
  id,
  account,
  url,
  JSON.stringify(events),
  secret,
  created,
  hostOf(url),
  filters === undefined ? null : JSON.stringify(filters),
  cursor ?? null,
];

export interface DeliveryRow {
  number: number;
  id: string;
  webhook: string;
  event: DeliveryEvent;
  submission: number;
  state: Delivery['state'];
  created: number;
  expires: number;
  attempts: number;
  next_attempt: number;
  last_attempt: number | null;
  last_status: number | null;
  last_error: string | null;
  from_cursor: string | null;
  to_cursor: string | null;
  changes: number | null;
}

/** `submissionId`: absent of changes. */
export const deliveryOf = (row: DeliveryRow, submissionId: string | undefined): Delivery => ({
  id: row.id,
  webhookId: row.webhook,
  event: row.event,
  ...(submissionId === undefined ? {} : { submissionId }),
  ...changesOf(row),
  state: row.state,
  created: row.created,
  expires: row.expires,
  attempts: row.attempts,
  nextAttempt: row.next_attempt,
  ...(row.last_attempt === null ? {} : { lastAttempt: row.last_attempt }),
  ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
  ...(row.last_error === null ? {} : { lastError: row.last_error }),
});

const changesOf = ({ from_cursor: from, to_cursor: to, changes: count }: DeliveryRow): Pick<Delivery, 'changes'> =>
  from === null || to === null ? {} : { changes: { from, to, count: count ?? 0 } };

/** SQL: of webhook `w`. */
export const NO_CHANGES_WAIT = `not exists (select 1 from webhook_delivery d
  where d.webhook = w.id and d.state = 'waiting' and d.to_cursor is not null)`;

/** Columns of a new delivery of changes, in the order of their values. */
export const NEW_CHANGES =
  'id, webhook, event, submission, created, expires, next_attempt, from_cursor, to_cursor, changes';
export const newChangesValues = (
  webhook: string,
  { id, changes }: NonNullable<MovedPlace['delivery']>,
  { from, to, at }: MovedPlace,
): unknown[] => [id, webhook, 'samples.changed', 0, at, NEVER, at, from, to, changes];

/** When a delivery that is sent again is given up. */
export const newExpiry = (now: number): number => now + GIVE_UP_AFTER_MS;

/** Values for state, last_attempt, last_status, last_error, next_attempt. */
export const attemptValues = ({ state, at, status, error, retryAt }: Attempt): unknown[] => [
  state,
  at,
  status ?? null,
  error ?? null,
  retryAt ?? null,
];

export interface ReceiverRow {
  webhook: string;
  account: number;
  url: string;
  failures: number;
  rest_until: number;
}

/** SQL: the receiver of one delivery. */
export const RECEIVER = `select w.id as webhook, w.account, w.url, w.failures, w.rest_until
  from webhook w join webhook_delivery d on d.webhook = w.id where d.id = `;

/** How a receiver is left alone after an attempt, or undefined when nothing changes. Of one account alone: nobody makes others' webhooks wait by an address that they share. */
export function restAfter({ url, failures, rest_until }: ReceiverRow, { at, unavailable, restMs = 0 }: Attempt) {
  if (unavailable && rest_until > at) return undefined;
  const failed = unavailable ? failures + 1 : 0;
  if (failed === failures) return undefined;
  return {
    failures: failed,
    restUntil: failed === 0 ? 0 : at + Math.max(pauseAfter(failed), restMs),
    host: hostOf(url),
  };
}

/**
 * SQL: a delivery `d` is given up without a further attempt. That its day is over is not enough: it may be the service that was away,
 * and the receiver was never asked.
 */
export const expiredWhile = (now: string): string =>
  `d.state = 'waiting' and d.expires < ${now} and d.leased_until <= ${now}
   and exists (select 1 from webhook w where w.id = d.webhook and w.rest_until > ${now})`;

/** SQL: a webhook with a time that is not believed; `pause` and `lease` are the latest that are (`latestBelieved`). */
export const futureTimes = (pause: string, lease: string): string =>
  `select 1 from webhook w where rest_until > ${pause} or looked > ${pause}
   or exists (select 1 from webhook_delivery d where d.webhook = w.id and d.state = 'waiting' and d.next_attempt > ${pause})
   or exists (select 1 from webhook_delivery d where d.webhook = w.id and d.leased_until > 0 and d.leased_until > ${lease})
   limit 1`;

/** Statements that end such times; it is rare enough that they stand with their numbers. */
export const endFutureTimes = ({ now, pause, lease }: LatestBelieved): string[] => [
  `update webhook set rest_until = 0 where rest_until > ${pause}`,
  `update webhook set looked = 0 where looked > ${pause}`,
  `update webhook_delivery set next_attempt = ${now} where state = 'waiting' and next_attempt > ${pause}`,
  `update webhook_delivery set leased_until = 0 where leased_until > 0 and leased_until > ${lease}`,
];

/** Milliseconds since 1970. */
export interface LatestBelieved {
  now: number;
  pause: number;
  lease: number;
}

export const latestBelieved = (now: number, leaseMs: number): LatestBelieved => ({
  now,
  pause: now + 2 * LONGEST_PAUSE_MS,
  lease: now + 2 * leaseMs,
});

export const backlogOf = (row: { waiting: number; oldest: number | null } | undefined) => ({
  waiting: row?.waiting ?? 0,
  ...(row?.oldest ? { oldest: row.oldest } : {}),
});

/** SQL: what waits. */
export const BACKLOG = `select count(*) as waiting, min(created) as oldest from webhook_delivery where state = 'waiting'`;
