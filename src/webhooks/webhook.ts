/** A webhook: an address of an account's own that is called when its submissions end, or samples that it may read change. */
import type { ChangeType } from '../registry/changes/sample-change.js';

export const SUBMISSION_EVENTS = ['submission.completed', 'submission.failed', 'submission.cancelled'] as const;
export const SAMPLE_EVENTS = [
  'sample.created',
  'sample.updated',
  'sample.released',
  'sample.curated',
  'sample.withdrawn',
] as const satisfies readonly `sample.${ChangeType}`[];
export const sampleEvent = (type: ChangeType): (typeof SAMPLE_EVENTS)[number] => `sample.${type}`;

export const WEBHOOK_EVENTS = [...SUBMISSION_EVENTS, ...SAMPLE_EVENTS] as const;
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
  /** Of samples; all must be met as in a list. Absent: none. */
  filters?: string[];
  /** Place in the log of changes up to which deliveries were made. Absent: it hears of submissions alone. */
  cursor?: string;
}

/** Events of a delivery: changes of samples come together. */
export const DELIVERY_EVENTS = [...SUBMISSION_EVENTS, 'samples.changed'] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** waiting: to be sent at `nextAttempt` · delivered: answered 2xx · failed: given up after a day. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** One event for one webhook. Times are milliseconds since 1970. */
export interface Delivery {
  /** UUID, the same in every attempt: receivers recognize repeats by it. */
  id: string;
  webhookId: string;
  event: DeliveryEvent;
  /** Absent: it is of changes. */
  submissionId?: string;
  /** Places in the log of changes between which they stand, and how many there were when the delivery was made. */
  changes?: { from: string; to: string; count: number };
  state: DeliveryState;
  /** When the event happened. */
  created: number;
  /** A day after the event, or after it was asked for again: an attempt that fails is the last one then. Changes are tried until they are taken. */
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

/** When a delivery of changes is given up. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** How long a delivery is tried; the stores' triggers say the same. */
export const GIVE_UP_AFTER_MS = 24 * 3600_000;

const PAUSES_S = [5, 30, 120, 600, 1800, 3600];

/** What a receiver may ask for at most. */
export const LONGEST_PAUSE_MS = (PAUSES_S.at(-1) as number) * 1000;

/** Pause after the nth failed attempt (1 for the first), milliseconds. */
export const pauseAfter = (attempts: number): number =>
  (PAUSES_S[Math.min(attempts, PAUSES_S.length) - 1] as number) * 1000;
