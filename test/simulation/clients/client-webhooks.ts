/** What clients ask of webhooks: to be called, and to be called again. */
import { WEBHOOK_EVENTS } from '../../../src/webhooks/webhook.js';
import { ABOUT_WEBHOOKS, type StepKind } from '../steps.js';
import type { Conversation } from './client-request.js';

type Kind = (typeof ABOUT_WEBHOOKS)[number];
export const isAboutWebhooks = (kind: StepKind): kind is Kind => (ABOUT_WEBHOOKS as readonly StepKind[]).includes(kind);

export class WebhookRequests {
  readonly #known: string[] = [];

  constructor(
    private readonly talk: Conversation,
    private readonly account: string,
  ) {}

  take(kind: Kind, pick: number): Promise<void> {
    return kind === 'subscribe' ? this.#subscribe(pick) : this.#redeliver(pick);
  }

  async #subscribe(pick: number): Promise<void> {
    const address = `https://${this.talk.life.name}.example/${this.#known.length}`;
    const few = WEBHOOK_EVENTS.filter((_, at) => (pick >> at) % 2 === 0);
    // Samples of every sheet and request have a note: a filter that chooses all of them, once the index has them.
    const filters = pick % 4 === 3 && few.some((event) => event.startsWith('sample.')) ? ['attr:note'] : [];
    const entry = this.talk.begin('subscribe', { account: this.account });
    const made = await this.talk.ask(entry, ({ webhooks }) =>
      webhooks.add(this.account, { url: address, events: pick % 3 === 0 ? [...WEBHOOK_EVENTS] : few, filters }),
    );
    if (made === undefined) return;
    const { id, events, cursor } = made;
    entry.webhook = { id, address, events, ...(cursor === undefined ? {} : { cursor }) };
    this.#known.push(id);
  }

  /** The last message, whatever became of it. */
  async #redeliver(pick: number): Promise<void> {
    const webhook = this.#known[pick % Math.max(1, this.#known.length)];
    if (webhook === undefined) return;
    const entry = this.talk.begin('redeliver', {});
    await this.talk.ask(entry, async ({ webhooks }) => {
      const [last] = await webhooks.deliveries(this.account, webhook, { size: 1 });
      if (last === undefined) return;
      entry.delivery = last.id;
      await webhooks.redeliver(this.account, webhook, last.id);
    });
  }
}
