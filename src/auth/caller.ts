/** Who makes a request, and what its token allows. */
import { RegistryError } from '../registry/errors.js';
import type { Caller } from '../registry/permissions.js';
import type { Scope } from './account-store.js';

/** A caller who showed a token. */
export interface SignedIn extends Caller {
  scopes: readonly Scope[];
  /** Token that was shown, when it is one of ours; absent for tokens of an identity provider. */
  tokenId?: string;
  /** Of a token of an identity provider: when it ends, milliseconds since 1970. */
  expires?: number;
  /** How it was shown. A cookie is sent by the browser unasked, so writes that come with one need further proof. */
  by: 'token' | 'cookie' | 'identity-provider';
}

/** Scopes that include each scope: who may submit may read, an administrator may do both. */
const INCLUDED_IN: Record<Scope, readonly Scope[]> = {
  read: ['read', 'submit', 'admin'],
  submit: ['submit', 'admin'],
  admin: ['admin'],
};

export function hasScope(caller: SignedIn, scope: Scope): boolean {
  return INCLUDED_IN[scope].some((including) => caller.scopes.includes(including));
}

/** What is known of a caller by name and scopes. */
export const callerWith = (account: string, scopes: readonly Scope[]) => ({
  account,
  scopes,
  admin: scopes.includes('admin'),
});

/** @throws RegistryError auth.required when nobody signed in; auth.forbidden when the token lacks the scope */
export function requireScope(caller: SignedIn | undefined, scope: Scope): SignedIn {
  if (!caller) {
    throw new RegistryError('auth.required', 'This needs a token: send the header "Authorization: Bearer TOKEN".');
  }
  if (!hasScope(caller, scope)) {
    throw new RegistryError(
      'auth.forbidden',
      `This needs a token with the scope "${scope}"; the one sent has: ${caller.scopes.join(', ') || 'none'}.`,
    );
  }
  return caller;
}
