/** Import profiles: what of an address and its headers reaches those that an account keeps, and what is answered. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profileRoutes } from '../../../src/http/routes/profiles.js';
import type { ListedProfile, Profiles } from '../../../src/profiles/profiles.js';
import { type Ask, routed } from './routed.js';

const DOCUMENT = { profile: 1, title: 'Tubes', columns: [{ header: 'Tube', as: 'name' }] } as const;
const OWN = { name: 'a.b', rank: 'own', version: 2, shared: false, created: 0, document: DOCUMENT };
const SHIPPED = { name: 'ena', rank: 'shipped', document: DOCUMENT };
const READ = { as: ['read'] as const };

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let found: unknown = OWN;
let isNew = true;
beforeAll(async () => {
  const profiles = {
    list: async (account: string) => {
      asked.push([account]);
      return [OWN, SHIPPED] as unknown as ListedProfile[];
    },
    find: async (...given: unknown[]) => {
      asked.push(given);
      return found;
    },
    keep: async (...given: unknown[]) => {
      asked.push(given);
      return { profile: OWN, isNew };
    },
    remove: async (...given: unknown[]) => void asked.push(given),
  } as unknown as Profiles;
  ({ ask, end } = await routed((context) => profileRoutes(context, profiles)));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  found = OWN;
  isNew = true;
});

const caller = (more = {}) => expect.objectContaining({ account: 'lab-7', ...more });
const write = (method: string, path: string, headers = {}, as: readonly ('read' | 'submit' | 'admin')[] = ['submit']) =>
  ask(path, {
    method,
    as,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'PUT' ? { body: JSON.stringify(DOCUMENT) } : {}),
  });

it('are listed for who may read, with what is known of each', async () => {
  expect((await ask('/')).status).toBe(401);
  expect((await ask('/', { as: ['read'], headers: { accept: 'image/png' } })).status).toBe(406);
  expect([(await ask('/a.b', READ)).status, (await ask('/a.b/c', READ)).status]).toEqual([200, 404]);
  asked = [];
  const { body, headers } = await ask('/', READ);
  expect(asked).toEqual([['lab-7']]);
  expect(headers.get('content-type')).toBe('application/hal+json');
  const self = (name: string) => ({ self: { href: `http://x/profiles/${name}` } });
  const { document: _, ...own } = OWN;
  expect(body).toStrictEqual({
    _embedded: {
      profiles: [
        { ...own, title: 'Tubes', created: '1970-01-01T00:00:00.000Z', _links: self('a.b') },
        { name: 'ena', rank: 'shipped', title: 'Tubes', _links: self('ena') },
      ],
    },
    _links: { self: { href: 'http://x/profiles' } },
  });
});

describe('one that is read', () => {
  it('is the present one or an earlier version, and its document alone', async () => {
    const { status, body, headers } = await ask('/a.b', READ);
    expect([status, body, headers.get('etag')]).toEqual([200, DOCUMENT, '"2"']);
    await ask('/a.b?version=123456789', READ);
    expect(asked).toEqual([
      ['lab-7', 'a.b', undefined],
      ['lab-7', 'a.b', 123456789],
    ]);
    expect((await ask('/a.b')).status).toBe(401);
    expect((await ask('/a.b', { ...READ, headers: { accept: 'image/png' } })).status).toBe(406);
  });

  it.each(['', '0', '01', '1.0', '-1', '1x', 'x1', '1234567890', 'x'.repeat(101)])(
    'has no version %j',
    async (text) => {
      const { status, body } = await ask(`/a.b?version=${text}`, READ);
      const words = `version must be a whole number from 1 on, not ${JSON.stringify(text.slice(0, 100))}.`;
      expect([status, body.detail, asked]).toEqual([400, words, []]);
    },
  );

  it('is not sent again to who has it; one that the account does not keep has no tag', async () => {
    const holds = { ...READ, headers: { 'if-none-match': '"1", W/"2"' } };
    const again = await ask('/a.b', holds);
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', '"2"']);
    for (const other of [SHIPPED, { ...OWN, rank: 'shared' }, { ...SHIPPED, rank: 'own' }]) {
      found = other;
      const { status, headers } = await ask('/a.b', { ...READ, headers: { 'if-none-match': '*' } });
      expect([status, headers.get('etag')]).toEqual([200, null]);
    }
  });
});

describe('one that is kept', () => {
  it('is kept under its conditions, for its account alone where nothing else is said', async () => {
    const made = await write('PUT', '/a.b', { 'if-none-match': '*' });
    expect([made.status, made.headers.get('etag'), made.body.title]).toEqual([201, '"2"', 'Tubes']);
    isNew = false;
    expect((await write('PUT', '/a.b?shared=false', { 'if-match': '"1"' }, ['admin'])).status).toBe(200);
    expect((await write('PUT', '/a.b?shared=true', {}, ['admin'])).status).toBe(200);
    const none = { ifMatch: undefined, ifNoneMatch: undefined };
    expect(asked).toEqual([
      [caller({ admin: false }), 'a.b', DOCUMENT, undefined, { ...none, ifNoneMatch: '*' }],
      [caller({ admin: true }), 'a.b', DOCUMENT, false, { ...none, ifMatch: '"1"' }],
      [caller({ admin: true }), 'a.b', DOCUMENT, true, none],
    ]);
  });

  it('needs a token that may write, to share one an administrator’s, and a document', async () => {
    expect((await write('PUT', '/a.b', {}, ['read'])).status).toBe(403);
    for (const shared of [true, false]) expect((await write('PUT', `/a.b?shared=${shared}`)).status).toBe(403);
    expect((await write('PUT', '/a.b', { accept: 'image/png' })).status).toBe(406);
    const unclear = await write('PUT', `/a.b?shared=${'y'.repeat(101)}`, {}, ['admin']);
    expect(unclear.body.detail).toBe(`shared must be true or false, not "${'y'.repeat(100)}".`);
    const empty = await ask('/a.b', { method: 'PUT', as: ['submit'], body: '{}' });
    expect([empty.status, asked]).toEqual([400, []]);
  });

  it('is removed under its conditions', async () => {
    expect((await write('DELETE', '/a.b', {}, ['read'])).status).toBe(403);
    const gone = await write('DELETE', '/a.b', { 'if-match': '"2"' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(asked).toEqual([[caller(), 'a.b', { ifMatch: '"2"', ifNoneMatch: undefined }]]);
  });
});
