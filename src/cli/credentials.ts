/** Tokens kept by `login`, one per address, in a file that only its owner can read. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { syncFolder } from '../durable-names.js';

export const credentialsPath = (): string => join(homedir(), '.config', 'sample-registry', 'credentials.json');

type Credentials = Record<string, { token: string }>;

export async function savedToken(url: string, path = credentialsPath()): Promise<string | undefined> {
  return (await readCredentials(path))[url]?.token;
}

export async function saveToken(url: string, token: string, path = credentialsPath()): Promise<void> {
  const all = { ...(await readCredentials(path)), [url]: { token } };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, path);
  await syncFolder(dirname(path));
}

async function readCredentials(path: string): Promise<Credentials> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as Credentials;
  } catch {
    throw new Error(`${path} is not valid JSON. Delete it and run \`sample-registry login\` again.`);
  }
}
