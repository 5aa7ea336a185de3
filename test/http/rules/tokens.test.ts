/** Tokens: who makes, sees and ends whose, until when, and what of a request is taken. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountStore, Scope, TokenRecord } from '../../../src/auth/account-store.js';
import type { Tokens } from '../../../src/auth/tokens.js';
import { grantOf, tokenRoutes } from '../../../src/http/routes/tokens.js';
import { DAY_MS } from '../../../src/registry/date-time.js';
import { type Ask, routed, signedIn } from './routed.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';
const record = (more: Partial<TokenRecord> = {}): TokenRecord => {
  const made = { id: ID, account: 'lab-7', name: 'LIMS', scopes: ['read'], created: 0, revoked: false, ...more };
  return made as TokenRecord;
};
const DOCUMENT = {
  id: ID,
  account: 'lab-7',
  name: 'LIMS',
  scopes: ['read'],
  created: '1970-01-01T00:00:00.000Z',
  revoked: false,
  kind: 'token',
};

let ask: Ask;
let end: () => void;
let asked: unknown[][] = [];
let known: TokenRecord | undefined;
let listed: TokenRecord[] = [];
let isRevoked = true;
let ends: number | undefined;
let accountsThere: string[] = [];
beforeAll(async () => {
  const tokens = {
    grantOf: async (parent: string) => ({ parent, ...(ends === undefined ? {} : { expires: ends }) }),
    issue: async (given: Partial<TokenRecord>) => {
      asked.push(['issue', given]);
      return { text: 'srt_x', record: record(given) };
    },
    list: async (...given: unknown[]) => {
      asked.push(given);
      return listed;
    },
    revoke: async (...given: unknown[]) => {
      asked.push(given);
      return isRevoked;
    },
  } as unknown as Tokens;
  const accounts = {
    findAccount: async (name: string) => (accountsThere.includes(name) ? { name } : undefined),
    createAccount: async (name: string) => void asked.push(['made', name]),
    findTokenById: async () => known,
  } as unknown as AccountStore;
  ({ ask, end } = await routed((context) => tokenRoutes(context, { tokens, accounts })));
});
afterAll(() => end());
beforeEach(() => {
  asked = [];
  known = record();
  listed = [];
  isRevoked = true;
  ends = undefined;
  accountsThere = ['ada'];
});

const make = (body: object, as: readonly Scope[] = ['read', 'submit'], headers = {}) =>
  ask('/', { method: 'POST', as, headers, body: JSON.stringify(body) });
const ADMIN = ['read', 'submit', 'admin'] as const;

it('every address is there', async () => {
  expect((await ask('/', { as: ['read'] })).status).toBe(200);
  expect((await ask(`/${ID}`, { as: ['read'] })).status).toBe(200);
  expect((await ask(`/${ID}`, { method: 'DELETE', as: ['submit'] })).status).toBe(204);
  expect((await ask(`/${ID}/more`, { as: ['read'] })).status).toBe(404);
});

describe('a token that is made', () => {
  it('is of who asks and may read and submit, where nothing else is said', async () => {
    const made = await make({});
    expect([made.status, made.headers.get('location'), made.headers.get('cache-control')]) //
      .toEqual([201, `http://x/tokens/${ID}`, 'no-store']);
    const given = { account: 'lab-7', name: 'token', scopes: ['read', 'submit'] };
    expect(asked).toStrictEqual([['issue', given]]);
    expect(made.body).toStrictEqual({ ...DOCUMENT, ...given, token: 'srt_x' });
  });

  it('has each scope once, and ends on its day', async () => {
    const before = Date.now() + DAY_MS / 2;
    await make({ name: ' n ', scopes: ['read', 'read'], expiresInDays: 0.5 });
    const [[, given]] = asked as [[string, { expires: number }]];
    expect(given).toEqual({ account: 'lab-7', name: 'n', scopes: ['read'], expires: expect.any(Number) });
    expect(Number.isInteger(given.expires)).toBe(true);
    expect(given.expires).toBeGreaterThanOrEqual(before);
    expect(given.expires).toBeLessThan(before + DAY_MS);
  });

  it('is no more than its maker’s, and of another account an administrator’s to make', async () => {
    const refusal = async (body: object, as?: readonly Scope[]) => {
      const { status, body: problem } = await make(body, as);
      return [status, problem.detail];
    };
    expect(await refusal({ scopes: ['read', 'admin'] })).toEqual([
      403,
      'Your own token lacks the scope "admin", so it cannot make one that has it.',
    ]);
    expect(await refusal({ account: 'ada' })).toEqual([
      403,
      'Only an administrator makes tokens for another account; you are lab-7.',
    ]);
    expect((await make({ scopes: ['read'] }, ['read'])).status).toBe(403);
    expect((await make({}, ADMIN, { accept: 'image/png' })).status).toBe(406);
    expect(await refusal({ account: 'adda' }, ADMIN)).toEqual([
      404,
      'There is no account "adda". Look at the spelling, or make it with "createAccount": true.',
    ]);
    expect(asked).toEqual([]);
    await make({ account: 'ada' }, ADMIN);
    await make({ account: 'new', createAccount: true }, ADMIN);
    await make({ account: 'lab-7', scopes: ['admin'], createAccount: true }, ADMIN);
    expect(asked).toMatchObject([
      ['issue', { account: 'ada' }],
      ['made', 'new'],
      ['issue', { account: 'new' }],
      ['issue', { account: 'lab-7', scopes: ['admin'] }],
    ]);
  });

  it.each([
    ['expiresIndays', 1, 'expiresInDays'],
    ['expires_in_days', 1, 'expiresInDays'],
    ['scope', ['read'], 'scopes'],
    ['Account', 'ada', 'account'],
  ])('is none where the request says %s: it would allow more than was meant', async (name, value, meant) => {
    const { status, body } = await make({ [name]: value }, ADMIN);
    const error = `is not known here and would not be kept; write ${meant}`;
    expect([status, body.errors, asked]).toEqual([400, [{ dataPath: `/${name}`, errors: [error] }], []]);
  });

  it('hangs on the token that made it, and ends with that at the latest', async () => {
    const mine = { 'x-token-id': 'mine' };
    await make({}, ['submit'], mine);
    ends = Date.now() + DAY_MS;
    await make({}, ['submit'], mine);
    await make({ expiresInDays: 2 }, ['submit'], mine);
    await make({ expiresInDays: 0.5 }, ['submit'], mine);
    const given = asked.map(([, token]) => token as { parent: string; expires?: number });
    expect(given.map(({ parent }) => parent)).toEqual(['mine', 'mine', 'mine', 'mine']);
    expect(given.map(({ expires }) => expires)).toEqual([undefined, ends, ends, expect.any(Number)]);
    expect(given[3]?.expires).toBeLessThan(ends);
  });

  it('ends with what its maker signed in with', async () => {
    const caller = signedIn(['read']);
    const tokens = { grantOf: async (id: string) => ({ parent: id, expires: 5 }) } as unknown as Tokens;
    expect(await grantOf(caller, tokens)).toStrictEqual({});
    expect(await grantOf({ ...caller, expires: 7 }, tokens)).toEqual({ expires: 7 });
    expect(await grantOf({ ...caller, tokenId: 'a', expires: 7 }, tokens)).toEqual({ parent: 'a', expires: 5 });
  });
});

describe('a token that is read', () => {
  it('is shown without its text to its account and to administrators, at the address that its maker got', async () => {
    const read = (as?: readonly Scope[], headers = {}) => ask(`/${ID}`, { ...(as && { as }), headers });
    const own = await read(['read']);
    expect([own.status, own.headers.get('content-type'), own.body]).toEqual([200, 'application/hal+json', DOCUMENT]);
    known = record({ account: 'ada', expires: 1, lastUsed: 2, revoked: true, kind: 'session', parent: 'p' });
    expect((await read(ADMIN)).body).toStrictEqual({
      ...DOCUMENT,
      account: 'ada',
      expires: '1970-01-01T00:00:00.001Z',
      lastUsed: '1970-01-01T00:00:00.002Z',
      revoked: true,
      kind: 'session',
      parent: 'p',
    });
    const foreign = await read(['read', 'submit']);
    known = undefined;
    for (const none of [foreign, await read(ADMIN)])
      expect([none.status, none.body.detail]).toEqual([404, 'There is no such token of yours.']);
    expect([(await read()).status, (await read(['read'], { accept: 'image/png' })).status]).toEqual([401, 406]);
  });
});

describe('tokens that are listed', () => {
  const READ = { as: ['read'] as const };
  it('are those of who asks, and of all or of one for administrators', async () => {
    for (const [path, as] of [
      ['/', ['read']],
      ['/?account=&valid=false', ['read']],
      ['/?account=lab-7', ['read']],
      ['/', ADMIN],
      ['/?account=ada', ADMIN],
    ] as const)
      await ask(path, { as });
    const page = { size: 201 };
    expect(asked).toStrictEqual(['lab-7', 'lab-7', 'lab-7', undefined, 'ada'].map((account) => [account, page]));
    asked = [];
    const foreign = await ask('/?account=ada', READ);
    expect([foreign.status, foreign.body.detail, asked]) //
      .toEqual([403, 'Only an administrator sees the tokens of another account.', []]);
    expect((await ask('/')).status).toBe(401);
  });

  it('go on where they ended, with what was asked for', async () => {
    expect((await ask('/', READ)).body).toEqual({
      _links: { self: { href: 'http://x/tokens?account=lab-7&size=200' } },
    });
    const other = ID.replace('0b', '0c');
    listed = [record(), record({ id: other })];
    const before = Date.now();
    const { body } = await ask(`/?size=1&valid=true&cursor=${ID.toUpperCase()}`, READ);
    const [account, { validAt, ...page }] = asked.at(-1) as [string, { validAt: number }];
    expect([account, page]).toEqual(['lab-7', { size: 2, before: ID }]);
    expect(validAt).toBeGreaterThanOrEqual(before);
    const at = (cursor: string) => ({ href: `http://x/tokens?account=lab-7&valid=true&size=1&cursor=${cursor}` });
    expect(body).toEqual({ _embedded: { tokens: [DOCUMENT] }, _links: { self: at(ID), next: at(ID) } });
    const all = await ask('/?size=1', { as: ADMIN, headers: { 'x-token-id': other } });
    const next = { href: `http://x/tokens?size=1&cursor=${ID}` };
    expect(all.body).toEqual({
      _embedded: { tokens: [DOCUMENT] },
      _links: { self: { href: 'http://x/tokens?size=1' }, next },
    });
    const mine = await ask('/', { ...READ, headers: { 'x-token-id': other } });
    expect(mine.body._embedded).toEqual({ tokens: [DOCUMENT, { ...DOCUMENT, id: other, current: true }] });
    const whole = await ask('/?size=2', READ);
    expect(Object.keys(whole.body._links as object)).toEqual(['self']);
    for (const query of ['size=0', 'size=201', 'cursor=x', 'valid=1', 'page=1'])
      expect((await ask(`/?${query}`, READ)).status).toBe(400);
    expect((await ask('/', { ...READ, headers: { accept: 'image/png' } })).status).toBe(406);
  });
});

it('a token is ended by its account, or by an administrator', async () => {
  const endIt = (as: readonly Scope[]) => ask(`/${ID}`, { method: 'DELETE', as });
  const ended = await endIt(['submit']);
  expect([ended.status, ended.text]).toEqual([204, '']);
  await endIt(ADMIN);
  expect((await endIt(['read'])).status).toBe(403);
  // One may always end itself.
  const itself = { method: 'DELETE', as: ['read'] as const, headers: { 'x-token-id': ID } };
  expect((await ask(`/${ID}`, itself)).status).toBe(204);
  expect((await ask(`/${ID}x`, itself)).status).toBe(403);
  expect(asked).toEqual([
    [ID, 'lab-7'],
    [ID, undefined],
    [ID, 'lab-7'],
  ]);
  isRevoked = false;
  const none = await endIt(['submit']);
  expect([none.status, none.body.detail]).toEqual([404, 'There is no such token of yours.']);
});
