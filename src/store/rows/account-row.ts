/** Rows of `account` as both stores have them. */
import type { Account, AccountSummary } from '../../auth/account-store.js';
import { RegistryError } from '../../registry/errors.js';

export interface AccountRow {
  name: string;
  password_hash: string | null;
  password_until: number | null;
  created: number;
}

export type SummaryRow = AccountRow & { tokens: number; last_used: number | null };

export const accountOf = ({ name, password_hash, password_until, created }: AccountRow): Account => ({
  name,
  ...(password_hash === null ? {} : { passwordHash: password_hash }),
  ...(password_until === null ? {} : { passwordUntil: password_until }),
  created,
});

export const summaryOf = (row: SummaryRow): AccountSummary => ({
  name: row.name,
  created: row.created,
  password: row.password_hash === null ? 'none' : row.password_until === null ? 'set' : 'one-time',
  tokens: row.tokens,
  ...(row.last_used === null ? {} : { lastUsed: row.last_used }),
});

/** The number of an account that must be there. @throws RegistryError not-found */
export function requireAccount(name: string, found: number | undefined): number {
  if (found === undefined) throw new RegistryError('not-found', `There is no account "${name}"; make it first.`);
  return found;
}
