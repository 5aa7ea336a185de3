/** Passwords, kept as scrypt hashes in the form `scrypt$N$r$p$salt$hash` (base64url), so that the cost can grow. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { RegistryError } from '../registry/errors.js';

/** 32 MiB and three passes: one of the settings that OWASP's password storage sheet holds equal. About 0.2 s. */
export const COST = { N: 2 ** 15, r: 8, p: 3 };
const KEY_BYTES = 32;
const MAX_MEMORY = 64 * 1024 * 1024;

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 1024;

/** @throws RegistryError request.invalid for a password that is too short or too long */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    throw new RegistryError(
      'request.invalid',
      `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters; this one has ${password.length}.`,
    );
  }
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/**
 * Takes as long when there is no such account or password, so that time tells nothing about which accounts exist.
 * @param cost what passwords are hashed with where they are set
 */
export async function passwordMatches(password: string, stored: string | undefined, cost = COST): Promise<boolean> {
  const [kind, N, r, p, salt, key] = (stored ?? decoy(cost)).split('$');
  if (kind !== 'scrypt' || !salt || !key || password.length > PASSWORD_MAX) return false;
  const wanted = Buffer.from(key, 'base64url');
  const found = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(found, wanted) && stored !== undefined;
}

const decoy = ({ N, r, p }: typeof COST): string =>
  ['scrypt', N, r, p, Buffer.alloc(16).toString('base64url'), Buffer.alloc(KEY_BYTES).toString('base64url')].join('$');

function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
