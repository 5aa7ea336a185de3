/** Nothing that a token does gives more than the token has: not in scope, not in time, not after it was revoked. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstStart } from '../../src/auth/first-start.js';
import { ADMIN_TOKEN, type Service, startService } from '../http/service.js';
import type { Answer } from '../support/api-caller.js';

const PASSWORD = 'correct horse battery';
let service: Service;
let ahead = 0;
beforeAll(async () => {
  service = await startService({ clockAhead: () => ahead });
});
afterAll(() => service.stop());

const me = (token: string) => service.get('/me', { token });
const make = (token: string, body: object = {}) =>
  service.send('POST', '/tokens', { name: 'child', ...body }, { token });
const textOf = (answer: Answer): string => answer.json<{ token: string }>().token;
const anonymous = (path: string, body: object) => service.send('POST', path, body, { token: null });
const cookieOf = (answer: Answer): Record<string, string> => ({
  cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '',
});
const session = async (body: object) => cookieOf(await anonymous('/auth/session', body));
const inPage = (headers: Record<string, string>, path: string, body: object) =>
  service.send('POST', path, body, { token: null, headers });

describe('a token without administration, of an administrator’s account', () => {
  it('sets no first password, with which it would be an administrator', async () => {
    const { text } = await service.tokens.issue({ account: 'admin', name: 'robot', scopes: ['read', 'submit'] });
    const set = await service.send('POST', '/auth/password', { password: PASSWORD }, { token: text });
    expect([set.status, set.json<{ detail: string }>().detail]).toEqual([403, expect.stringContaining('one-time')]);
    expect((await anonymous('/auth/token', { username: 'admin', password: PASSWORD })).status).toBe(401);
    const opened = await session({ token: text });
    expect((await inPage(opened, '/auth/password', { password: PASSWORD })).status).toBe(403);
  });

  it('nor does one with an end, though it is an administrator’s until then', async () => {
    const { text } = await service.tokens.issue({
      account: 'admin',
      name: 'a day',
      scopes: ['admin'],
      expires: Date.now() + 86_400_000,
    });
    for (const path of ['/auth/password', '/accounts/admin/password-reset']) {
      expect((await service.send('POST', path, { password: PASSWORD }, { token: text })).status, path).toBe(403);
    }
    const reset = await service.send(
      'POST',
      '/auth/password',
      { account: 'new one', password: PASSWORD, createAccount: true },
      { token: text },
    );
    expect(reset.status).toBe(204);
  });

  it('and no account sets its own first one', async () => {
    const token = await service.token('first');
    expect((await service.send('POST', '/auth/password', { password: PASSWORD }, { token })).status).toBe(403);
  });
});

describe('a token that was made with another', () => {
  it('ends with it in time, whatever is asked for', async () => {
    const parent = (
      await service.tokens.issue({ account: 'short', name: 'p', scopes: ['submit'], expires: Date.now() + 3_600_000 })
    ).text;
    const [eternal, year] = [await make(parent), await make(parent, { expiresInDays: 365 })];
    expect([eternal.status, year.status]).toEqual([201, 201]);
    const grandchild = await make(textOf(eternal), { expiresInDays: 1 });
    ahead = 3_600_001;
    for (const answer of [eternal, year, grandchild]) expect((await me(textOf(answer))).status).toBe(401);
    ahead = 0;
  });

  it('ends with it when it is revoked, for other accounts too, and through sessions', async () => {
    const boss = await service.token('boss', ['read', 'submit', 'admin']);
    const child = textOf(await make(boss));
    const other = textOf(await make(boss, { account: 'of boss', createAccount: true }));
    const opened = await session({ token: child });
    const throughPage = textOf(await inPage(opened, '/tokens', { name: 'by page' }));
    const unrelated = await service.token('boss');
    const { id } = (await service.tokens.check(boss)) as { id: string };
    await service.call(`/tokens/${id}`, { method: 'DELETE' });
    for (const token of [boss, child, other, throughPage]) expect((await me(token)).status).toBe(401);
    expect((await service.call('/me', { token: null, headers: opened })).status).toBe(401);
    expect((await me(unrelated)).status).toBe(200);
  });

  describe('and the body of a request that it came with is still on its way', () => {
    const SHEET = 'Sample Name\tRelease Date\nhalf sent\t2024-01-01\n';
    const FORM = `--b\r\nContent-Disposition: form-data; name="file"; filename="half.tsv"\r\n\r\n${SHEET}\r\n--b--\r\n`;
    const bodies: Record<string, [path: string, type: string, body: string]> = {
      'a file': ['/submissions?name=half.tsv', 'text/tab-separated-values', SHEET],
      'a form': ['/submissions', 'multipart/form-data; boundary=b', FORM],
      JSON: ['/samples', 'application/json', JSON.stringify({ name: 'half sent', release: '2024-01-01T00:00:00Z' })],
      'a list': ['/v2/samples', 'application/json', JSON.stringify([{ name: 'half sent', release: '2024-01-01' }])],
      'the last piece of a resumable upload': ['/files', 'application/offset+octet-stream', SHEET],
    };

    it.each(Object.entries(bodies))('%s registers nothing once the token is revoked', async (_, [path, type, body]) => {
      const account = `half of ${path.replace(/\W+/g, ' ')}`;
      const { text, record } = await service.tokens.issue({ account, name: 'robot', scopes: ['read', 'submit'] });
      const sending = request(`${service.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${text}`,
          'content-type': type,
          'content-length': Buffer.byteLength(body),
          ...(path === '/files' && { 'tus-resumable': '1.0.0', 'upload-length': Buffer.byteLength(body) }),
          expect: '100-continue',
        },
      });
      const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
      // The request has begun: its head has been read, and whoever takes the body has looked at the token.
      await once(sending, 'continue');
      sending.write(body.slice(0, -5));
      await expect.poll(async () => (await service.tokens.list(account))[0]?.lastUsed).toBeDefined();
      await service.tokens.revoke(record.id);
      sending.end(body.slice(-5));
      const [answer] = await answered;
      expect([answer.statusCode, await bodyOf(answer)]).toEqual([401, expect.stringContaining('revoked')]);
      expect(await service.store.list({ account, size: 1 })).toEqual([]);
    });
  });

  it('made with a password’s token ends with that; in a page session of a password it hangs on the account', async () => {
    await service.send('POST', '/accounts', { account: 'pat', password: PASSWORD });
    const { text } = await anonymous('/auth/token', { username: 'pat', password: PASSWORD });
    const short = await make(text);
    const page = await session({ account: 'pat', password: PASSWORD });
    const long = await inPage(page, '/tokens', { name: 'robot' });
    expect(short.json()).toHaveProperty('expires');
    expect(long.json()).not.toHaveProperty('expires');
    ahead = 24 * 3_600_000;
    expect([(await me(textOf(short))).status, (await me(textOf(long))).status]).toEqual([401, 200]);
    ahead = 0;
  });

  it('never prolongs a session with itself', async () => {
    const page = await session({ account: 'pat', password: PASSWORD });
    const text = (page.cookie as string).split('=')[1];
    expect((await anonymous('/auth/session', { token: text })).status).toBe(401);
  });
});

describe('a new password', () => {
  it('ends every session and password token, what these made, and where asked the other tokens', async () => {
    await service.send('POST', '/accounts', { account: 'quinn', password: PASSWORD });
    const robot = await service.token('quinn');
    const byToken = await session({ token: robot });
    const byPassword = await session({ account: 'quinn', password: PASSWORD });
    const { text } = await anonymous('/auth/token', { username: 'quinn', password: PASSWORD });
    const child = textOf(await make(text));
    const mine = await session({ account: 'quinn', password: PASSWORD });
    const change = (body: object) => inPage(mine, '/auth/password', { password: 'another good one', ...body });
    // Nobody guessed: it is said what is missing, and not counted.
    const without = await change({});
    expect([without.status, without.json<{ errors: unknown }>().errors]).toEqual([
      400,
      [{ dataPath: '/current', errors: ['is required; give the present password of your account.'] }],
    ]);
    expect((await change({ current: '' })).status).toBe(401);
    expect((await change({ current: PASSWORD })).status).toBe(204);
    const cookies = async (headers: Record<string, string>) =>
      (await service.call('/me', { token: null, headers })).status;
    expect([await cookies(byToken), await cookies(byPassword), await cookies(mine)]).toEqual([401, 401, 200]);
    expect([(await me(text)).status, (await me(child)).status, (await me(robot)).status]).toEqual([401, 401, 200]);
    expect((await change({ current: 'another good one', endTokens: true })).status).toBe(204);
    expect([(await me(robot)).status, await cookies(mine)]).toEqual([401, 200]);
  });

  it('given by an administrator is for one use: signing in asks for another, and then it is gone', async () => {
    await service.send('POST', '/accounts', { account: 'forgot', password: PASSWORD });
    const before = await session({ account: 'forgot', password: PASSWORD });
    const reset = await service.send('POST', '/accounts/forgot/password-reset', {});
    const { oneTimePassword } = reset.json<{ oneTimePassword: string }>();
    expect(reset.status).toBe(201);
    expect((await service.call('/me', { token: null, headers: before })).status).toBe(401);
    expect((await anonymous('/auth/token', { username: 'forgot', password: PASSWORD })).status).toBe(401);
    for (const answer of [
      await anonymous('/auth/token', { username: 'forgot', password: oneTimePassword }),
      await anonymous('/auth/session', { account: 'forgot', password: oneTimePassword }),
    ]) {
      expect(answer.json()).toMatchObject({ status: 403, code: 'auth.password-change' });
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const asked = { account: 'forgot', password: oneTimePassword, newPassword: 'my own choice' };
    expect((await anonymous('/auth/session', { ...asked, newPassword: 'short' })).status).toBe(400);
    expect((await anonymous('/auth/session', asked)).status).toBe(201);
    expect((await anonymous('/auth/session', asked)).status).toBe(401);
    expect((await anonymous('/auth/token', { username: 'forgot', password: 'my own choice' })).status).toBe(200);
  });

  it('for one use is good for a day', async () => {
    const reset = await service.send('POST', '/accounts/forgot/password-reset', {});
    const { oneTimePassword } = reset.json<{ oneTimePassword: string }>();
    ahead = 24 * 3_600_000 + 1;
    const late = { account: 'forgot', password: oneTimePassword, newPassword: 'my own choice' };
    expect((await anonymous('/auth/session', late)).status).toBe(401);
    ahead = 0;
  });
});

describe('an account', () => {
  it('is made on purpose, not by a slip of the pen', async () => {
    for (const [path, body] of [
      ['/tokens', { account: 'lab-77', name: 'x' }],
      ['/auth/password', { account: 'lab-77', password: PASSWORD }],
      ['/accounts/lab-77/password-reset', {}],
    ] as const) {
      const answer = await service.send('POST', path, body);
      expect([answer.status, answer.json<{ detail: string }>().detail], path).toEqual([
        404,
        expect.stringContaining('lab-77'),
      ]);
    }
    expect((await service.get('/accounts/lab-77')).status).toBe(404);
    expect((await service.send('POST', '/tokens', { account: 'lab-77', name: 'x', createAccount: true })).status).toBe(
      201,
    );
    expect((await service.send('POST', '/accounts', { account: 'lab-77' })).status).toBe(409);
    expect((await service.get('/accounts/lab-77')).json()).toMatchObject({
      account: 'lab-77',
      password: 'none',
      tokens: 1,
    });
  });

  it('is found by administrators, page by page, with its tokens, which they revoke', async () => {
    for (const account of ['list / 1', 'list / 2', 'LIST / 3']) await service.token(account);
    const names: string[] = [];
    for (let path: string | undefined = '/accounts?text=list+/&size=2'; path; ) {
      const page: Answer = await service.get(path);
      const { _embedded, _links } = page.json<{
        _embedded: { accounts: { account: string }[] };
        _links: { next?: { href: string } };
      }>();
      names.push(..._embedded.accounts.map(({ account }) => account));
      path = _links.next?.href;
    }
    expect(names).toEqual(['LIST / 3', 'list / 1', 'list / 2']);
    const found = (await service.get(`/accounts/${encodeURIComponent('list / 1')}`)).json<{
      _links: Record<string, { href: string }>;
    }>();
    const [token] = (await service.get(found._links.tokens?.href as string)).json<{
      _embedded: { tokens: { id: string }[] };
    }>()._embedded.tokens;
    expect((await service.call(`/tokens/${token?.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await service.get(`${found._links.tokens?.href}&valid=true`)).json()).not.toHaveProperty('_embedded');
  });
});

describe('ADMIN_TOKEN', () => {
  it('that is changed ends the one before and its administration, not the tokens of laboratories', async () => {
    const [lab, boss] = [await service.token('lab of admin'), await service.token('boss of admin', ['admin'])];
    const opened = await session({ token: ADMIN_TOKEN });
    const fresh = 'another-token-of-the-settings';
    const { warnings } = await firstStart(service.store, service.tokens, fresh);
    expect(warnings).toHaveLength(1);
    expect([(await me(ADMIN_TOKEN)).status, (await me(boss)).status, (await me(lab)).status]).toEqual([401, 401, 200]);
    expect((await service.call('/me', { token: null, headers: opened })).status).toBe(401);
    expect((await me(fresh)).json()).toMatchObject({ account: 'admin', scopes: ['read', 'submit', 'admin'] });
    expect((await firstStart(service.store, service.tokens, ADMIN_TOKEN)).warnings[0]).toContain('revoked before');
  });
});
