/** What a password is good for, and what a change of it ends; on a real store, with a clock of the test's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SignIn } from '../../src/auth/sign-in.js';
import { Tokens } from '../../src/auth/tokens.js';
import type { Store } from '../../src/store/open.js';
import { openEmptyStore } from '../contract/empty-stores.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PASSWORD = 'a long password';
const address = '192.0.2.1';
/** As cheap as scrypt can be: what is looked at is what follows from a comparison. */
const cost = { N: 16, r: 1, p: 1 };

let folder: string;
let store: Store;
let clock: number;
let tokens: Tokens;
let signIn: SignIn;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sample-registry-sign-in-'));
  store = await openEmptyStore(join(folder, 'registry.db'), { prefix: 'SAMR' });
  clock = Date.parse('2026-01-01');
  tokens = new Tokens(store, () => clock);
  signIn = new SignIn(store, tokens, ['root'], () => clock, cost);
  for (const account of ['ada', 'root']) {
    await store.createAccount(account, clock);
    await signIn.setPassword(account, PASSWORD, { address });
  }
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const enter = (account: string, password = PASSWORD, kind: 'session' | 'password' = 'session', from = address) =>
  signIn.signIn({ account, password, address: from, kind, lifeMs: HOUR });
const valid = async (text: string) => (await tokens.check(text)) !== undefined;

describe('a password', () => {
  it.each([
    ['session', 'page session'],
    ['password', 'password sign-in'],
  ] as const)('gives a token of the kind %s, under its name, for the time that was asked', async (kind, name) => {
    const { text, record } = await enter('ada', PASSWORD, kind);
    expect(record).toMatchObject({ account: 'ada', kind, name, scopes: ['read', 'submit'], expires: clock + HOUR });
    clock += HOUR - 1;
    expect(await valid(text)).toBe(true);
    clock += 1;
    expect(await valid(text)).toBe(false);
  });

  it('gives administration to the accounts that the setting names alone', async () => {
    expect((await enter('root')).record.scopes).toEqual(['read', 'submit', 'admin']);
    expect([signIn.isAdministrator('root'), signIn.isAdministrator('ada')]).toEqual([true, false]);
    expect([signIn.scopesOf('root'), signIn.scopesOf('ada')]).toEqual([
      ['read', 'submit', 'admin'],
      ['read', 'submit'],
    ]);
  });

  it('that is wrong is refused in the words of an account that there is not, and of one without a password', async () => {
    await store.createAccount('bare', clock);
    const refused = { code: 'auth.required', message: 'Account or password is wrong.' };
    await expect(enter('ada', 'another password')).rejects.toMatchObject(refused);
    await expect(enter('nobody')).rejects.toMatchObject(refused);
    await expect(enter('bare')).rejects.toMatchObject(refused);
  });

  it('that is right forgives the failures before it', async () => {
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 6; n++) await expect(enter('ada', 'another password')).rejects.toThrow();
      expect(await valid((await enter('ada')).text)).toBe(true);
    }
  });

  it('that is not even compared counts as no failure', async () => {
    // Four of one network may be compared at a time; of the others none is.
    for (let round = 0; round < 3; round++) {
      const many = await Promise.allSettled(Array.from({ length: 10 }, () => enter('ada')));
      expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
      for (const one of many)
        if (one.status === 'rejected')
          expect(one.reason).toMatchObject({ code: 'rate.limited', detail: { extra: { retryAfter: 1 } } });
    }
    expect(await valid((await enter('ada')).text)).toBe(true);
  });
});

