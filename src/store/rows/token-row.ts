/** Rows of `token` as both stores have them, and what both keep of their use. */
import type { AccountStore, NewToken, Scope, TokenKind, TokenRecord } from '../../auth/account-store.js';
import { BoundedMap } from '../../limits/bounded-map.js';

export type TokenStore = Pick<
  AccountStore,
  | 'addToken'
  | 'findToken'
  | 'findTokenById'
  | 'listTokens'
  | 'revokeToken'
  | 'freeTokensOfOthers'
  | 'touchToken'
  | 'forgetTokens'
>;

export interface TokenRow {
  /** In order of arrival. */
  number: number;
  id: string;
  account: string;
  name: string;
  scopes: string;
  created: number;
  expires: number | null;
  last_used: number | null;
  revoked: boolean | number;
  kind: TokenKind | null;
  parent: string | null;
}

export const tokenOf = (row: TokenRow | undefined): TokenRecord | undefined =>
  row && {
    id: row.id,
    account: row.account,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    created: row.created,
    ...(row.expires === null ? {} : { expires: row.expires }),
    ...(row.last_used === null ? {} : { lastUsed: row.last_used }),
    revoked: Boolean(row.revoked),
    ...(row.kind === null ? {} : { kind: row.kind }),
    ...(row.parent === null ? {} : { parent: row.parent }),
  };

/** The columns of a new token, in the order of their values. */
export const NEW_TOKEN = 'id, account, name, scopes, hash, created, expires, kind, parent';
export const newTokenValues = (token: NewToken, account: number, hash: string): unknown[] => {
  const { id, name, scopes, created, expires, kind, parent } = token;
  return [id, account, name, JSON.stringify(scopes), hash, created, expires ?? null, kind ?? null, parent ?? null];
};

/** SQL: the tokens that end with a password, all of them or those of sign-ins. */
export const endedKinds = (tokensToo: boolean): string =>
  tokensToo ? "coalesce(kind, '') <> 'setting'" : "kind in ('session', 'password')";

/** A token used by every request is written down once a minute. */
const TOUCH_EVERY_MS = 60_000;
const TOUCHED_KEPT = 10_000;

/** Whether the use of a token is to be written down now. */
export function touches(): (id: string, now: number) => boolean {
  const touched = new BoundedMap<string, number>(TOUCHED_KEPT);
  return (id, now) => {
    if (now - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return false;
    touched.set(id, now);
    return true;
  };
}
