/** PORT: accounts, passwords and tokens. Tokens are kept as SHA-256 only; passwords as scrypt hashes (passwords.ts). */

export const SCOPES = ['read', 'submit', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Account {
  name: string;
  /** Absent when the account cannot sign in with a password. */
  passwordHash?: string;
  /** Only of a one-time password: when it ends, milliseconds since 1970. All that it is good for is setting another. */
  passwordUntil?: number;
  created: number;
}

/** An account as administrators see it. */
export interface AccountSummary {
  name: string;
  created: number;
  password: 'none' | 'set' | 'one-time';
  /** Tokens and sessions that are valid now. */
  tokens: number;
  /** Last use of any of its tokens. */
  lastUsed?: number;
}

/** session: of the page, in a cookie · password: of POST /auth/token · setting: ADMIN_TOKEN. */
export type TokenKind = 'session' | 'password' | 'setting';

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
  /** Absent: made by POST /tokens or the command line. */
  kind?: TokenKind;
  /** Id of the token that it was made with, and ends with. */
  parent?: string;
}

export interface TokenPage {
  size?: number;
  /** Id of the last one seen. */
  before?: string;
  /** Only those that are valid at this time. */
  validAt?: number;
}

export type NewToken = Omit<TokenRecord, 'lastUsed' | 'revoked'>;

export interface NewPassword {
  hash: string;
  /** Makes it a one-time password that ends then. */
  until?: number;
  /** Id of the token that stays valid, with those that it was made with. */
  kept?: string;
  /** Also ends the tokens that are neither sessions nor from the settings. */
  endTokens?: boolean;
  /** Hash of the password that it takes the place of, and of no other. Absent: of any. */
  proven?: string;
}

export interface AccountStore {
  /** Makes the account when it is new. */
  ensureAccount(name: string, now: number): Promise<Account>;
  /** False when there is one of this name. */
  createAccount(name: string, now: number): Promise<boolean>;
  findAccount(name: string): Promise<Account | undefined>;
  countAccounts(): Promise<number>;
  /** By name, after the name given; `text` is part of the name, in any letter case. */
  listAccounts(page: { size: number; after?: string; text?: string; now: number }): Promise<AccountSummary[]>;
  findAccountSummary(name: string, now: number): Promise<AccountSummary | undefined>;
  /**
   * In one transaction with the end of every session and password token of the account and of all that was made with
   * them, but for `kept` and what was made with it. Resolves to false, and changes nothing, when the present password is
   * not the `proven` one any more. @throws RegistryError not-found
   */
  setPassword(name: string, password: NewPassword): Promise<boolean>;
  /**
   * `hash`: SHA-256 hex of the token's text. The account must exist. Inserting a hash that is there already changes nothing.
   * Resolves to false, and adds nothing, when the parent is revoked or expired at `token.created`, or when the
   * account's password is not the one of `proven` any more.
   */
  addToken(token: NewToken, hash: string, proven?: { passwordHash: string }): Promise<boolean>;
  /** Revoked and expired ones included; the caller checks. */
  findToken(hash: string): Promise<TokenRecord | undefined>;
  findTokenById(id: string): Promise<TokenRecord | undefined>;
  /** Newest first; of one account, or of all. */
  listTokens(account?: string, page?: TokenPage): Promise<TokenRecord[]>;
  /** With all that was made with it, whoever's it is. True when there was such a token (of this account, when one is given). */
  revokeToken(id: string, account?: string): Promise<boolean>;
  /** Lets the tokens of other accounts that were made with it, and are no administrator's, go on without it; resolves to how many. */
  freeTokensOfOthers(id: string): Promise<number>;
  /** Need not be durable at once. */
  touchToken(id: string, now: number): Promise<void>;
  /** Removes sessions and password tokens that ended before `signIns`, and others that ended before `tokens`; resolves to how many. */
  forgetTokens(before: { signIns: number; tokens: number }): Promise<number>;
}
