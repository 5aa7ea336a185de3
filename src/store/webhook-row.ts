/** Rows of `webhook` and `webhook_delivery` as both stores have them. */
import {
  type Delivery,
  GIVE_UP_AFTER_MS,
  hostOf,
  pauseAfter,
  type Webhook,
  type WebhookEvent,
} from '../webhooks/webhook.js';
import type { Attempt } from '../webhooks/webhook-store.js';

export interface WebhookRow {
  id: string;
  account: number;
  url: string;
  events: string;
  secret: string;
  created: number;
}

export const webhookOf = ({ id, url, events, secret, created }: WebhookRow, account: string): Webhook => ({
  id,
  account,
  url,
  events: JSON.parse(events) as WebhookEvent[],
  secret,
  created,
});

/** The columns of a new webhook, in the order of their values. */
export const NEW_WEBHOOK = 'id, account, url, events, secret, created, host';
export const newWebhookValues = ({ id, url, events, secret, created }: Webhook, account: number): unknown[] => [
  id,
  account,
  url,
  JSON.stringify(events),
  secret,
  created,
  hostOf(url),
];

export interface DeliveryRow {
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

export const deliveryOf = (row: DeliveryRow, submissionId: string): Delivery => ({
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
export function restAfter({ url, failures, rest_until }: ReceiverRow, { at, unavailable }: Attempt) {
  if (unavailable && rest_until > at) return undefined;
  const failed = unavailable ? failures + 1 : 0;
  if (failed === failures) return undefined;
  return { failures: failed, restUntil: failed === 0 ? 0 : at + pauseAfter(failed), host: hostOf(url) };
}

export const backlogOf = (row: { waiting: number; oldest: number | null } | undefined) => ({
  waiting: row?.waiting ?? 0,
  ...(row?.oldest ? { oldest: row.oldest } : {}),
});

/** SQL: what waits. */
export const BACKLOG = `select count(*) as waiting, min(created) as oldest from webhook_delivery where state = 'waiting'`;
