import type { LookupFunction } from 'node:net';
import { RegistryError } from '../registry/errors.js';
import type { SubmissionStore } from '../submissions/submission-store.js';
import { ForbiddenAddressError } from './address-guard.js';
import { failureText } from './failure-text.js';
import { type ChangeSource, changesBetween } from './follow.js';
import { changesMessage, deliveryMessage } from './message.js';
import { post } from './post.js';
import { signatureHeaders } from './signature.js';
import { LONGEST_PAUSE_MS, pauseAfter } from './webhook.js';
import type { Attempt, DueDelivery, WebhookStore } from './webhook-store.js';

export interface DeliveryDependencies {
  store: WebhookStore;
  submissions: Pick<SubmissionStore, 'find'>;
  changes: ChangeSource;
  allowPrivate: boolean;
  /** Scheme, host and path prefix of the service, for links; empty for links without a host. */
  baseUrl: string;
  now: () => number;
  lookup?: LookupFunction;
  /** How a message reaches its receiver. Default: by HTTP. */
  post?: typeof post;
  /** Ends the attempts under way; they are not recorded, and taken up again when their lease is over. */
  signal?: AbortSignal;
  onAttempt?: (delivery: DueDelivery, attempt: Attempt) => void;
  /** Sees what a connection failed with, which only operators may know. */
  onFailure?: (delivery: DueDelivery, error: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;
/** Attempts that have just begun. A receiver that keeps one waiting for longer holds no place that others wait for. */
const AT_ONCE = 32;
const SLOW_MS = 1_000;
/** With those that are slow: a connection and a message in memory each. */
const MOST_UNDER_WAY = 128;
/** So many of one account may be under way, so that sixteen accounts whose receivers are all dead leave the rest free. */
const PER_ACCOUNT = 8;
const PER_WEBHOOK = 4;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt can take; then the process that took the delivery must have died. */
const LEASE_MS = 60_000;

/** Sends every delivery that is due once; resolves to how many were tried. */
export async function deliverDue(deps: DeliveryDependencies): Promise<number> {
  const due = await take(deps, AT_ONCE);
  await Promise.all(due.map((delivery) => send(deps, delivery)));
  return due.length;
}

async function take({ store, now }: DeliveryDependencies, limit: number): Promise<DueDelivery[]> {
  const limits = { limit, perWebhook: PER_WEBHOOK, perAccount: PER_ACCOUNT };
  const due = await store.takeDue({ ...limits, now: now(), leaseMs: LEASE_MS });
  if (due.length === 0) {
    await store.endFutureTimes(now(), LEASE_MS);
    await store.failExpired(now());
  }
  return due;
}

async function send(deps: DeliveryDependencies, delivery: DueDelivery): Promise<void> {
  const attempt = await attemptDelivery(deps, delivery);
  if (deps.signal?.aborted && attempt.state !== 'delivered') return;
  await deps.store.recordAttempt(delivery, attempt);
  deps.onAttempt?.(delivery, attempt);
}

async function attemptDelivery(deps: DeliveryDependencies, delivery: DueDelivery): Promise<Attempt> {
  const at = deps.now();
  const body = await bodyOf(deps, delivery).catch((error: unknown) => {
    deps.onFailure?.(delivery, error);
    return error instanceof RegistryError && error.code === 'changes.gone' ? 'gone' : undefined;
  });
  if (body === 'gone') return { at, error: 'What this delivery is of is no longer there.', state: 'failed' };
  if (body === undefined)
    return { error: 'The changes could not be read; this is tried again.', ...later(delivery, at) };
  try {
    const { status, retryAfterMs = 0 } = await (deps.post ?? post)(
      delivery.url,
      body,
      signatureHeaders(delivery.secret, delivery.id, at, body),
      {
        allowPrivate: deps.allowPrivate,
        timeoutMs: TIMEOUT_MS,
        lookup: deps.lookup,
        signal: deps.signal,
      },
    );
    if (status >= 200 && status < 300) return { at, status, state: 'delivered' };
    const redirect = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
    const unavailable = status >= 500 || status === 429;
    const restMs = unavailable ? Math.min(retryAfterMs, LONGEST_PAUSE_MS) : 0;
    return {
      status,
      error: `The receiver answered ${status}.${redirect}`,
      unavailable,
      restMs,
      ...later(delivery, at, restMs),
    };
  } catch (error) {
    // Where it may not go today it may go tomorrow, if the name is put right: treated like any other failure.
    const unavailable = !(error instanceof ForbiddenAddressError);
    deps.onFailure?.(delivery, error);
    return { error: failureText(error), unavailable, ...later(delivery, at) };
  }
}

/** Changes are those that the account may hear of now. */
async function bodyOf(deps: DeliveryDependencies, delivery: DueDelivery): Promise<string | 'gone'> {
  const { changes, submissionId, webhookId } = delivery;
  if (changes) {
    const webhook = await deps.store.findWebhook(webhookId);
    if (!webhook) return 'gone';
    return changesMessage(delivery, await changesBetween(deps.changes, webhook, changes), changes, deps.baseUrl);
  }
  const submission = submissionId === undefined ? undefined : await deps.submissions.find(submissionId);
  return submission ? deliveryMessage(delivery, submission, deps.baseUrl) : 'gone';
}

function later(delivery: DueDelivery, at: number, restMs = 0): Pick<Attempt, 'at' | 'retryAt' | 'state'> {
  const retryAt = at + Math.max(pauseAfter(delivery.attempts + 1), restMs);
  return retryAt > delivery.expires ? { at, state: 'failed' } : { at, retryAt, state: 'waiting' };
}

/**
 * Goes on delivering until stopped, with as many attempts under way as may be; `stop` ends them. It looks for what is due
 * whenever one has ended or turned out to be slow, since that one may have kept others waiting, and from time to time.
 */
export function startDelivering(
  deps: DeliveryDependencies,
  onError: (error: unknown) => void,
  lookEveryMs = LOOK_EVERY_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const mine = { ...deps, signal };
  const running = new Set<Promise<void>>();
  /** Of those, the ones that have just begun. */
  let quick = 0;
  /** Whether a place has become free since the last look. */
  let freed = false;
  let goOn = (): void => undefined;
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const time = setTimeout(resolve, lookEveryMs);
      goOn = () => {
        clearTimeout(time);
        resolve();
      };
    });
  const free = (): void => {
    freed = true;
    goOn();
  };
  const begin = (delivery: DueDelivery): void => {
    quick += 1;
    let isQuick = true;
    const giveUpPlace = (): void => {
      if (isQuick) quick -= 1;
      isQuick = false;
      free();
    };
    const slow = setTimeout(giveUpPlace, SLOW_MS);
    const sending = send(mine, delivery)
      .catch(onError)
      .finally(() => {
        clearTimeout(slow);
        running.delete(sending);
        giveUpPlace();
      });
    running.add(sending);
  };
  const done = (async () => {
    while (!signal.aborted) {
      freed = false;
      const room = Math.min(AT_ONCE - quick, MOST_UNDER_WAY - running.size);
      const due =
        room <= 0
          ? []
          : await take(mine, room).catch((error: unknown) => {
              onError(error);
              return [];
            });
      for (const delivery of due) begin(delivery);
      if (due.length === 0 && !freed && !signal.aborted) await pause();
    }
    await Promise.all(running);
  })();
  return {
    stop: () => {
      stopping.abort();
      goOn();
      return done;
    },
  };
}
