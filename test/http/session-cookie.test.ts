/** The page's sessions: the cookie that holds them, who may send it, and when they end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

const PASSWORD = 'correct horse battery';
let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.send('POST', '/accounts', { account: 'lab-1', password: PASSWORD });
});
afterAll(() => service.stop());

const anonymous = (path: string, body: object) => service.send('POST', path, body, { token: null });
const signIn = (body: object = { account: 'lab-1', password: PASSWORD }) => anonymous('/auth/session', body);
const cookieOf = (answer: Awaited<ReturnType<typeof signIn>>): string =>
  (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
const withCookie = (cookie: string, path: string, method = 'GET', more: Record<string, string> = {}) =>
  service.call(path, { method, token: null, headers: { cookie, ...more } });

describe('a session of the page', () => {
  it('lives in a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await signIn();
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({ account: 'lab-1', scopes: ['read', 'submit'] });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^sample_registry_session=srt_[\w-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    const lasts = Number(/Max-Age=(\d+)/.exec(cookie)?.[1]);
    expect(lasts).toBeLessThanOrEqual(service.config.SESSION_HOURS * 3600);
    expect(lasts).toBeGreaterThan(service.config.SESSION_HOURS * 3600 - 600);
    expect((await withCookie(cookieOf(answer), '/me')).json()).toEqual({
      account: 'lab-1',
      scopes: ['read', 'submit'],
      signedInBy: 'cookie',
    });
  });

  it('is named by the browser that began it, and marked in the list that it asks for itself', async () => {
    const agents = {
      laptop: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Firefox/140.0',
      bench: 'Mozilla/5.0 (X11; Linux) Chrome/141.0',
    };
    await service.send('POST', '/accounts', { account: 'lab-named', password: PASSWORD });
    const begin = async (agent: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'user-agent': agent };
      return cookieOf(
        await service.call('/auth/session', { method: 'POST', token: null, headers, body: JSON.stringify(body) }),
      );
    };
    const laptop = await begin(agents.laptop, { account: 'lab-named', password: PASSWORD });
    const bench = await begin(agents.bench, { token: await service.token('lab-named') });
    const sessions = async (cookie: string) =>
      (await withCookie(cookie, '/tokens'))
        .json<{ _embedded: { tokens: { name: string; kind: string; current?: true }[] } }>()
        ._embedded.tokens.filter(({ kind }) => kind === 'session')
        .map(({ name, current }) => [name, current === true]);
    const [ofBench, ofLaptop] = [
      'page session, Chrome on Linux, opened with a token',
      'page session, Firefox on Windows',
    ];
    expect(await sessions(laptop)).toEqual([
      [ofBench, false],
      [ofLaptop, true],
    ]);
    expect(await sessions(bench)).toEqual([
      [ofBench, true],
      [ofLaptop, false],
    ]);
  });

  it('is read by its whole name, wherever it stands among others', async () => {
    const cookie = cookieOf(await signIn());
    const me = async (header: string) => (await withCookie(header, '/me')).status;
    expect(await me(`a=b;${cookie};c=d`)).toBe(200);
    expect(await me(`a=${cookie}`)).toBe(401);
    expect(await me(cookie.replace('=', '2='))).toBe(401);
    expect(await me(`sample_registry_session=; ${cookie}`)).toBe(401);
    expect(await me('a=b')).toBe(401);
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
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      'sample_registry_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
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
    expect((await write({})).status).toBe(201);
    for (const method of ['GET', 'HEAD'])
      expect((await withCookie(cookie, '/me', method, { origin: 'https://evil.example.org' })).status).toBe(200);
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
