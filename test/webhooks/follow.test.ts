/** Changes of samples for webhooks: what is sent, to whom, and that nothing is missed or repeated. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SampleFeed } from '../../src/registry/changes/sample-feed.js';
import { Registry } from '../../src/registry/registry.js';
import type { AdminStatus } from '../../src/registry/samples/sample.js';
import { SampleSearch } from '../../src/registry/search/sample-search.js';
import { openStore, type Store } from '../../src/store/open.js';
import { deliverDue } from '../../src/webhooks/deliver.js';
import { followChanges } from '../../src/webhooks/follow.js';
import { SAMPLE_EVENTS, type WebhookEvent } from '../../src/webhooks/webhook.js';
import { Webhooks } from '../../src/webhooks/webhooks.js';
import { createSample, rewriteSample } from '../many-machines/store-samples.js';
import { Receiver } from './receiver.js';

/** The receiver refuses what is signed more than five minutes from its own time. */
const MINUTE = 60_000;
let folder: string;
let store: Store;
let feed: SampleFeed;
let search: SampleSearch;
let receiver: Receiver;
let now: number;

/** As a process does that begins anew. */
async function open(): Promise<void> {
  store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR', now: () => now });
  const options = { prefix: 'SAMR', now: () => now };
  feed = new SampleFeed(store, options);
  search = new SampleSearch(store, new Registry(store, options), options);
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webhook-changes-'));
  now = Date.now();
  await open();
  for (const account of ['ada', 'bo']) await store.ensureAccount(account, now);
  receiver = new Receiver();
  await receiver.open();
});
afterEach(async () => {
  await receiver.close();
  await store.close();
  rmSync(folder, { recursive: true });
  expect(failures.splice(0)).toEqual([]);
});

const hook = async (account: string, events: WebhookEvent[] = [...SAMPLE_EVENTS], filters?: string[]) => {
  const webhooks = new Webhooks({ store, feed, prefix: 'SAMR', allowPrivate: true, now: () => now });
  const made = await webhooks.add(account, {
    url: receiver.url(`/${account}`),
    events,
    ...(filters ? { filters } : {}),
  });
  receiver.secret = made.secret;
  return made;
};
const create = (account: string, release: number, tissue = 'liver') => createSample(store, account, release, tissue);
const rewrite = (id: number, release: number, adminStatus?: AdminStatus | null) =>
  rewriteSample(store, id, release, adminStatus);
const failures: unknown[] = [];
const follow = () => followChanges({ store, feed, search, now: () => now }, (error) => failures.push(error));
const deliver = () =>
  deliverDue({
    store,
    submissions: store,
    changes: { feed, search },
    allowPrivate: true,
    baseUrl: 'https://samples.example',
    now: () => now,
  });
/** Until nothing is left to do. */
const run = async () => {
  for (let sent = 1; sent > 0; ) {
    while (await follow());
    sent = await deliver();
    now += 1;
  }
};
const sent = () => receiver.received.flatMap(({ payload }) => payload.data.changes);
const brief = () => sent().map(({ type, accession }) => `${type} ${accession}`);

