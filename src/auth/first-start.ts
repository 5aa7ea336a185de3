/** The administrator of a new registry. */
import type { AccountStore } from './account-store.js';
import type { Tokens } from './tokens.js';

export const FIRST_ADMIN = 'admin';

/**
 * A store without accounts gets the account `admin`; resolves to its token, which is shown nowhere else. With `preset`
 * that text becomes a token of `admin` on every start, and nothing is there to show. Several processes may start at once.
 */
export async function firstStart(accounts: AccountStore, tokens: Tokens, preset?: string): Promise<string | undefined> {
  if (preset !== undefined) {
    await tokens.issue({ account: FIRST_ADMIN, name: 'ADMIN_TOKEN', scopes: ['read', 'submit', 'admin'] }, preset);
    return undefined;
  }
  if ((await accounts.countAccounts()) > 0) return undefined;
  const { text } = await tokens.issue({
    account: FIRST_ADMIN,
    name: 'first start',
    scopes: ['read', 'submit', 'admin'],
  });
  return text;
}