describe('a change of the password', () => {
  it('needs the present one, which counts as a sign-in does', async () => {
    const change = (current: string, next = 'another password') =>
      signIn.changePassword({ account: 'ada', current, next, address });
    await expect(change('no password of ada')).rejects.toMatchObject({ code: 'auth.required' });
    await expect(change(PASSWORD, 'short')).rejects.toThrow('A password has 10 to 1024 characters; this one has 5.');
    await change(PASSWORD);
    await expect(enter('ada')).rejects.toMatchObject({ code: 'auth.required' });
    expect(await valid((await enter('ada', 'another password')).text)).toBe(true);
    for (let n = 0; n < 10; n++) await expect(change('no password of ada')).rejects.toThrow('is wrong');
    await expect(change('another password')).rejects.toMatchObject({ code: 'rate.limited' });
  });

  it.each([
    // The tokens that were made by hand, and whether they end with it.
    [false, true],
    [true, false],
  ])('ends sessions but the one that makes it, and other tokens where asked (%s)', async (endTokens, stays) => {
    const [mine, other] = [await enter('ada'), await enter('ada', PASSWORD, 'password')];
    const robot = await tokens.issue({ account: 'ada', name: 'robot', scopes: ['submit'] });
    for (const { text } of [mine, other, robot]) expect(await valid(text)).toBe(true);
    await signIn.changePassword({
      account: 'ada',
      current: PASSWORD,
      next: 'another password',
      address,
      kept: mine.record.id,
      endTokens,
    });
    expect([await valid(mine.text), await valid(other.text), await valid(robot.text)]).toEqual([true, false, stays]);
  });
});

describe('a password that changes while another change of it is on its way', () => {
  const change = (next: string) => signIn.changePassword({ account: 'ada', current: PASSWORD, next, address });

  it('is changed once', async () => {
    const nexts = ['the first of two', 'the second of two'];
    const done = await Promise.allSettled(nexts.map(change));
    const set = done.findIndex(({ status }) => status === 'fulfilled');
    expect(done[1 - set]).toMatchObject({
      reason: { code: 'auth.required', message: expect.stringContaining('changed meanwhile') },
    });
    expect(await valid((await enter('ada', nexts[set])).text)).toBe(true);
  });

  it('stays what an administrator made of it', async () => {
    const losing = change('of who lost it');
    const reset = signIn.resetPassword('ada', address);
    const { password } = await reset;
    await losing.catch(() => undefined);
    // Whoever comes first: after a reset only its password is one.
    await expect(enter('ada', 'of who lost it')).rejects.toMatchObject({ code: 'auth.required' });
    await expect(enter('ada', password)).rejects.toMatchObject({ code: 'auth.password-change' });
  });
});

describe('an account that cannot be looked up', () => {
  it('has no failed sign-in for it', async () => {
    const away = new Error('the store is away');
    let isAway = true;
    const findAccount: typeof store.findAccount = async (name) => {
      if (isAway) throw away;
      return store.findAccount(name);
    };
    const rules = new SignIn({ ...store, findAccount }, tokens, [], () => clock, cost);
    const attempt = () => rules.signIn({ account: 'ada', password: PASSWORD, address, kind: 'session', lifeMs: HOUR });
    for (let n = 0; n < 30; n++) await expect(attempt()).rejects.toBe(away);
    isAway = false;
    expect(await valid((await attempt()).text)).toBe(true);
  });
});

describe('a reset of the password', () => {
  it('gives one for one use within a day, and ends what was signed in', async () => {
    const before = await enter('ada');
    expect(await valid(before.text)).toBe(true);
    const { password, until } = await signIn.resetPassword('ada', address);
    expect(password).toMatch(/^[a-hj-km-np-z2-9]{5}(-[a-hj-km-np-z2-9]{5}){3}$/);
    expect(until).toBe(clock + DAY);
    expect(await valid(before.text)).toBe(false);
    await expect(enter('ada')).rejects.toMatchObject({ code: 'auth.required' });
    await expect(enter('ada', password)).rejects.toMatchObject({
      code: 'auth.password-change',
      message: expect.stringContaining('newPassword'),
    });
    clock = until - 1;
    await signIn.changePassword({ account: 'ada', current: password, next: 'a password of hers', address });
    clock += 2 * DAY;
    expect(await valid((await enter('ada', 'a password of hers')).text)).toBe(true);
  });

  it('is over after a day, and never gives the same', async () => {
    const first = await signIn.resetPassword('ada', address);
    const second = await signIn.resetPassword('ada', address);
    expect(second.password).not.toBe(first.password);
    clock = second.until;
    await expect(enter('ada', second.password)).rejects.toMatchObject({ code: 'auth.required' });
  });
});
