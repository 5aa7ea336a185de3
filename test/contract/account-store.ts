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
      await store.setPassword('ada', 'h1');
      await store.setPassword('ada', 'h2');
      expect((await store.findAccount('ada'))?.passwordHash).toBe('h2');
      await expect(store.setPassword('nobody', 'h')).rejects.toMatchObject({ code: 'not-found' });
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

    it('remembers when a token was last used', async () => {
      await store.ensureAccount('ada', 1);
      await store.addToken(token('t1'), 'h1');
      await store.touchToken('t1', 500_000);
      expect((await store.findToken('h1'))?.lastUsed).toBe(500_000);
    });
  });
}
