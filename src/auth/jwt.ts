/** JSON Web Tokens of an institution's identity provider, verified against its published keys. */
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { RegistryError } from '../registry/errors.js';
import { isAccountName } from './account-name.js';

export interface IdentityProvider {
  issuer: string;
  audience: string;
  jwksUrl: string;
  /** Claim that names the account. */
  accountClaim: string;
}

/** Public-key algorithms alone: a shared-secret algorithm would let a public key be used as the secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Failures of the provider and not of the token. */
const PROVIDER_AWAY = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

/** Whom a verified token speaks of, and until when (milliseconds since 1970). */
export interface Vouched {
  account: string;
  expires: number;
}

/** Undefined for a token that is not valid here and now. */
export type JwtCheck = (token: string) => Promise<Vouched | undefined>;

/**
 * Checks signature, issuer, audience, expiry and not-before. The keys are fetched when first needed and kept.
 * The check rejects with RegistryError service.unavailable when the keys cannot be fetched.
 */
export function createJwtCheck(provider: IdentityProvider): JwtCheck {
  const keys = createRemoteJWKSet(new URL(provider.jwksUrl), { timeoutDuration: 5_000, cooldownDuration: 10_000 });
  const rules = {
    issuer: provider.issuer,
    audience: provider.audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', provider.accountClaim],
  };
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, rules);
      const account = payload[provider.accountClaim];
      if (typeof account !== 'string' || !isAccountName(account)) return undefined;
      return { account, expires: (payload.exp as number) * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError && !PROVIDER_AWAY.has(error.code)) return undefined;
      throw new RegistryError(
        'service.unavailable',
        'The identity provider’s keys cannot be fetched now; try again in a minute.',
        { cause: error },
      );
    }
  };
}
