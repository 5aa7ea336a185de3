/** A webhook: an address of an account's own that is called when a submission of that account has ended. */

export const WEBHOOK_EVENTS = ['submission.completed', 'submission.failed', 'submission.cancelled'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export interface Webhook {
  /** UUID. */
  id: string;
  account: string;
  url: string;
  events: WebhookEvent[];
  /** Key of the signature: `whsec_` and 32 bytes in base64. It has to be kept readable, because it signs. */
  secret: string;
  /** Milliseconds since 1970. */
  created: number;
}

/** waiting: to be sent at `nextAttempt` · delivered: answered 2xx · failed: given up after a day. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** One event for one webhook. Times are milliseconds since 1970. */
export interface Delivery {
  /** UUID, the same in every attempt: receivers recognize repeats by it. */
  id: string;
  webhookId: string;
  event: WebhookEvent;
  submissionId: string;
  state: DeliveryState;
  /** When the event happened. */
  created: number;
  /** No attempt begins later: a day after the event, or after it was asked for again. */
  expires: number;
  attempts: number;
  nextAttempt: number;
  lastAttempt?: number;
  /** HTTP status of the last answer. */
  lastStatus?: number;
  /** Why the last attempt failed. */
  lastError?: string;
}

/** Name and port of a webhook's receiver. */
export const hostOf = (url: string): string => new URL(url).host;

/** What a delivery says that was not sent in its day because its receiver was left alone. */
export const GIVEN_UP = 'Given up: the receiver was unavailable for a day.';

/** How long a delivery is tried; the stores' triggers say the same. */
export const GIVE_UP_AFTER_MS = 24 * 3600_000;

const PAUSES_S = [5, 30, 120, 600, 1800, 3600];

/** Pause after the nth failed attempt (1 for the first), milliseconds. */
export const pauseAfter = (attempts: number): number =>
  (PAUSES_S[Math.min(attempts, PAUSES_S.length) - 1] as number) * 1000;
