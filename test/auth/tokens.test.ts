/** Tokens of our own, on a real store: shown once, kept as a hash, over when revoked or expired. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticate } from '../../src/auth/authenticate.js';
import { firstStart } from '../../src/auth/first-start.js';
import { Tokens } from '../../src/auth/tokens.js';
import { openStore, type Store } from '../../src/store/open.js';
import { openEmptyStore } from '../contract/empty-stores.js';

let folder: string;
let store: Store;
let clock: number;
let tokens: Tokens;
const now = () => clock;
const DAY = 86_400_000;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sample-registry-auth-'));
  store = await openEmptyStore(join(folder, 'registry.db'), { prefix: 'SAMR' });
  clock = Date.parse('2026-01-01');
  tokens = new Tokens(store, now);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const issue = (expires?: number) =>
  tokens.issue({
    account: 'lab-1',
    name: 'robot',
    scopes: ['read', 'submit'],
    ...(expires === undefined ? {} : { expires }),
  });

describe('a token', () => {
  it('is known by its text, which is stored nowhere', async () => {
    const { text, record } = await issue();
    expect(text.length).toBeGreaterThan(40);
    expect(await tokens.check(text)).toMatchObject({ id: record.id, account: 'lab-1', scopes: ['read', 'submit'] });
    expect(await tokens.check(`${text}x`)).toBeUndefined();
    await store.close();
    const files = readdirSync(folder).filter((name) => name.startsWith('registry.db'));
    expect(files).toContain('registry.db');
    for (const file of files) expect(readFileSync(join(folder, file)).includes(text), file).toBe(false);
    store = await openStore(`sqlite:${join(folder, 'registry.db')}`, { prefix: 'SAMR' });
    expect(await new Tokens(store, now).check(text)).toBeDefined();
  });

  it('ends with its time, also when it was believed a moment before', async () => {
    const { text } = await issue(clock + 1000);
    expect(await tokens.check(text)).toBeDefined();
    clock += 999;
    expect(await tokens.check(text)).toBeDefined();
    clock += 1;
    expect(await tokens.check(text)).toBeUndefined();
  });

  it('stops at once in the process that revokes it', async () => {
    const { text, record } = await issue();
    expect(await tokens.check(text)).toBeDefined();
    expect(await tokens.revoke(record.id, 'somebody else')).toBe(false);
    expect(await tokens.check(text)).toBeDefined();
    expect(await tokens.revoke(record.id, 'lab-1')).toBe(true);
    expect(await tokens.check(text)).toBeUndefined();
  });

  it('stops within five seconds in other processes', async () => {
    const elsewhere = new Tokens(store, now);
    const { text, record } = await issue();
    expect(await elsewhere.check(text)).toBeDefined();
    await tokens.revoke(record.id);
    clock += 5_000;
    expect(await elsewhere.check(text)).toBeUndefined();
  });

  it('is believed no longer there when the clock is set back', async () => {
    const elsewhere = new Tokens(store, now);
    const { text, record } = await issue();
    expect(await elsewhere.check(text)).toBeDefined();
    await tokens.revoke(record.id);
    clock -= 3_600_000;
    expect(await elsewhere.check(text)).toBeUndefined();
  });

  it('is not believed again by a look-up that began before it was revoked', async () => {
    const { text, record } = await issue();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = new Tokens(
      { ...store, findToken: async (hash: string) => store.findToken(hash).then((found) => held.then(() => found)) },
      now,
    );
    const early = slow.check(text);
    await slow.revoke(record.id);
    release();
    await early;
    expect(await slow.check(text)).toBeUndefined();
  });

  it('takes the sessions that were opened with it along', async () => {
    const { text, record } = await issue(clock + DAY);
    const session = await tokens.openSession((await tokens.check(text)) ?? record, 7 * DAY);
    expect(session.record).toMatchObject({ account: 'lab-1', scopes: ['read', 'submit'], expires: clock + DAY });
    const other = await issue();
    await tokens.revoke(record.id);
    expect(await tokens.check(session.text)).toBeUndefined();
    expect(await tokens.check(other.text)).toBeDefined();
  });

  it('remembers when it was last used, by the minute', async () => {
    const { text } = await issue();
    await tokens.check(text);
    const first = clock;
    clock += 10_000;
    await tokens.check(text);
    await expect.poll(async () => (await tokens.list('lab-1'))[0]?.lastUsed).toBe(first);
    clock += 60_000;
    await tokens.check(text);
    await expect.poll(async () => (await tokens.list('lab-1'))[0]?.lastUsed).toBe(clock);
  });
});

describe('a first start', () => {
  it('makes the administrator once', async () => {
    const { text } = await firstStart(store, tokens);
    expect(await tokens.check(text ?? '')).toMatchObject({ account: 'admin', scopes: ['read', 'submit', 'admin'] });
    expect(await firstStart(store, tokens)).toEqual({ warnings: [] });
    expect(await tokens.list()).toHaveLength(1);
  });

  it('takes the token that is preset, on every start, without adding it twice', async () => {
    for (let start = 0; start < 3; start += 1)
      expect(await firstStart(store, tokens, 'preset-token-of-the-admin')).toEqual({ warnings: [] });
    expect(await tokens.check('preset-token-of-the-admin')).toMatchObject({ account: 'admin' });
    expect(await tokens.list()).toHaveLength(1);
  });
});

describe('credentials', () => {
  const authenticate = () => createAuthenticate({ tokens, accounts: store, scopesOf: () => ['read'] });

  it('are a bearer token, whatever the case of the word', async () => {
    const { text } = await issue();
    for (const authorization of [`Bearer ${text}`, `bearer ${text}`, `BEARER  ${text} `]) {
      expect(await authenticate()({ authorization })).toMatchObject({ account: 'lab-1', by: 'token' });
    }
  });

  it.each([
    '',
    'Bearer',
    'XBearer TOKEN',
    'X Bearer TOKEN',
    'Bearer TOKEN, Basic x',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Bearer a b',
    'Bearer unknown',
  ])('are refused as %j', async (authorization) => {
    const { text } = await issue();
    const spelled = authorization.replace('TOKEN', text);
    await expect(authenticate()({ authorization: spelled })).rejects.toMatchObject({ code: 'auth.required' });
  });

  it('in a cookie that has ended mean nobody, and a header wins over a cookie', async () => {
    const { text } = await issue();
    expect(await authenticate()({ session: 'gone' })).toBeUndefined();
    expect(await authenticate()({ session: text })).toMatchObject({ by: 'cookie' });
    await expect(authenticate()({ session: text, authorization: 'Bearer gone' })).rejects.toMatchObject({
      code: 'auth.required',
    });
    expect(await authenticate()({})).toBeUndefined();
  });
});
