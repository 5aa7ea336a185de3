/** Passwords and short-lived tokens, over HTTP; the page's sessions are in test/http/session-cookie.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword, passwordMatches } from '../../src/auth/passwords.js';
import { type Service, startService } from '../http/service.js';

const PASSWORD = 'correct horse battery';
let service: Service;
let ahead = 0;
beforeAll(async () => {
  service = await startService({ clockAhead: () => ahead });
  await service.send('POST', '/accounts', { account: 'lab-1', password: PASSWORD });
});
afterAll(() => service.stop());

const anonymous = (path: string, body: object) => service.send('POST', path, body, { token: null });

describe('passwords', () => {
  it('are kept as salted hashes and compared whole', async () => {
    const [one, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(one).not.toBe(other);
    expect(one).not.toContain(PASSWORD);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$/);
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
    const ofProcess = performance.now;
    performance.now = () => ofProcess.call(performance) + 16 * 60_000;
    try {
      expect((await attempt(PASSWORD)).status).toBe(200);
    } finally {
      performance.now = ofProcess;
    }
  });
});
