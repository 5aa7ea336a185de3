/** One function from a request's credentials to the caller. */
import { BoundedMap } from '../limits/bounded-map.js';
import { RegistryError } from '../registry/errors.js';
import type { AccountStore, Scope, TokenRecord } from './account-store.js';
import { callerWith, type SignedIn } from './caller.js';
import type { JwtCheck } from './jwt.js';
import type { Tokens } from './tokens.js';

export interface Credentials {
  /** The Authorization header as sent. */
  authorization?: string | undefined;
  /** Token in the page's cookie. */
  session?: string | undefined;
}

export type Authenticate = (credentials: Credentials) => Promise<SignedIn | undefined>;

export interface AuthenticateParts {
  tokens: Tokens;
  accounts: AccountStore;
  /** Present when an identity provider is configured. */
  jwt?: JwtCheck | undefined;
  /** Scopes of an account that the identity provider vouches for. */
  scopesOf: (account: string) => Scope[];
  /** Scopes of an account that has signed in with its password; absent: those it had when it signed in. */
  signInScopes?: ((account: string) => readonly Scope[]) | undefined;
  now?: () => number;
}

/** Accounts that are known to be there. */
const MAX_KNOWN = 10_000;

/** A compact JSON Web Token has three parts. Those that we make have none; the one of the setting may have any. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** The token of an Authorization header; undefined for one of another kind. */
export const bearerOf = (authorization: string): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/**
 * Resolves to undefined when nothing was sent, or only the cookie of a session that has ended. A bad, expired or
 * revoked bearer token is refused even where none is needed: its sender believes to be signed in.
 * @throws RegistryError auth.required
 */
export function createAuthenticate(parts: AuthenticateParts): Authenticate {
  const now = parts.now ?? Date.now;
  const known = new BoundedMap<string, true>(MAX_KNOWN);

  const byProvider = async (text: string, check: JwtCheck): Promise<SignedIn | undefined> => {
    const found = await check(text);
    if (found === undefined) return undefined;
    const { account, expires } = found;
    if (!known.has(account)) {
      await parts.accounts.ensureAccount(account, now());
      known.set(account, true);
    }
    return { ...callerWith(account, parts.scopesOf(account)), expires, by: 'identity-provider' };
  };

  /** A setting may have taken the administration from an account since it signed in. */
  const scopesNow = ({ account, scopes, kind, parent }: TokenRecord): Scope[] => {
    const byPassword = (kind === 'session' || kind === 'password') && parent === undefined;
    const allowed = byPassword ? parts.signInScopes?.(account) : undefined;
    return allowed ? scopes.filter((scope) => allowed.includes(scope)) : scopes;
  };

  const byToken = async (text: string, by: 'token' | 'cookie'): Promise<SignedIn | undefined> => {
    const record = await parts.tokens.check(text);
    return record && { ...callerWith(record.account, scopesNow(record)), tokenId: record.id, by };
  };

  return async ({ authorization, session }) => {
    if (authorization === undefined) return session === undefined ? undefined : byToken(session, 'cookie');
    const text = bearerOf(authorization);
    if (text === undefined) {
      throw new RegistryError('auth.required', 'The Authorization header must read "Bearer TOKEN".');
    }
    const vouched = parts.jwt && JWT.test(text) ? await byProvider(text, parts.jwt) : undefined;
    const caller = vouched ?? (await byToken(text, 'token'));
    if (caller) return caller;
    throw new RegistryError('auth.required', 'The token is unknown, revoked or expired; ask for a new one.', {
      extra: { tokenRefused: true },
    });
  };
}
