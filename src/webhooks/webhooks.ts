/** The use cases of webhooks. Another account's webhooks do not exist for a caller. */
import { randomUUID } from 'node:crypto';
import type { SampleFeed } from '../registry/changes/sample-feed.js';
import { RegistryError } from '../registry/errors.js';
import { parseSearch } from '../registry/search/search-query.js';
import { isPublicAddress, literalAddress } from './address-guard.js';
import { latestPlace } from './follow.js';
import { newSecret } from './signature.js';
import { type Delivery, SAMPLE_EVENTS, SUBMISSION_EVENTS, type Webhook, type WebhookEvent } from './webhook.js';
import type { WebhookStore } from './webhook-store.js';

/** Per account: enough for every system of a laboratory, too few to make the service a flood of requests. */
const MOST = 20;

export class Webhooks {
  constructor(
    private readonly deps: {
      store: WebhookStore;
      feed: Pick<SampleFeed, 'page'>;
      prefix: string;
      allowPrivate: boolean;
      now: () => number;
    },
  ) {}

  /** One that asks for changes of samples hears of those from now on. @throws RegistryError request.invalid, conflict */
  async add(account: string, request: { url: string; events?: WebhookEvent[]; filters?: string[] }): Promise<Webhook> {
    this.#checkAddress(request.url);
    const events = request.events?.length ? [...new Set(request.events)] : [...SUBMISSION_EVENTS];
    const follows = events.some((event) => SAMPLE_EVENTS.some((one) => one === event));
    const filters = request.filters ?? [];
    this.#checkFilters(filters, follows);
    if ((await this.deps.store.listWebhooks(account)).length >= MOST) {
      throw new RegistryError('conflict', `This account has ${MOST} webhooks already; remove one first.`);
    }
    const webhook: Webhook = {
      id: randomUUID(),
      account,
      url: request.url,
      events,
      secret: newSecret(),
      created: this.deps.now(),
      ...(filters.length > 0 ? { filters } : {}),
      ...(follows ? { cursor: await latestPlace(this.deps.feed) } : {}),
    };
    await this.deps.store.addWebhook(webhook);
    return webhook;
  }

  list(account: string): Promise<Webhook[]> {
    return this.deps.store.listWebhooks(account);
  }

  /** @throws RegistryError not-found */
  async find(account: string, id: string): Promise<Webhook> {
    const webhook = await this.deps.store.findWebhook(id);
    if (webhook?.account !== account) throw new RegistryError('not-found', `There is no webhook ${id} of yours.`);
    return webhook;
  }

  async remove(account: string, id: string): Promise<void> {
    await this.find(account, id);
    await this.deps.store.removeWebhook(id);
  }

  async deliveries(account: string, id: string, page: { size: number; before?: string }): Promise<Delivery[]> {
    await this.find(account, id);
    return this.deps.store.listDeliveries(id, page);
  }

  async redeliver(account: string, id: string, deliveryId: string): Promise<Delivery> {
    await this.find(account, id);
    const delivery = await this.deps.store.redeliver(id, deliveryId, this.deps.now());
    if (!delivery) throw new RegistryError('not-found', `Webhook ${id} has no delivery ${deliveryId}.`);
    return delivery;
  }

  #checkFilters(filters: readonly string[], follows: boolean): void {
    if (filters.length === 0) return;
    if (!follows) {
      throw new RegistryError(
        'request.invalid',
        `filters: choose among samples; ask for events of samples, too: ${SAMPLE_EVENTS.join(', ')}.`,
      );
    }
    if (parseSearch(this.deps.prefix, undefined, filters).lineage) {
      throw new RegistryError(
        'request.invalid',
        'filters: descendantOf: and ancestorOf: cannot choose among changes; name the relationship with rel:TYPE:ACCESSION.',
      );
    }
  }

  /** What is wrong with an address at first sight; where its name leads is looked at with every delivery. */
  #checkAddress(text: string): void {
    const refuse = (message: string): never => {
      throw new RegistryError('request.invalid', `url: ${message}`);
    };
    if (text.length > 2000) refuse('must have at most 2000 characters.');
    if (!URL.canParse(text))
      refuse(`${JSON.stringify(text)} is no address; give one such as https://lims.example.org/hook.`);
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) refuse('must begin with https:// or http://.');
    if (url.username || url.password) refuse('must not carry a user name or password.');
    const literal = literalAddress(url);
    if (literal !== undefined && !this.deps.allowPrivate && !isPublicAddress(literal)) {
      refuse(`${literal} is not an address of the public internet; give a public one, or set WEBHOOKS_ALLOW_PRIVATE.`);
    }
  }
}
