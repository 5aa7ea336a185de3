/** The administrator of a new registry. */
import type { AccountStore, Scope } from './account-store.js';
import type { Tokens } from './tokens.js';

export const FIRST_ADMIN = 'admin';
const SCOPES: Scope[] = ['read', 'submit', 'admin'];

export interface FirstStart {
  /** The token that was made, shown nowhere else. */
  text?: string;
  /** What the operator should know. */
  warnings: string[];
}

/**
 * A store without accounts gets the account `admin` and a token. With `preset` that text becomes a token of `admin` on
 * every start, nothing is there to show, and the token that the setting held before ends; one that has ended changes nothing.
 * Several processes may start at once.
 */
export async function firstStart(accounts: AccountStore, tokens: Tokens, preset?: string): Promise<FirstStart> {
  if (preset !== undefined) return { warnings: await presetToken(accounts, tokens, preset) };
  if ((await accounts.countAccounts()) > 0) return { warnings: [] };
  const { text } = await tokens.issue({ account: FIRST_ADMIN, name: 'first start', scopes: SCOPES });
  return { text, warnings: [] };
}

async function presetToken(accounts: AccountStore, tokens: Tokens, preset: string): Promise<string[]> {
  await tokens.issue({ account: FIRST_ADMIN, name: 'ADMIN_TOKEN', scopes: SCOPES, kind: 'setting' }, preset);
  const present = await tokens.check(preset);
  if (!present) {
    // Such as in a process that was started again before it had the new setting: those that have it must not lose it.
    return [
      'ADMIN_TOKEN is a token that was revoked before, and is not taken; one that was set after it goes on. Set that one, or a new one.',
    ];
  }
  const warnings: string[] = [];
  for (const { id, kind, revoked } of await accounts.listTokens(FIRST_ADMIN)) {
    if (kind !== 'setting' || revoked || id === present.id) continue;
    // What the administrator made for others goes on: a change of the setting must not stop every laboratory.
    const kept = await accounts.freeTokensOfOthers(id);
    await tokens.revoke(id);
    warnings.push(
      `ADMIN_TOKEN was changed: the former one ended, with what was made with it for administrators; ${kept} tokens of other accounts go on.`,
    );
  }
  return warnings;
}