describe('changes of samples', () => {
  it('are sent as GET /changes shows them to the account from the making of the webhook on, each once and in order', async () => {
    await create('ada', now - MINUTE);
    const { cursor } = await feed.page({ after: 'latest', size: 1, records: false }, undefined);
    await hook('bo');
    const open = await create('ada', now - MINUTE);
    await create('ada', now + MINUTE);
    const own = await create('bo', now + MINUTE);
    await run();
    await rewrite(open, now + MINUTE);
    await rewrite(own, now - MINUTE);
    now += 2 * MINUTE;
    await rewrite(open, now - MINUTE, 'KILLED');
    await run();
    const bo = { account: 'bo', admin: false, scopes: ['read'] };
    const page = await feed.page({ after: cursor, size: 1_000, records: false }, bo);
    // The first of them was public when it was sent, and page and delivery hide alike what is not any more.
    expect(brief().slice(0, 2)).toEqual([`created SAMR${open}`, `created SAMR${own}`]);
    expect(
      sent()
        .slice(1)
        .map(({ cursor: at }) => at),
    ).toEqual(page.changes.map(({ cursor: at }) => at));
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.payload).toMatchObject({ type: 'samples.changed', data: { cursor: page.cursor } });
  });

  it('come as many as a page of the log has in a delivery, one delivery at a time', async () => {
    const { id } = await hook('ada');
    for (let at = 0; at < 505; at++) await create('ada', now - MINUTE);
    while (await follow());
    expect(await store.listDeliveries(id, { size: 10 })).toMatchObject([{ changes: { count: 500 } }]);
    await run();
    expect(receiver.received.map(({ payload }) => payload.data.changes.length)).toEqual([500, 5]);
    expect(new Set(sent().map(({ cursor }) => cursor)).size).toBe(505);
  });

  it('are of the kinds and samples that were asked for; a withdrawal is reported of any', async () => {
    await hook('bo', ['sample.created', 'sample.withdrawn'], ['attr:tissue:liver']);
    const liver = await create('ada', now - MINUTE);
    const lung = await create('ada', now - MINUTE, 'lung');
    await rewrite(liver, now - MINUTE);
    await run();
    expect(brief()).toEqual([`created SAMR${liver}`]);
    for (const id of [liver, lung]) await rewrite(id, now + 10 * MINUTE);
    await run();
    expect(brief().slice(1)).toEqual([`withdrawn SAMR${liver}`, `withdrawn SAMR${lung}`]);
  });

  it('wait for the index where filters choose among them, whatever the filters ask of a sample', async () => {
    await hook('ada', ['sample.created'], ['account:ada']);
    const earlier = await create('ada', now - MINUTE);
    await store.indexNext(10);
    await store.rebuildIndex();
    await run();
    expect(receiver.received).toEqual([]);
    while ((await store.indexNext(10)).more);
    await run();
    expect(brief()).toEqual([`created SAMR${earlier}`]);
  });

  it('are sent again under the same id after a process that ended before it noted the answer, and none is missed', async () => {
    await hook('ada');
    receiver.answer = { status: 500 };
    const first = await create('ada', now - MINUTE);
    while (await follow());
    await store.close();
    await open();
    await deliver();
    const second = await create('ada', now - MINUTE);
    await run();
    receiver.answer = { status: 204 };
    now += MINUTE;
    await run();
    const ids = receiver.received.map(({ id }) => id);
    expect(new Set(ids.slice(0, -1)).size).toBe(1);
    const byId = new Map(receiver.received.map(({ id, payload }) => [id, payload.data.changes]));
    expect([...byId.values()].flat().map(({ accession }) => accession)).toEqual([`SAMR${first}`, `SAMR${second}`]);
  });

  it('that the account may not hear of any more are left out of what had waited for its receiver', async () => {
    await hook('bo');
    receiver.answer = { status: 503 };
    const hidden = await create('ada', now - MINUTE);
    const open = await create('ada', now - MINUTE);
    await run();
    expect(brief()).toContain(`created SAMR${hidden}`);
    await rewrite(hidden, now + 1_000 * MINUTE);
    receiver.received.length = 0;
    receiver.answer = { status: 204 };
    now += MINUTE;
    await run();
    expect(brief()).toEqual([`created SAMR${open}`, `withdrawn SAMR${hidden}`]);
  });

  it('are not held up by another account whose receiver does not answer', async () => {
    await hook('ada');
    receiver.answer = { status: 503 };
    await create('ada', now - MINUTE);
    await run();
    const mine = receiver;
    receiver = new Receiver();
    await receiver.open();
    await hook('bo');
    const id = await create('bo', now - MINUTE);
    await run();
    expect(brief()).toEqual([`created SAMR${id}`]);
    await mine.close();
  });

  it('are asked for with filters that can choose among them', async () => {
    for (const [events, filters] of [
      [undefined, ['attr:tissue']],
      [['sample.created'], ['colour:red']],
      [['sample.created'], ['descendantOf:SAMR1']],
    ] as const) {
      await expect(hook('ada', events ? [...events] : ['submission.failed'], [...filters])).rejects.toMatchObject({
        code: 'request.invalid',
      });
    }
  });
});
