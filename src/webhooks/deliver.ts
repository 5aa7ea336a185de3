import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SubmissionStore } from '../submissions/submission-store.js';
import { ForbiddenAddressError } from './address-guard.js';
import { deliveryMessage } from './message.js';
import { post } from './post.js';
import { signatureHeaders } from './signature.js';
import { pauseAfter } from './webhook.js';
import type { Attempt, DueDelivery, WebhookStore } from './webhook-store.js';

export interface DeliveryDependencies {
  store: WebhookStore;
  submissions: Pick<SubmissionStore, 'find'>;
  allowPrivate: boolean;
  /** Scheme, host and path prefix of the service, for links; empty for links without a host. */
  baseUrl: string;
  now: () => number;
  lookup?: LookupFunction;
  /** Ends the attempts under way; they are not recorded, and taken up again when their lease is over. */
  signal?: AbortSignal;
  onAttempt?: (delivery: DueDelivery, attempt: Attempt) => void;
}

const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 16;
const PER_WEBHOOK = 4;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt can take; then the process that took the delivery must have died. */
const LEASE_MS = 60_000;

/** Sends every delivery that is due once; resolves to how many were tried. */
export async function deliverDue(deps: DeliveryDependencies): Promise<number> {
  const due = await deps.store.takeDue({ now: deps.now(), limit: AT_ONCE, perWebhook: PER_WEBHOOK, leaseMs: LEASE_MS });
  await Promise.all(
    due.map(async (delivery) => {
      const attempt = await attemptDelivery(deps, delivery);
      if (deps.signal?.aborted && attempt.state !== 'delivered') return;
      await deps.store.recordAttempt(delivery.id, attempt);
      deps.onAttempt?.(delivery, attempt);
    }),
  );
  return due.length;
}

async function attemptDelivery(deps: DeliveryDependencies, delivery: DueDelivery): Promise<Attempt> {
  const at = deps.now();
  const submission = await deps.submissions.find(delivery.submissionId);
  if (!submission) return { at, error: 'The submission is gone.', state: 'failed' };
  const body = deliveryMessage(delivery, submission, deps.baseUrl);
  try {
    const status = await post(delivery.url, body, signatureHeaders(delivery.secret, delivery.id, at, body), {
      allowPrivate: deps.allowPrivate,
      timeoutMs: TIMEOUT_MS,
      lookup: deps.lookup,
      signal: deps.signal,
    });
    if (status >= 200 && status < 300) return { at, status, state: 'delivered' };
    const redirect = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
    return { status, error: `The receiver answered ${status}.${redirect}`, ...later(delivery, at) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Where it may not go today it may go tomorrow, if the name is put right: treated like any other failure.
    return { error: error instanceof ForbiddenAddressError ? `Refused: ${reason}` : reason, ...later(delivery, at) };
  }
}

function later(delivery: DueDelivery, at: number): Pick<Attempt, 'at' | 'retryAt' | 'state'> {
  const retryAt = at + pauseAfter(delivery.attempts + 1);
  return retryAt > delivery.expires ? { at, state: 'failed' } : { at, retryAt, state: 'waiting' };
}

/** Goes on delivering until stopped; `stop` ends the attempts under way. */
export function startDelivering(
  deps: DeliveryDependencies,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const tried = await deliverDue({ ...deps, signal: stopping.signal }).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      if (tried === 0) await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
