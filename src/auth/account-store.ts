/** PORT: accounts, passwords and tokens. Tokens are kept as SHA-256 only; passwords as scrypt hashes (passwords.ts). */

export const SCOPES = ['read', 'submit', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Account {
  name: string;
  /** Absent when the account cannot sign in with a password. */
  passwordHash?: string;
  created: number;
}

export interface TokenRecord {
  /** Public handle, used to revoke it. */
  id: string;
  account: string;
  name: string;
  scopes: Scope[];
  created: number;
  /** Absent: never expires. */
  expires?: number;
  lastUsed?: number;
  revoked: boolean;
}

export interface AccountStore {
  /** Makes the account when it is new. */
  ensureAccount(name: string, now: number): Promise<Account>;
  findAccount(name: string): Promise<Account | undefined>;
  countAccounts(): Promise<number>;
  setPassword(name: string, passwordHash: string): Promise<void>;
  /** `hash`: SHA-256 hex of the token's text. The account must exist. Inserting a hash that is there already changes nothing. */
  addToken(token: Omit<TokenRecord, 'lastUsed' | 'revoked'>, hash: string): Promise<void>;
  /** Revoked and expired ones included; the caller judges. */
  findToken(hash: string): Promise<TokenRecord | undefined>;
  /** Newest first; of one account, or of all. */
  listTokens(account?: string): Promise<TokenRecord[]>;
  /** True when there was such a token (of this account, when one is given). */
  revokeToken(id: string, account?: string): Promise<boolean>;
  /** Need not be durable at once. */
  touchToken(id: string, now: number): Promise<void>;
}
