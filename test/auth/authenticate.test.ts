/** From what a request shows to who makes it; on a real store, with a clock of the test's. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope, TokenKind } from '../../src/auth/account-store.js';
import { type AuthenticateParts, createAuthenticate } from '../../src/auth/authenticate.js';
import { firstStart } from '../../src/auth/first-start.js';
import { Tokens } from '../../src/auth/tokens.js';
import type { Store } from '../../src/store/open.js';
import { openEmptyStore } from '../contract/empty-stores.js';

const HOUR = 3_600_000;
let folder: string;
let store: Store;
let clock: number;
let tokens: Tokens;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sample-registry-authenticate-'));
  store = await openEmptyStore(join(folder, 'registry.db'), { prefix: 'SAMR' });
  clock = Date.parse('2026-01-01');
  tokens = new Tokens(store, () => clock);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const authenticator = (parts: Partial<AuthenticateParts> = {}) =>
  createAuthenticate({ tokens, accounts: store, scopesOf: () => ['read'], now: () => clock, ...parts });
const issue = (scopes: Scope[], more: { kind?: TokenKind; parent?: string; expires?: number } = {}) =>
  tokens.issue({ account: 'ada', name: 'robot', scopes, ...more });

describe('a token of an identity provider', () => {
  const jwt = async (text: string) => (text === 'a.b.c' ? { account: 'theirs', expires: clock + HOUR } : undefined);

  it('speaks for its account, which is made with the first of them', async () => {
    let made = 0;
    const accounts = {
      ...store,
      ensureAccount: (name: string, at: number) => {
        made++;
        return store.ensureAccount(name, at);
      },
    };
    const authenticate = authenticator({
      jwt,
      accounts,
      scopesOf: (account) => [account === 'theirs' ? 'admin' : 'read'],
    });
    for (let n = 0; n < 3; n++)
      expect(await authenticate({ authorization: 'Bearer a.b.c' })).toEqual({
        account: 'theirs',
        scopes: ['admin'],
        admin: true,
        expires: clock + HOUR,
        by: 'identity-provider',
      });
    expect(made).toBe(1);
    expect(await store.findAccount('theirs')).toMatchObject({ created: clock });
  });

  it('is refused where the provider does not vouch for it, and where there is no provider', async () => {
    const refused = {
      code: 'auth.required',
      message: 'The token is unknown, revoked or expired; ask for a new one.',
      detail: { extra: { tokenRefused: true } },
    };
    await expect(authenticator({ jwt })({ authorization: 'Bearer x.y.z' })).rejects.toMatchObject(refused);
    await expect(authenticator()({ authorization: 'Bearer a.b.c' })).rejects.toMatchObject(refused);
  });

  it('has three parts and nothing around them: all else is one of ours', async () => {
    const asked: string[] = [];
    const authenticate = authenticator({
      jwt: async (text) => {
        asked.push(text);
        return undefined;
      },
    });
    const shown = ['a.b', 'a.b.c.d', '.b.c', 'a..c', 'a.b.c!', '!a.b.c', 'a.b.', 'aa-_1.bb-_2.cc-_3'];
    for (const text of shown) await authenticate({ authorization: `Bearer ${text}` }).catch(() => undefined);
    expect(asked).toEqual(['a.b.', 'aa-_1.bb-_2.cc-_3']);
    const { text } = await issue(['read']);
    expect(await authenticate({ authorization: `Bearer ${text}` })).toMatchObject({ account: 'ada', by: 'token' });
  });
});

describe('the token of the setting', () => {
  it('may look like one of an identity provider', async () => {
    await firstStart(store, tokens, 'my.admin.token-of-ours');
    const authenticate = authenticator({ jwt: async () => undefined });
    expect(await authenticate({ authorization: 'Bearer my.admin.token-of-ours' })).toMatchObject({ account: 'admin' });
  });
});

describe('what a setting takes from an account', () => {
  const signInScopes = (account: string): Scope[] =>
    account === 'ada' ? ['read', 'submit'] : ['read', 'submit', 'admin'];
  const scopesOf = async (text: string, parts: Partial<AuthenticateParts> = { signInScopes }) =>
    (await authenticator(parts)({ authorization: `Bearer ${text}` }))?.scopes;

  it.each(['session', 'password'] as const)('is taken from its %s of before, too', async (kind) => {
    const { text, record } = await issue(['read', 'submit', 'admin'], { kind });
    expect(await authenticator({ signInScopes })({ session: text })).toEqual({
      account: 'ada',
      scopes: ['read', 'submit'],
      admin: false,
      tokenId: record.id,
      by: 'cookie',
    });
    expect(await scopesOf(text)).toEqual(['read', 'submit']);
    expect(await scopesOf(text, {})).toEqual(['read', 'submit', 'admin']);
  });

  it('gives a session no more than it was opened with', async () => {
    expect(await scopesOf((await issue(['read'], { kind: 'session' })).text)).toEqual(['read']);
  });

  it('is not taken from what was made on purpose, nor from a session that hangs on such a token', async () => {
    const made = await issue(['admin']);
    expect(await scopesOf(made.text)).toEqual(['admin']);
    const session = await tokens.openSession(made.record, HOUR);
    expect(await scopesOf(session.text)).toEqual(['admin']);
    const setting = await issue(['admin'], { kind: 'setting' });
    expect(await scopesOf(setting.text)).toEqual(['admin']);
  });
});

describe('no token', () => {
  it('is needed for what anybody may do, and a header that is none says how it reads', async () => {
    expect(await authenticator()({})).toBeUndefined();
    const { text } = await issue(['read']);
    await expect(authenticator()({ authorization: `Bearer ${text} x` })).rejects.toMatchObject({
      code: 'auth.required',
    });
    await expect(authenticator()({ authorization: 'Basic x' })).rejects.toThrow(
      'The Authorization header must read "Bearer TOKEN".',
    );
  });
});

describe('what a token may hand on', () => {
  it('is what it may itself: nothing beyond its end', async () => {
    const lasting = await issue(['read']);
    const ending = await issue(['read'], { expires: clock + HOUR });
    expect(await tokens.grantOf(lasting.record.id)).toStrictEqual({ parent: lasting.record.id });
    expect(await tokens.grantOf(ending.record.id)).toEqual({ parent: ending.record.id, expires: clock + HOUR });
    await expect(tokens.grantOf('unknown')).rejects.toMatchObject({
      code: 'auth.required',
      message: 'The token has ended; ask for a new one.',
    });
  });

  it('is of a session what it was opened with: a token, or the password itself', async () => {
    const ending = await issue(['read'], { expires: clock + HOUR });
    const opened = await tokens.openSession(ending.record, 8 * HOUR);
    expect(opened.record).toMatchObject({ parent: ending.record.id, expires: clock + HOUR, kind: 'session' });
    expect(opened.record.name).toBe('page session, opened with a token');
    expect(await tokens.grantOf(opened.record.id)).toEqual({ parent: ending.record.id, expires: clock + HOUR });
    const short = await tokens.openSession((await issue(['read'])).record, HOUR);
    expect(short.record.expires).toBe(clock + HOUR);
    expect(await tokens.grantOf((await issue(['read'], { kind: 'session', expires: clock + 1 })).record.id)).toEqual(
      {},
    );
  });

  it('is no longer session: nobody prolongs one with itself', async () => {
    const session = await issue(['read'], { kind: 'session', expires: clock + HOUR });
    await expect(tokens.openSession(session.record, HOUR)).rejects.toMatchObject({
      code: 'auth.required',
      message: 'A session cannot be opened with another session; sign in again.',
    });
  });

  it('is nothing once it has ended', async () => {
    const { record } = await issue(['read'], { expires: clock + HOUR });
    clock += HOUR;
    await expect(tokens.openSession(record, HOUR)).rejects.toMatchObject({
      code: 'auth.required',
      message: 'What you signed in with has ended meanwhile; sign in again.',
    });
  });
});

describe('looking a token up', () => {
  const counted = () => {
    const seen = { found: 0, touched: [] as number[] };
    const accounts = {
      ...store,
      findToken: (hash: string) => {
        seen.found++;
        return store.findToken(hash);
      },
      touchToken: (id: string, at: number) => {
        seen.touched.push(at);
        return store.touchToken(id, at);
      },
    };
    return { seen, another: () => new Tokens(accounts, () => clock) };
  };

  it('asks the store once in three seconds, known or not', async () => {
    const { seen, another } = counted();
    const here = another();
    const { text } = await issue(['read']);
    for (const shown of [text, 'unknown']) {
      seen.found = 0;
      for (const wait of [0, 0, 2_999, 1, 0]) {
        clock += wait;
        expect((await here.check(shown)) !== undefined).toBe(shown === text);
      }
      expect(seen.found).toBe(2);
    }
  });

  it('takes one that was unknown a moment before at once when it is made here', async () => {
    expect(await tokens.check('set by a setting')).toBeUndefined();
    await tokens.issue({ account: 'ada', name: 'preset', scopes: ['read'] }, 'set by a setting');
    expect(await tokens.check('set by a setting')).toMatchObject({ account: 'ada', revoked: false });
  });

  it('writes its use down by the minute, whichever process asks', async () => {
    const { seen, another } = counted();
    const { text } = await issue(['read']);
    const [one, start] = [another(), clock];
    await one.check(text);
    await expect.poll(async () => (await store.listTokens('ada'))[0]?.lastUsed).toBe(start);
    clock += 59_999;
    await one.check(text);
    await another().check(text);
    clock += 1;
    await one.check(text);
    expect(seen.touched).toEqual([start, start + 60_000]);
  });

  it('goes on while its use cannot be written down', async () => {
    const { text } = await issue(['read']);
    const away = { ...store, touchToken: () => Promise.reject(new Error('the disk is full')) };
    expect(await new Tokens(away, () => clock).check(text)).toBeDefined();
  });

  it('gives every token a text that nobody guesses, and a record that is as stored', async () => {
    const { text, record } = await issue(['read']);
    expect(text).toMatch(/^srt_[\w-]{43}$/);
    expect((await issue(['read'])).text).not.toBe(text);
    expect(await store.findTokenById(record.id)).toEqual(record);
    expect(await store.findToken(createHash('sha256').update(text).digest('hex'))).toEqual(record);
  });
});

describe('ADMIN_TOKEN', () => {
  const start = (text: string) => firstStart(store, tokens, text);

  it('is a setting: another one ends it and says so, the same one again says nothing', async () => {
    expect(await start('the first')).toEqual({ warnings: [] });
    expect((await tokens.list('admin'))[0]).toMatchObject({
      name: 'ADMIN_TOKEN',
      kind: 'setting',
      scopes: ['read', 'submit', 'admin'],
    });
    const [made] = await tokens.list('admin');
    await tokens.issue({ account: 'lab', name: 'robot', scopes: ['submit'], parent: made?.id as string });
    const { warnings } = await start('the second');
    expect(warnings).toEqual([
      'ADMIN_TOKEN was changed: the former one ended, with what was made with it for administrators; 1 tokens of other accounts go on.',
    ]);
    expect([await tokens.check('the first'), await start('the second')]).toEqual([undefined, { warnings: [] }]);
  });

  it('that was the setting before ends no other, as a process may start again before it has the new one', async () => {
    for (const text of ['the first', 'the second']) await start(text);
    for (const _ of ['once', 'and again']) {
      expect(await start('the first')).toEqual({
        warnings: [
          'ADMIN_TOKEN is a token that was revoked before, and is not taken; one that was set after it goes on. Set that one, or a new one.',
        ],
      });
    }
    expect(await tokens.check('the first')).toBeUndefined();
    expect(await tokens.check('the second')).toMatchObject({ account: 'admin' });
    expect(await start('the second')).toEqual({ warnings: [] });
  });

  it('leaves what the administrator made by hand', async () => {
    const { text, warnings } = await firstStart(store, tokens);
    expect(warnings).toEqual([]);
    expect((await tokens.list('admin'))[0]).toMatchObject({ name: 'first start', scopes: ['read', 'submit', 'admin'] });
    await start('the first');
    expect(await tokens.check(text as string)).toBeDefined();
  });
});
