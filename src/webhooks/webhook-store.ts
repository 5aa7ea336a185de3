/**
 * PORT: webhooks and their deliveries. The store itself adds a waiting delivery for each webhook that asked for the
 * event, in the very transaction in which a submission ends: no process has to live on for the event to be sent.
 * test/contract/webhook-store.ts checks each promise on every adapter.
 */
import type { TurnLimits } from './turns.js';
import type { Delivery, Webhook } from './webhook.js';

/** A delivery that this process has to send now, with where and how. */
export interface DueDelivery extends Delivery {
  url: string;
  secret: string;
  /** End of its lease, milliseconds since 1970: by this the store knows this attempt from a later one. */
  leasedUntil: number;
}

/** What one attempt came to. */
export interface Attempt {
  at: number;
  status?: number;
  error?: string;
  /** Absent: this was the last one, in the state given. */
  retryAt?: number;
  /** The receiver did not answer, or said that it cannot now. */
  unavailable?: boolean;
  /** How long it asked to be left alone. */
  restMs?: number;
  state: Delivery['state'];
}

export interface MovedPlace {
  from: string;
  to: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Absent: there is nothing for the webhook between both places. */
  delivery?: { id: string; changes: number };
}

export interface WebhookStore {
  /** The account must exist. */
  addWebhook(webhook: Webhook): Promise<void>;
  findWebhook(id: string): Promise<Webhook | undefined>;
  /** Oldest first. */
  listWebhooks(account: string): Promise<Webhook[]>;
  /** Removes it with its deliveries; true when it was there. */
  removeWebhook(id: string): Promise<boolean>;

  /**
   * Takes deliveries whose time has come, by turns of their accounts (turns.ts): `perWebhook` and `perAccount` may be
   * under way at most, in all processes. A taken one is not handed out again before `leaseMs` have passed, unless its
   * attempt is recorded. Receivers that are left alone are passed over.
   */
  takeDue(request: TurnLimits & { now: number; leaseMs: number }): Promise<DueDelivery[]>;

  /**
   * After a receiver was unavailable, all webhooks of the account at its host are left alone, longer each time
   * (`pauseAfter`), and as long as it asked; attempts that began before such a pause do not lengthen it. The first answer ends it.
   *
   * Resolves to false, and changes nothing, when the delivery was taken again or asked for again since: what comes of it
   * is for that attempt to say. An attempt that comes back late would make wait again what was delivered meanwhile, and
   * changes would come out of their order.
   */
  recordAttempt(taken: Pick<DueDelivery, 'id' | 'leasedUntil'>, attempt: Attempt): Promise<boolean>;

  /** Webhooks that hear of changes, whose place is another one than `latest` and that have no delivery of changes waiting: those first that were looked at longest ago. */
  followers(latest: string, limit: number): Promise<(Webhook & { cursor: string })[]>;
  /**
   * Moves the place of a webhook and adds the delivery, due at once, in one transaction; does nothing, and resolves to
   * false, when the place is not `from` any more or a delivery of changes waits.
   */
  addChanges(webhookId: string, moved: MovedPlace): Promise<boolean>;

  /** Newest first; `before` is the id of the last one seen. */
  listDeliveries(webhookId: string, page: { size: number; before?: string }): Promise<Delivery[]>;

  /** Makes a delivery of this webhook due at once, whatever its state, with a fresh day to succeed, though its receiver be left alone; undefined when there is none. */
  redeliver(webhookId: string, deliveryId: string, now: number): Promise<Delivery | undefined>;

  /** Waiting deliveries and the time of the oldest one's event, for operators. */
  deliveryBacklog(): Promise<{ waiting: number; oldest?: number }>;

  /**
   * Times that lie further ahead of `now` than they can are of a clock that was set back since, and are over: leases
   * beyond two of `leaseMs`, pauses and rests beyond two of the longest. Clocks of several machines may differ by as much.
   */
  endFutureTimes(now: number, leaseMs: number): Promise<void>;

  /**
   * Gives up what has waited beyond its day and whose receiver is left alone; resolves to how many. Where it is not left alone, nobody knows
   * that it is away: the service itself may have been, or its clock was set on. Such deliveries are due, and an attempt is their last.
   */
  failExpired(now: number): Promise<number>;

  /** Forgets ended deliveries from before this time; resolves to how many. */
  forgetDeliveries(before: number): Promise<number>;
}
