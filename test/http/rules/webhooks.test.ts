/** Webhooks: whose they are, what is shown of them, and pages of their deliveries. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { webhookRoutes } from '../../../src/http/routes/webhooks.js';
import type { Webhooks } from '../../../src/webhooks/webhooks.js';
import { type Ask, routed } from './routed.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';
const OTHER = ID.replace('0b', '0c');
const WEBHOOK = { id: 'w', url: 'https://example.org/', events: ['submission.completed'], created: 0, secret: 's' };
const DELIVERY = { id: ID, event: 'ping', state: 'sent', attempts: 1, created: 0, nextAttempt: 5 };
const SUBMIT = { as: ['submit'] as const };
const SELF = 'http://x/webhooks/w';

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let webhook: object = WEBHOOK;
let found: object[] = [];
beforeAll(async () => {
  const answers =
    (of: () => unknown) =>
    async (...given: unknown[]) => {
      asked.push(given);
      return of();
    };
  const webhooks = {
    list: answers(() => [webhook]),
    add: answers(() => webhook),
    find: answers(() => webhook),
    remove: answers(() => undefined),
    deliveries: answers(() => found),
    redeliver: answers(() => found[0]),
  } as unknown as Webhooks;
  ({ ask, end } = await routed((context) => webhookRoutes(context, webhooks)));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  webhook = WEBHOOK;
  found = [];
});

const shown = {
  id: 'w',
  url: 'https://example.org/',
  events: ['submission.completed'],
  created: '1970-01-01T00:00:00.000Z',
  _links: { self: { href: SELF }, deliveries: { href: `${SELF}/deliveries` } },
};

it('are of the account that asks, and their secret is shown once', async () => {
  expect((await ask('/', SUBMIT)).body).toStrictEqual({
    _embedded: { webhooks: [shown] },
    _links: { self: { href: 'http://x/webhooks' } },
  });
  expect((await ask('/w', SUBMIT)).body).toStrictEqual(shown);
  webhook = { ...WEBHOOK, filters: ['attr:a'] };
  const request = { url: 'https://example.org/', events: ['submission.completed'], filters: ['attr:a'] };
  const made = await ask('/', { ...SUBMIT, method: 'POST', body: JSON.stringify(request) });
  expect([made.status, made.headers.get('location'), made.headers.get('cache-control')]) //
    .toEqual([201, SELF, 'no-store']);
  expect(made.body).toStrictEqual({ ...shown, filters: ['attr:a'], secret: 's' });
  await ask('/', { ...SUBMIT, method: 'POST', body: '{"url":"https://example.org/"}' });
  const gone = await ask('/w', { ...SUBMIT, method: 'DELETE' });
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect(asked).toStrictEqual([
    ['lab-7'],
    ['lab-7', 'w'],
    ['lab-7', request],
    ['lab-7', { url: 'https://example.org/' }],
    ['lab-7', 'w'],
  ]);
});

it('are for who may write, at every address', async () => {
  const of = [
    ['GET', '/'],
    ['POST', '/'],
    ['GET', '/w'],
    ['DELETE', '/w'],
    ['GET', '/w/deliveries'],
    ['POST', `/w/deliveries/${ID}/redeliver`],
  ] as const;
  for (const [method, path] of of) expect((await ask(path, { method, as: ['read'] })).status, path).toBe(403);
  expect(asked).toEqual([]);
});

it('have deliveries page by page, each page at the address that was asked for', async () => {
  const none = await ask('/w/deliveries', SUBMIT);
  expect(none.body).toEqual({
    _embedded: { deliveries: [] },
    _links: { self: { href: `${SELF}/deliveries?size=20` } },
  });
  found = [DELIVERY, { ...DELIVERY, id: OTHER }];
  const page = await ask(`/w/deliveries?size=1&cursor=${ID.toUpperCase()}`, SUBMIT);
  const at = (cursor: string) => ({ href: `${SELF}/deliveries?size=1&cursor=${cursor}` });
  expect(page.body._links).toEqual({ self: at(ID), next: at(ID) });
  expect(page.body._embedded).toStrictEqual({
    deliveries: [{ id: ID, event: 'ping', state: 'sent', attempts: 1, created: '1970-01-01T00:00:00.000Z' }],
  });
  expect(Object.keys((await ask('/w/deliveries?size=2', SUBMIT)).body._links as object)).toEqual(['self']);
  expect(asked).toStrictEqual([
    ['lab-7', 'w', { size: 21 }],
    ['lab-7', 'w', { size: 2, before: ID }],
    ['lab-7', 'w', { size: 3 }],
  ]);
  for (const query of ['size=0', 'size=201', 'cursor=x', 'page=1'])
    expect((await ask(`/w/deliveries?${query}`, SUBMIT)).status).toBe(400);
  expect((await ask('/w/deliveries?size=200', SUBMIT)).status).toBe(200);
});

it('show of a delivery what is known of it', async () => {
  const iso = (time: number) => new Date(time).toISOString();
  const whole = { submissionId: 'u', lastAttempt: 2, lastStatus: 500, lastError: 'no', state: 'waiting' };
  found = [{ ...DELIVERY, ...whole, changes: { count: 3 } }];
  const again = await ask(`/w/deliveries/${ID}/redeliver`, { ...SUBMIT, method: 'POST' });
  expect(again.status).toBe(202);
  const { nextAttempt: _, ...rest } = DELIVERY;
  expect(again.body).toStrictEqual({
    ...rest,
    ...whole,
    changes: 3,
    created: iso(0),
    nextAttempt: iso(5),
    lastAttempt: iso(2),
  });
  expect(asked).toEqual([['lab-7', 'w', ID]]);
});
