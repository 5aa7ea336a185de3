/** What src/auth/account-store.ts promises, on any adapter. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.js';
import type { OpenStore } from './submission-store.js';

export function accountStoreContract(name: string, open: OpenStore): void {
  describe(`account store contract on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open({ prefix: 'SAMR' });
    });
    afterEach(() => store.close());
    const token = (id: string, account = 'ada', created = 10) =>
      ({ id, account, name: 'LIMS "1"', scopes: ['read', 'submit'], created }) satisfies Parameters<
        Store['addToken']
      >[0];

    it('makes an account once, whoever asks', async () => {
      expect(await store.findAccount('ada')).toBeUndefined();
      const made = await Promise.all(Array.from({ length: 10 }, (_, n) => store.ensureAccount('ada', 100 + n)));
      expect(new Set(made.map(({ created }) => created)).size).toBe(1);
      expect(await store.ensureAccount('ada', 999)).toEqual(made[0]);
      await store.ensureAccount("o'Hara\u0000", 1);
      expect((await store.findAccount("o'Hara\u0000"))?.name).toBe("o'Hara\u0000");
      expect(await store.countAccounts()).toBe(2);
    });

    it('keeps a password hash', async () => {
      await store.ensureAccount('ada', 1);
      expect((await store.findAccount('ada'))?.passwordHash).toBeUndefined();
      await store.setPassword('ada', { hash: 'h1', until: 50 });
      expect(await store.findAccount('ada')).toEqual({
        name: 'ada',
        passwordHash: 'h1',
        passwordUntil: 50,
        created: 1,
      });
      await store.setPassword('ada', { hash: 'h2' });
      expect(await store.findAccount('ada')).not.toHaveProperty('passwordUntil');
      expect((await store.findAccount('ada'))?.passwordHash).toBe('h2');
      await expect(store.setPassword('nobody', { hash: 'h' })).rejects.toMatchObject({ code: 'not-found' });
    });

    it('sets a password in the place of the proven one alone', async () => {
      await store.ensureAccount('ada', 1);
      await store.addToken({ ...token('s'), kind: 'session' }, 's');
      expect(await store.setPassword('ada', { hash: 'h1', proven: 'h0' })).toBe(false);
      expect(await store.findAccount('ada')).not.toHaveProperty('passwordHash');
      await store.setPassword('ada', { hash: 'h0' });
      await store.addToken({ ...token('t'), kind: 'session' }, 't');
      expect(await store.setPassword('ada', { hash: 'h2', until: 9, proven: 'h1' })).toBe(false);
      expect(await store.findAccount('ada')).toEqual({ name: 'ada', passwordHash: 'h0', created: 1 });
      expect((await store.findToken('t'))?.revoked).toBe(false);
      const at = ['h3', 'h4', 'h5'].map((hash) => store.setPassword('ada', { hash, proven: 'h0' }));
      expect((await Promise.all(at)).filter((isSet) => isSet)).toHaveLength(1);
      expect((await store.findToken('t'))?.revoked).toBe(true);
      await expect(store.setPassword('nobody', { hash: 'h', proven: 'h' })).rejects.toMatchObject({
        code: 'not-found',
      });
    });

    it('finds a token by its hash alone, and inserts it once', async () => {
      await store.ensureAccount('ada', 1);
      await store.addToken({ ...token('t1'), expires: 50 }, 'h1');
      await store.addToken(token('t2'), 'h1');
      expect(await store.findToken('h1')).toEqual({ ...token('t1'), expires: 50, revoked: false });
      expect(await store.findToken('h')).toBeUndefined();
      await expect(store.addToken(token('t3', 'nobody'), 'h3')).rejects.toMatchObject({ code: 'not-found' });
    });

    it('lists the newest first, of one account or of all', async () => {
      await store.ensureAccount('ada', 1);
      await store.ensureAccount('bo', 1);
      for (const [n, account] of ['ada', 'bo', 'ada'].entries())
        await store.addToken(token(`t${n}`, account, n), `h${n}`);
      expect((await store.listTokens()).map(({ id }) => id)).toEqual(['t2', 't1', 't0']);
      expect((await store.listTokens('ada')).map(({ id }) => id)).toEqual(['t2', 't0']);
      expect(await store.listTokens('nobody')).toEqual([]);
    });

    it('revokes a token, of the account that is given only', async () => {
      await store.ensureAccount('ada', 1);
      await store.addToken(token('t1'), 'h1');
      expect(await store.revokeToken('t1', 'bo')).toBe(false);
      expect((await store.findToken('h1'))?.revoked).toBe(false);
      expect(await store.revokeToken('t1', 'ada')).toBe(true);
      expect((await store.findToken('h1'))?.revoked).toBe(true);
      expect(await store.revokeToken('t9')).toBe(false);
    });

    it('makes an account for one of all who ask at once, and lists accounts by name, in pages', async () => {
      const made = await Promise.all(Array.from({ length: 10 }, () => store.createAccount('cy', 1)));
      expect(made.filter((one) => one)).toHaveLength(1);
      for (const name of ['ada', 'Dr. Cy']) await store.createAccount(name, 1);
      await store.setPassword('cy', { hash: 'h' });
      await store.setPassword('ada', { hash: 'h', until: 99 });
      await store.addToken(token('t1'), 'h1');
      await store.addToken({ ...token('t2'), expires: 50 }, 'h2');
      await store.touchToken('t1', 40);
      const list = async (page: object) =>
        (await store.listAccounts({ size: 9, now: 60, ...page })).map(({ name: found }) => found);
      expect(await list({})).toEqual(['Dr. Cy', 'ada', 'cy']);
      expect(await list({ after: 'Dr. Cy', size: 1 })).toEqual(['ada']);
      expect(await list({ text: 'CY' })).toEqual(['Dr. Cy', 'cy']);
      expect(await list({ text: '%' })).toEqual([]);
      expect(await store.findAccountSummary('ada', 60)).toEqual({
        name: 'ada',
        created: 1,
        password: 'one-time',
        tokens: 1,
        lastUsed: 40,
      });
      expect(await store.findAccountSummary('Dr. Cy', 60)).toMatchObject({ password: 'none', tokens: 0 });
      expect(await store.findAccountSummary('cy', 60)).toMatchObject({ password: 'set' });
      expect(await store.findAccountSummary('nobody', 60)).toBeUndefined();
    });

    const valid = async (...ids: string[]): Promise<string[]> => {
      const found = await Promise.all(ids.map((id) => store.findTokenById(id)));
      return found.flatMap((one) => (one && !one.revoked ? [one.id] : []));
    };
    const family = async (): Promise<void> => {
      for (const name of ['ada', 'bo']) await store.ensureAccount(name, 1);
      await store.addToken({ ...token('p'), scopes: ['read', 'submit', 'admin'] }, 'hp');
      await store.addToken({ ...token('c'), parent: 'p' }, 'hc');
      await store.addToken({ ...token('s'), parent: 'c', kind: 'session' }, 'hs');
      await store.addToken({ ...token('b', 'bo'), parent: 'p' }, 'hb');
      await store.addToken(token('x'), 'hx');
    };

    it('ends a token with all that was made with it, whoever’s it is', async () => {
      await family();
      expect(await store.findToken('hs')).toMatchObject({ parent: 'c', kind: 'session' });
      expect(await store.revokeToken('p', 'ada')).toBe(true);
      expect(await valid('p', 'c', 's', 'b', 'x')).toEqual(['x']);
    });

    it('lets tokens of others go on without the one that made them, where asked', async () => {
      await family();
      await store.addToken({ ...token('a', 'bo'), scopes: ['admin'], parent: 'p' }, 'ha');
      expect(await store.freeTokensOfOthers('p')).toBe(1);
      await store.revokeToken('p');
      expect(await valid('c', 's', 'b', 'a', 'x')).toEqual(['b', 'x']);
    });

    it('adds nothing to a token that has ended, nor for a password that is another by now', async () => {
      await family();
      await store.addToken({ ...token('e'), expires: 20 }, 'he');
      expect(await store.addToken({ ...token('n1', 'ada', 20), parent: 'e' }, 'n1')).toBe(false);
      expect(await store.addToken({ ...token('n2', 'ada', 19), parent: 'e' }, 'n2')).toBe(true);
      await store.revokeToken('c');
      expect(await store.addToken({ ...token('n3'), parent: 'c' }, 'n3')).toBe(false);
      expect(await store.addToken({ ...token('n4'), parent: 'none' }, 'n4')).toBe(false);
      await store.setPassword('ada', { hash: 'one' });
      expect(await store.addToken(token('n5'), 'n5', { passwordHash: 'one' })).toBe(true);
      expect(await store.addToken(token('n6'), 'n6', { passwordHash: 'other' })).toBe(false);
      expect(await store.findToken('n6')).toBeUndefined();
    });

    it('leaves no child behind, however a revocation and new tokens meet', async () => {
      await family();
      const adding = Array.from({ length: 20 }, (_, n) =>
        store.addToken({ ...token(`n${n}`), parent: n % 2 ? 'p' : 'c' }, `n${n}`),
      );
      await Promise.all([...adding, store.revokeToken('p')]);
      expect(await valid(...Array.from({ length: 20 }, (_, n) => `n${n}`))).toEqual([]);
    });

    it('ends sessions with a new password, and tokens where asked', async () => {
      await family();
      await store.addToken({ ...token('w'), kind: 'password' }, 'hw');
      await store.addToken({ ...token('wc'), parent: 'w' }, 'hwc');
      await store.addToken({ ...token('k'), kind: 'session' }, 'hk');
      await store.addToken({ ...token('set'), kind: 'setting' }, 'hset');
      await store.addToken({ ...token('o', 'bo'), kind: 'session' }, 'ho');
      await store.setPassword('ada', { hash: 'h', kept: 'k' });
      expect(await valid('p', 'c', 's', 'b', 'w', 'wc', 'k', 'x', 'set', 'o')).toEqual([
        'p',
        'c',
        'b',
        'k',
        'x',
        'set',
        'o',
      ]);
      await store.setPassword('ada', { hash: 'h', kept: 'x', endTokens: true });
      expect(await valid('p', 'c', 'b', 'k', 'x', 'set', 'o')).toEqual(['x', 'set', 'o']);
    });

    it('lists tokens in pages, those that are valid where asked, and forgets what ended long ago', async () => {
      await family();
      await store.addToken({ ...token('e1', 'ada', 11), expires: 20 }, 'e1');
      await store.addToken({ ...token('e2', 'ada', 12), expires: 20, kind: 'session' }, 'e2');
      await store.addToken({ ...token('r', 'ada', 13), kind: 'setting' }, 'hr');
      await store.revokeToken('r');
      const list = async (page: Parameters<Store['listTokens']>[1], account?: string) =>
        (await store.listTokens(account, page)).map(({ id }) => id);
      expect(await list({ size: 2 })).toEqual(['r', 'e2']);
      expect(await list({ size: 2, before: 'e2' }, 'ada')).toEqual(['e1', 'x']);
      expect(await list({ before: 'none' })).toEqual([]);
      expect(await list({ validAt: 20, size: 2 })).toEqual(['x', 'b']);
      expect(await list({ validAt: 19, size: 1 })).toEqual(['e2']);
      expect(await store.forgetTokens({ signIns: 30, tokens: 20 })).toBe(1);
      expect(await store.forgetTokens({ signIns: 30, tokens: 30 })).toBe(1);
      await store.revokeToken('c');
      expect(await store.forgetTokens({ signIns: 10, tokens: 10 })).toBe(0);
      expect(await store.forgetTokens({ signIns: 11, tokens: 11 })).toBe(2);
      expect(await list({})).toEqual(['r', 'x', 'b', 'p']);
    });

    it('remembers when a token was last used', async () => {
      await store.ensureAccount('ada', 1);
      await store.addToken(token('t1'), 'h1');
      await store.touchToken('t1', 500_000);
      expect((await store.findToken('h1'))?.lastUsed).toBe(500_000);
    });
  });
}
