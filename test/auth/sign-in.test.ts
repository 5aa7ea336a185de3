/** Passwords, the page's sessions and short-lived tokens, over HTTP. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COST, hashPassword, passwordMatches } from '../../src/auth/passwords.js';
import { type Service, startService } from '../http/service.js';

// Hashing a password takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const PASSWORD = 'correct horse battery';
let service: Service;
let ahead = 0;
beforeAll(async () => {
  service = await startService({ clockAhead: () => ahead, passwordCost: COST });
  await service.send('POST', '/accounts', { account: 'lab-1', password: PASSWORD });
});
afterAll(() => service.stop());

const anonymous = (path: string, body: object) => service.send('POST', path, body, { token: null });
const signIn = (body: object = { account: 'lab-1', password: PASSWORD }) => anonymous('/auth/session', body);
const cookieOf = (answer: Awaited<ReturnType<typeof signIn>>): string =>
  (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
const withCookie = (cookie: string, path: string, method = 'GET', more: Record<string, string> = {}) =>
  service.call(path, { method, token: null, headers: { cookie, ...more } });

describe('passwords', () => {
  it('are kept as salted hashes and compared whole', async () => {
    const [one, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(one).not.toBe(other);
    expect(one).not.toContain(PASSWORD);
    expect(await passwordMatches(PASSWORD, one)).toBe(true);
    expect(await passwordMatches(`${PASSWORD} `, one)).toBe(false);
    expect(await passwordMatches(PASSWORD, undefined)).toBe(false);
    expect(await passwordMatches('', 'nonsense')).toBe(false);
  });

  it('that are too short are refused', async () => {
    const answer = await service.send('POST', '/auth/password', { account: 'lab-1', password: 'short' });
    expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([400, expect.stringContaining('10 to')]);
  });
});

describe('POST /auth/token', () => {
  it('answers a short-lived token as plain text', async () => {
    const answer = await anonymous('/auth/token', { username: 'lab-1', password: PASSWORD });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain;charset=UTF-8']);
    expect((await service.get('/me', { token: answer.text })).json()).toMatchObject({
      account: 'lab-1',
      scopes: ['read', 'submit'],
    });
    ahead = 61 * 60_000;
    expect((await service.get('/me', { token: answer.text })).status).toBe(401);
    ahead = 0;
  });

  it('makes an administrator of the accounts that the setting names only', async () => {
    await service.send('POST', '/auth/password', { account: 'admin', password: PASSWORD });
    const { text } = await anonymous('/auth/token', { username: 'admin', password: PASSWORD });
    expect((await service.get('/me', { token: text })).json()).toMatchObject({ scopes: ['read', 'submit', 'admin'] });
  });

  it('says the same of a wrong password and an unknown account', async () => {
    const wrong = await anonymous('/auth/token', { username: 'lab-1', password: 'wrong' });
    const unknown = await anonymous('/auth/token', { username: 'nobody', password: 'wrong' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.json()).toEqual(unknown.json());
  });

  it('refuses after ten failures, even the right password, until the window has passed', async () => {
    await service.send('POST', '/accounts', { account: 'attacked', password: PASSWORD });
    const attempt = (password: string) => anonymous('/auth/token', { username: 'attacked', password });
    // Two by two: more at once have to wait for their turn, which is another refusal.
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const answers = await Promise.all([attempt('guess'), attempt('guess')]);
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const locked = await attempt(PASSWORD);
    expect([locked.status, Number(locked.headers.get('retry-after'))]).toEqual([429, expect.closeTo(900, -2)]);
    expect((await anonymous('/auth/token', { username: 'lab-1', password: PASSWORD })).status).toBe(200);
    ahead = 16 * 60_000;
    expect((await attempt(PASSWORD)).status).toBe(200);
    ahead = 0;
  });
});

describe('a session of the page', () => {
  it('lives in a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await signIn();
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({ account: 'lab-1', scopes: ['read', 'submit'] });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^sample_registry_session=srt_[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect((await withCookie(cookieOf(answer), '/me')).json()).toEqual({
      account: 'lab-1',
      scopes: ['read', 'submit'],
      signedInBy: 'cookie',
    });
  });

  it('is Secure behind TLS', async () => {
    const secure = await startService({ env: { PUBLIC_URL: 'https://samples.example.org', BASE_PATH: '/reg' } });
    const token = await secure.token('lab-1');
    const answer = await secure.send('POST', '/auth/session', { token }, { token: null });
    expect(answer.headers.get('set-cookie')).toMatch(/^__Secure-sample_registry_session=.*; Path=\/reg; .*; Secure$/);
    await secure.stop();
  });

  it('has a name behind TLS that no neighbour of the domain can set, and is read by that name alone', async () => {
    const secure = await startService({ env: { PUBLIC_URL: 'https://samples.example.org' } });
    const answer = await secure.send('POST', '/auth/session', { token: await secure.token('lab-1') }, { token: null });
    const cookie = cookieOf(answer);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-sample_registry_session=[^;]+; Path=\/; .*; Secure$/);
    const me = async (header: string) =>
      (await secure.call('/me', { token: null, headers: { cookie: header } })).status;
    expect([await me(cookie), await me(`a=b; ${cookie}; c=d`), await me(cookie.replace('__Host-', ''))]).toEqual([
      200, 200, 401,
    ]);
    await secure.stop();
  });

  it('opens with a token too, never holds that token, and ends with it', async () => {
    const token = await service.token('lab-2', ['read']);
    const answer = await signIn({ token });
    expect(answer.json()).toEqual({ account: 'lab-2', scopes: ['read'] });
    const cookie = cookieOf(answer);
    expect(cookie).not.toContain(token);
    expect((await withCookie(cookie, '/me')).status).toBe(200);
    const tokens = await service.get('/tokens?account=lab-2');
    const made = tokens
      .json<{ _embedded: { tokens: { id: string; name: string }[] } }>()
      ._embedded.tokens.find(({ name }) => name === 'test of lab-2');
    await service.call(`/tokens/${made?.id}`, { method: 'DELETE' });
    expect((await withCookie(cookie, '/me')).status).toBe(401);
  });

  it('ends when it is signed out', async () => {
    const cookie = cookieOf(await signIn());
    const out = await withCookie(cookie, '/auth/session', 'DELETE');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await withCookie(cookie, '/me')).status).toBe(401);
  });

  it('cannot be used for a write by a page of another origin', async () => {
    const cookie = cookieOf(await signIn());
    const { origin } = new URL(service.url);
    const write = (headers: Record<string, string>) =>
      service.call('/samples', {
        method: 'POST',
        token: null,
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ name: 's', release: '2020-01-01' }),
      });
    expect((await write({ origin: 'https://evil.example.org' })).status).toBe(403);
    expect((await write({ 'sec-fetch-site': 'cross-site', origin })).status).toBe(403);
    expect((await write({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await write({ 'sec-fetch-site': 'same-origin', origin })).status).toBe(201);
    expect((await write({ origin })).status).toBe(201);
  });

  it('ends when the password is changed, but for the one that changes it', async () => {
    await service.send('POST', '/accounts', { account: 'changing', password: PASSWORD });
    const credentials = { account: 'changing', password: PASSWORD };
    const [mine, stolen] = [cookieOf(await signIn(credentials)), cookieOf(await signIn(credentials))];
    const robot = await service.token('changing');
    const change = (current: string) =>
      service.call('/auth/password', {
        method: 'POST',
        token: null,
        headers: { cookie: mine, 'content-type': 'application/json' },
        body: JSON.stringify({ current, password: 'another good one' }),
      });
    expect((await change('wrong')).status).toBe(401);
    expect((await change(PASSWORD)).status).toBe(204);
    expect((await withCookie(mine, '/me')).status).toBe(200);
    expect((await withCookie(stolen, '/me')).status).toBe(401);
    expect((await service.get('/me', { token: robot })).status).toBe(200);
    expect((await signIn(credentials)).status).toBe(401);
  });
});
