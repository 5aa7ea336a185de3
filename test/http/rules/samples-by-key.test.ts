/** Samples by keys of an account: which sample is answered and from where, and that conditions reach who writes. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sampleKeyRoutes } from '../../../src/http/routes/samples-by-key.js';
import type { Registry } from '../../../src/registry/registry.js';
import { type Ask, routed } from './routed.js';

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let created = true;
const VIEW = { document: { name: 'a' }, etag: '"t"', accession: 'SAMR1' };
beforeAll(async () => {
  const registry = {
    accessionOfKey: async (...given: unknown[]) => {
      asked.push(given);
      return 'SAMR1';
    },
    read: async (...given: unknown[]) => {
      asked.push(given);
      return VIEW;
    },
    putByKey: async (...given: unknown[]) => {
      asked.push(given);
      return { ...VIEW, created };
    },
    takeKey: async (...given: unknown[]) => void asked.push(given),
  } as unknown as Registry;
  ({ ask, end } = await routed((context) => sampleKeyRoutes(context, registry)));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  created = true;
});

const AT = '/lims/a%2Fb';
const caller = expect.objectContaining({ account: 'lab-7' });
const send = (method: string, as: 'read' | 'submit', headers = {}) =>
  ask(AT, { method, as: [as], headers, ...(method === 'PUT' ? { body: '{"name":"a"}' } : {}) });

it('is read as its address says, from where its accession leads', async () => {
  const { status, body, headers } = await ask(`${AT}?applyCurations=false&version=2`, { as: ['read'] });
  expect([status, headers.get('etag'), headers.get('content-type')]).toEqual([200, '"t"', 'application/hal+json']);
  expect(headers.get('content-location')).toBe('http://x/samples/SAMR1');
  expect(body).toMatchObject({ name: 'a', _links: { self: { href: 'http://x/samples/SAMR1' } } });
  expect(asked).toEqual([
    ['lims', 'a/b', caller],
    ['SAMR1', caller, { applyCurations: false, declined: false, version: 2 }],
  ]);
  const again = await ask(AT, { as: ['read'], headers: { 'if-none-match': '"t"' } });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await ask(AT)).status).toBe(401);
  expect((await ask(AT, { as: ['read'], headers: { accept: 'image/png' } })).status).toBe(406);
});

it('is registered or overwritten under the conditions of the request', async () => {
  const made = await send('PUT', 'submit', { 'if-none-match': '*' });
  expect([made.status, made.headers.get('location'), made.headers.get('content-location'), made.headers.get('etag')]) //
    .toEqual([201, 'http://x/samples/SAMR1', null, '"t"']);
  expect(made.body).toMatchObject({ name: 'a', _links: { self: { href: 'http://x/samples/SAMR1' } } });
  created = false;
  const written = await send('PUT', 'submit', { 'if-match': '"t"' });
  expect([written.status, written.headers.get('location'), written.headers.get('content-location')]) //
    .toEqual([200, null, 'http://x/samples/SAMR1']);
  const place = { space: 'lims', key: 'a/b' };
  expect(asked).toEqual([
    [place, { name: 'a' }, caller, { ifMatch: undefined, ifNoneMatch: '*' }],
    [place, { name: 'a' }, caller, { ifMatch: '"t"', ifNoneMatch: undefined }],
  ]);
  expect((await send('PUT', 'read')).status).toBe(403);
  expect((await send('PUT', 'submit', { accept: 'image/png' })).status).toBe(406);
});

it('loses its key under the conditions of the request', async () => {
  const taken = await send('DELETE', 'submit', { 'if-match': '"t"' });
  expect([taken.status, taken.text]).toEqual([204, '']);
  expect(asked).toEqual([['lims', 'a/b', caller, { ifMatch: '"t"', ifNoneMatch: undefined }]]);
  expect((await send('DELETE', 'read')).status).toBe(403);
});
