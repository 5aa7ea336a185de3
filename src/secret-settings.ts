/** Settings that nobody but the service should read: from files, and in addresses. */
import { readFileSync } from 'node:fs';

/**
 * Each may also come from a file that the setting with _FILE behind its name points to, and is never shown.
 * docs/configuration.md marks them.
 */
export const SECRETS = [
  'STORE_URL',
  'STORE_PASSWORD',
  'QUEUE_URL',
  'QUEUE_PASSWORD',
  'BLOB_URL',
  'BLOB_SECRET',
  'ADMIN_TOKEN',
  'METRICS_TOKEN',
] as const;

export const isSecret = (name: string): boolean => (SECRETS as readonly string[]).includes(name);

/**
 * The value of a secret setting; from a file as it stands there, without the line end that editors leave. What is wrong
 * is added to the faults.
 */
export function readSecret(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  faults: string[],
): string | undefined {
  const pointer = `${name}_FILE`;
  const path = env[pointer];
  if (!path) return env[name];
  if (env[name]) {
    faults.push(`${pointer}: ${name} is set, too; set one of them.`);
    return undefined;
  }
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.push(`${pointer}: ${JSON.stringify(path)} must be a file that this program may read (${code}).`);
    return undefined;
  }
}

interface Addresses {
  STORE_URL?: string | undefined;
  STORE_PASSWORD?: string | undefined;
  QUEUE_URL: string;
  QUEUE_PASSWORD?: string | undefined;
  BLOB_URL?: string | undefined;
  BLOB_SECRET?: string | undefined;
}

const PASSWORDS = [
  ['STORE_URL', 'STORE_PASSWORD'],
  ['QUEUE_URL', 'QUEUE_PASSWORD'],
  ['BLOB_URL', 'BLOB_SECRET'],
] as const;

/** Scheme, then who signs in, if anybody, with a password or without. */
const SIGN_IN = /^([a-z0-9+]+:\/\/)(?:([^@/?]*)@)?/;

/** The addresses with the passwords that are settings of their own. */
export function withPasswords<Config extends Addresses>(config: Config): Config {
  const whole = PASSWORDS.flatMap(([address, password]) => {
    const [url, secret] = [config[address], config[password]];
    if (url === undefined || secret === undefined) return [];
    const put = (_whole: string, scheme: string, user = '') => `${scheme}${user}:${encodeURIComponent(secret)}@`;
    return [[address, url.replace(SIGN_IN, put)]];
  });
  return { ...config, ...Object.fromEntries(whole) };
}

/** Passwords that have no address to go into. */
export function passwordContradictions(config: Addresses): string[] {
  return PASSWORDS.flatMap(([address, password]) => {
    if (config[password] === undefined) return [];
    const parts = SIGN_IN.exec(config[address] ?? '');
    if (!parts) return [`${password}: has no effect without an address of a server in ${address}.`];
    if (parts[2]?.includes(':')) return [`${password}: ${address} holds one already; set one of them.`];
    if (address === 'BLOB_URL' && !parts[2])
      return [`${password}: ${address} names no key; begin it with s3://KEY@bucket.`];
    return [];
  });
}
