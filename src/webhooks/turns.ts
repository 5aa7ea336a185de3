/** Whose deliveries are sent next: accounts take turns, whatever each of them has waiting. */

/** A webhook that has deliveries due, and whose receiver is not left alone at present. */
export interface Candidate {
  webhook: string;
  account: number;
  /** Its due deliveries; counted up to the most that one webhook may have under way. */
  due: number;
  /** When the first of them was due. */
  since: number;
  /** Its deliveries that are under way in any process. */
  busy: number;
  /** Of its receiver, since it last answered. */
  failures: number;
  /** When one of its deliveries was last taken; 0 for never. */
  taken: number;
}

export interface TurnLimits {
  limit: number;
  perWebhook: number;
  perAccount: number;
}

interface Turn {
  busy: number;
  taken: number;
  webhooks: (Candidate & { left: number })[];
}

/**
 * Webhook → how many of its deliveries to take. First comes the account with the fewest under way, then the one that
 * was served longest ago, then the one that waits longest; within it the webhook that waits longest. A receiver that
 * failed last time is tried with one delivery.
 */
export function planTurns(
  candidates: readonly Candidate[],
  busyOfAccounts: ReadonlyMap<number, number>,
  { limit, perWebhook, perAccount }: TurnLimits,
): Map<string, number> {
  const accounts = new Map<number, Turn>();
  for (const candidate of candidates) {
    const { account, due, busy, failures, taken } = candidate;
    const left = Math.min(due, (failures > 0 ? 1 : perWebhook) - busy);
    const turn = accounts.get(account) ?? { busy: busyOfAccounts.get(account) ?? 0, taken: 0, webhooks: [] };
    accounts.set(account, turn);
    turn.taken = Math.max(turn.taken, taken);
    if (left > 0) turn.webhooks.push({ ...candidate, left });
  }
  const waiting = [...accounts.values()].filter(({ webhooks }) => webhooks.length > 0);
  for (const { webhooks } of waiting) webhooks.sort((one, other) => one.taken - other.taken || one.since - other.since);
  const plan = new Map<string, number>();
  for (let taken = 0; taken < limit; taken += 1) {
    const next = first(waiting.filter(({ busy }) => busy < perAccount));
    const webhook = next?.webhooks.shift();
    if (!next || !webhook) break;
    plan.set(webhook.webhook, (plan.get(webhook.webhook) ?? 0) + 1);
    webhook.left -= 1;
    next.busy += 1;
    if (webhook.left > 0) next.webhooks.push(webhook);
    if (next.webhooks.length === 0) waiting.splice(waiting.indexOf(next), 1);
  }
  return plan;
}

const first = (turns: readonly Turn[]): Turn | undefined =>
  turns.reduce<Turn | undefined>((best, turn) => (best && order(best, turn) <= 0 ? best : turn), undefined);

const order = (one: Turn, other: Turn): number =>
  one.busy - other.busy || one.taken - other.taken || sinceOf(one) - sinceOf(other);

const sinceOf = ({ webhooks }: Turn): number => webhooks[0]?.since ?? 0;
