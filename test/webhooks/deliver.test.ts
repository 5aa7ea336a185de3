import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SampleFeed } from '../../src/registry/changes/sample-feed.js';
import { Registry } from '../../src/registry/registry.js';
import { SampleSearch } from '../../src/registry/search/sample-search.js';
import { openStore, type Store } from '../../src/store/open.js';
import { ForbiddenAddressError, isPublicAddress } from '../../src/webhooks/address-guard.js';
import { type DeliveryDependencies, deliverDue, startDelivering } from '../../src/webhooks/deliver.js';
import { failureText } from '../../src/webhooks/failure-text.js';
import { GIVE_UP_AFTER_MS, type Webhook } from '../../src/webhooks/webhook.js';
import { Webhooks } from '../../src/webhooks/webhooks.js';
import { openEmptyStore } from '../contract/empty-stores.js';
import { NameServer } from './name-server.js';
import { Receiver } from './receiver.js';

let folder: string;
let store: Store;
let receiver: Receiver;
let now: number;
let deps: DeliveryDependencies;
let parts: Omit<ConstructorParameters<typeof Webhooks>[0], 'allowPrivate'>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  now = Date.now();
  store = await openEmptyStore(join(folder, 'registry.db'), { prefix: 'SAMR' });
  await store.ensureAccount('ada', now);
  receiver = new Receiver();
  await receiver.open();
  const options = { prefix: 'SAMR', now: () => now };
  const feed = new SampleFeed(store, options);
  const search = new SampleSearch(store, new Registry(store, options), options);
  parts = { store, feed, prefix: 'SAMR', now: () => now };
  deps = {
    store,
    submissions: store,
    changes: { feed, search },
    allowPrivate: true,
    baseUrl: 'https://samples.example',
    now: () => now,
  };
});
afterEach(async () => {
  await receiver.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const connections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

async function hook(url = receiver.url(), account = 'ada'): Promise<Webhook> {
  const webhooks = new Webhooks({ ...parts, allowPrivate: true });
  const webhook = await webhooks.add(account, { url });
  receiver.secret = webhook.secret;
  return webhook;
}

/** A submission that has ended; its event is in the store. */
async function ended(account = 'ada'): Promise<string> {
  const id = randomUUID();
  await store.accept(
    {
      id,
      account,
      admin: false,
      state: 'ACTIVE',
      phase: 'QUEUED',
      lane: 'small',
      fileName: 'plate 1.tsv',
      fileSize: 100,
      sha256: id,
      blobKey: id,
      options: { mode: 'partial', update: 'replace', dryRun: false, duplicate: 'reuse', unknownColumns: 'ignore' },
      created: now,
      updated: now,
    },
    { sameBytes: false },
  );
  await store.cancel(id);
  now = Math.max(now, Date.now());
  return id;
}

/** Time goes by until nothing waits. */
async function deliverAll(): Promise<void> {
  while ((await store.deliveryBacklog()).waiting > 0) {
    if ((await deliverDue(deps)) === 0) now += 5_000;
  }
}

describe('a webhook', () => {
  it('is informed of an ended submission, signed as the specification of webhooks says', async () => {
    await hook();
    const id = await ended();
    await deliverDue(deps);
    expect(receiver.refused).toEqual([]);
    expect(receiver.received).toMatchObject([
      {
        path: '/hook',
        payload: {
          type: 'submission.cancelled',
          data: {
            submissionId: id,
            submissionStatus: 'CANCELLED',
            counts: { rows: 0 },
            _links: { self: { href: `https://samples.example/submissions/${id}` } },
          },
        },
      },
    ]);
    expect(await deliverDue(deps)).toBe(0);
  });

  it('gets each of 60 events once after it was away for all of them, though the process was started anew', async () => {
    await hook();
    await receiver.close();
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) ids.push(await ended());
    for (let tries = 0; tries < 60; tries++) {
      await deliverDue(deps);
      now += 1_000;
    }
    expect((await store.deliveryBacklog()).waiting).toBe(60);
    await store.close();
    store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR' });
    deps = { ...deps, store, submissions: store };
    await receiver.open();
    await deliverAll();
    expect(receiver.received.map(({ payload }) => payload.data.submissionId).sort()).toEqual(ids.sort());
    expect(receiver.refused).toEqual([]);
  });

  it('is tried for a day, with growing pauses, and again when asked', async () => {
    const webhook = await hook();
    receiver.answer = { status: 503 };
    await ended();
    const began = now;
    const tries: number[] = [];
    const onAttempt: DeliveryDependencies['onAttempt'] = (_, { at }) => tries.push(at - began);
    receiver.secret = 'whsec_';
    while ((await store.deliveryBacklog()).waiting > 0) {
      if ((await deliverDue({ ...deps, onAttempt })) === 0) now += 60_000;
    }
    expect(tries.length).toBeGreaterThan(20);
    expect(tries.at(-1)).toBeGreaterThan(GIVE_UP_AFTER_MS - 3700_000);
    expect(tries.at(-1)).toBeLessThanOrEqual(GIVE_UP_AFTER_MS);
    const [failed] = await store.listDeliveries(webhook.id, { size: 10 });
    expect(failed).toMatchObject({ state: 'failed', attempts: tries.length });
    receiver.answer = { status: 200 };
    receiver.secret = webhook.secret;
    now = Date.now();
    await store.redeliver(webhook.id, failed?.id as string, now);
    await deliverAll();
    expect(receiver.received.map(({ id }) => id)).toEqual([failed?.id]);
  });

  it('is informed of what ended before the service was away for longer than a day, though its receiver did not answer at first', async () => {
    const webhook = await hook();
    const statuses = [503];
    const calls = { ...deps, post: async () => ({ status: statuses.shift() ?? 204 }) };
    for (let n = 0; n < 3; n += 1) await ended();
    await deliverDue({ ...calls, store: { ...store, takeDue: (asked) => store.takeDue({ ...asked, perWebhook: 1 }) } });
    now += 3 * GIVE_UP_AFTER_MS;
    while ((await deliverDue(calls)) > 0);
    const log = await store.listDeliveries(webhook.id, { size: 9 });
    expect(log.map(({ state, attempts }) => [state, attempts]).sort()).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 2],
    ]);
  });

  it('of which nothing is known for a day is asked once, and no more where it does not answer', async () => {
    const webhook = await hook();
    for (let n = 0; n < 5; n += 1) await ended();
    now += 3 * GIVE_UP_AFTER_MS;
    receiver.answer = { status: 503 };
    let tried = 0;
    for (let looks = 0; (await store.deliveryBacklog()).waiting > 0 && looks < 9; looks += 1)
      tried += await deliverDue(deps);
    expect(tried).toBeLessThan(6);
    const log = await store.listDeliveries(webhook.id, { size: 9 });
    expect(log.map(({ state }) => state)).toEqual(Array(5).fill('failed'));
  });

  it('stays delivered when an attempt of before comes back: the process that made it was stopped for longer than its lease', async () => {
    const webhook = await hook();
    await ended();
    let stopped: Promise<number> | undefined;
    let answer = (_: { status: number }): void => undefined;
    const taken = new Promise<void>((begun) => {
      const post: DeliveryDependencies['post'] = () => {
        begun();
        return new Promise((resolve) => {
          answer = resolve;
        });
      };
      stopped = deliverDue({ ...deps, post });
    });
    await taken;
    now += 61_000;
    expect(await deliverDue(deps)).toBe(1);
    answer({ status: 500 });
    await stopped;
    const deliveries = await store.listDeliveries(webhook.id, { size: 10 });
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 1, lastStatus: 204 }]);
    now += 3_600_000;
    expect(await deliverDue(deps)).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  it('goes on being called when the clock was ahead by ten hours while its receiver was away', async () => {
    await hook();
    receiver.answer = { status: 503 };
    await ended();
    now += 10 * 3_600_000;
    await deliverDue(deps);
    now -= 10 * 3_600_000;
    receiver.answer = { status: 204 };
    // The first look ends the pause.
    expect(await deliverDue(deps)).toBe(0);
    expect(await deliverDue(deps)).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ['120', 119_000, 121_000],
    ['a date in ten minutes', 500_000, 602_000],
    ['9999999', 3_599_000, 3_601_000],
    ['2', 4_000, 6_000],
    ['soon', 4_000, 6_000],
  ])('is not sent again before its receiver wants it: Retry-After: %s', async (said, tooSoon, soonEnough) => {
    const webhook = await hook();
    now = Date.now();
    const retryAfter = said.startsWith('a date') ? new Date(now + 600_000).toUTCString() : said;
    receiver.answer = { status: 429, headers: { 'retry-after': retryAfter } };
    await ended();
    await ended();
    const began = now + 1000;
    const tried = async (after: number): Promise<number> => {
      now = began + after;
      return deliverDue(deps);
    };
    expect(await tried(0)).toBeGreaterThan(0);
    expect(await tried(tooSoon)).toBe(0);
    for (const { nextAttempt } of await store.listDeliveries(webhook.id, { size: 2 }))
      expect(nextAttempt).toBeGreaterThan(began + tooSoon);
    expect(await tried(soonEnough)).toBeGreaterThan(0);
  });

  it('is not sent where its receiver redirects to', async () => {
    const webhook = await hook();
    receiver.answer = { status: 307, headers: { location: receiver.url('/elsewhere') } };
    await ended();
    await deliverDue(deps);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    const [delivery] = await store.listDeliveries(webhook.id, { size: 1 });
    expect(delivery).toMatchObject({
      state: 'waiting',
      lastStatus: 307,
      lastError: expect.stringContaining('not followed'),
    });
  });

  it('does not reach a private address, however it is written', async () => {
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '169.254.169.254',
      '10.0.0.1',
      'localhost',
    ]) {
      await hook(`http://${host}:${receiver.port}/hook`);
    }
    await ended();
    await deliverDue({ ...deps, allowPrivate: false });
    await deliverDue({ ...deps, allowPrivate: false });
    expect(receiver.received).toEqual([]);
    for (const { id } of await store.listWebhooks('ada')) {
      const [delivery] = await store.listDeliveries(id, { size: 1 });
      expect(delivery).toMatchObject({
        attempts: 1,
        lastError: expect.stringMatching(/^Refused: .*not an address of the public internet/),
      });
    }
  });

  it('does not reach a private address through a name whose answer changes', async () => {
    const names = new NameServer(['93.184.216.34', '127.0.0.1']);
    const lookup = await names.open();
    const webhook = await hook(`http://rebinding.test:${receiver.port}/hook`);
    // The name was public when somebody looked it up for a first time.
    await new Promise<void>((resolve) => lookup('rebinding.test', {}, () => resolve()));
    expect(names.asked).toEqual(['93.184.216.34']);
    await ended();
    await deliverDue({ ...deps, allowPrivate: false, lookup });
    expect(names.asked).toEqual(['93.184.216.34', '127.0.0.1']);
    expect(receiver.received).toEqual([]);
    const [delivery] = await store.listDeliveries(webhook.id, { size: 1 });
    expect(delivery?.lastError).toMatch(/^Refused: rebinding\.test is not an address of the public internet/);
    // Where it is allowed, the same name leads there: the refusal above was no accident.
    now += 6_000;
    await deliverDue({ ...deps, lookup });
    names.close();
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fec0::1',
    '::',
    '100::1',
  ])('does not take %s for an address of the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('says why an attempt failed in words that tell nothing of our network', async () => {
    const at = (code: string) => Object.assign(new Error(`connect ${code} 10.20.30.40:8080`), { code });
    const reported = ['ECONNREFUSED', 'EHOSTUNREACH', 'ETIMEDOUT', 'EWHATEVER'].map((code) => failureText(at(code)));
    const forbidden = failureText(new ForbiddenAddressError('intern.example', '10.20.30.40'));
    for (const text of [...reported, forbidden, failureText(new Error('10.20.30.40')), failureText('10.20.30.40')]) {
      expect(text).not.toMatch(/10\.20/);
      expect(text).toMatch(/\.$/);
    }
    expect(forbidden).toContain('intern.example is not an address of the public internet');
  });

  it('goes on as soon as a receiver has answered, however many wait for the same one', async () => {
    await hook();
    for (let n = 0; n < 30; n++) await ended();
    // It looks once by itself; whatever it takes after that, an end made it look.
    const delivering = startDelivering({ ...deps, now: Date.now }, () => undefined, 3_600_000);
    await expect.poll(() => receiver.received.length).toBe(30);
    await delivering.stop();
  });

  it('of an account whose receivers are all dead does not hold up another’s', async () => {
    // Connections are taken and never answered.
    const dead = createServer(() => undefined);
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const { port } = dead.address() as AddressInfo;
    for (let n = 0; n < 20; n += 1) await hook(`http://127.0.0.1:${port}/${n}`);
    for (let n = 0; n < 5; n += 1) await ended();
    const delivering = startDelivering({ ...deps, now: Date.now }, () => undefined);
    try {
      await expect.poll(async () => (await connections(dead)) > 0).toBe(true);
      await store.ensureAccount('bo', now);
      await hook(receiver.url(), 'bo');
      const id = await ended('bo');
      const received = () => receiver.received.map(({ payload }) => payload.data.submissionId);
      await expect.poll(received).toEqual([id]);
      expect(await connections(dead)).toBeLessThanOrEqual(8);
    } finally {
      await delivering.stop();
      dead.closeAllConnections();
      dead.close();
    }
  });

  it('whose receivers are slow gives its places to others, up to a bound', async () => {
    const dead = createServer(() => undefined);
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const { port } = dead.address() as AddressInfo;
    for (const account of Array.from({ length: 17 }, (_, n) => `lab-${n}`)) {
      await store.ensureAccount(account, now);
      for (let n = 0; n < 8; n += 1) await hook(`http://127.0.0.1:${port}/${account}/${n}`, account);
      await ended(account);
    }
    const delivering = startDelivering({ ...deps, now: Date.now }, () => undefined);
    try {
      // 32 have just begun at any time; of 136 that never answer 128 are under way in the end.
      let most = 0;
      const underWay = async () => {
        most = Math.max(most, await connections(dead));
        return most;
      };
      await expect.poll(underWay).toBeGreaterThanOrEqual(128);
      expect(await underWay()).toBe(128);
    } finally {
      await delivering.stop();
      dead.closeAllConnections();
      dead.close();
    }
  });

  it('with a name that leads to a public and a private address is refused', async () => {
    const { guardedLookup } = await import('../../src/webhooks/address-guard.js');
    const lookup = guardedLookup((_host, _options, callback) =>
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '192.168.1.1', family: 4 },
      ]),
    );
    const error = await new Promise((resolve) => lookup('both.test', {}, resolve));
    expect(String(error)).toContain('192.168.1.1');
  });

  it('cannot be made for an address that is no web address or plainly private', async () => {
    const webhooks = new Webhooks({ ...parts, allowPrivate: false });
    for (const url of [
      'ftp://x.example/',
      'lims',
      'https://user:pw@lims.example/',
      'http://127.0.0.1/',
      'http://[fd00::1]/',
      'file:///etc/passwd',
    ]) {
      await expect(webhooks.add('ada', { url }), url).rejects.toMatchObject({ code: 'request.invalid' });
    }
    await expect(webhooks.add('ada', { url: 'https://lims.example/hook' })).resolves.toMatchObject({ account: 'ada' });
  });

  it('of another account is not there', async () => {
    const { id } = await hook();
    const webhooks = new Webhooks({ ...parts, allowPrivate: true });
    await expect(webhooks.find('bo', id)).rejects.toMatchObject({ code: 'not-found' });
    await expect(webhooks.remove('bo', id)).rejects.toMatchObject({ code: 'not-found' });
    await expect(webhooks.deliveries('bo', id, { size: 1 })).rejects.toMatchObject({ code: 'not-found' });
  });
});
