/** The registry's use cases on a real store, with a clock that the test sets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Registry } from '../../src/registry/registry.js';
import { openStore, type Store } from '../../src/store/open.js';

export const ADA = { account: 'ada', admin: false, scopes: ['submit'] };
export const BO = { account: 'bo', admin: false, scopes: ['submit'] };
export const READER = { account: 'ada', admin: false, scopes: ['read'] };
export const ROOT = { account: 'root', admin: true, scopes: ['admin'] };
export const BODY = { name: 'n', release: '2021-01-01', characteristics: { organism: [{ text: 'human' }] } };

/** The error of a use case, its code and the words that a client reads. */
export const refused = (code: string, message: string) => expect.objectContaining({ code, message });

export interface OpenRegistry {
  registry: Registry;
  store: Store;
  clock: { now: number };
  close: () => Promise<void>;
}

export async function openRegistry(): Promise<OpenRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-rules-'));
  const clock = { now: Date.UTC(2030, 0, 1) };
  const options = { prefix: 'SAMR', now: () => clock.now };
  const store = await openStore(`sqlite:${join(folder, 'r.db')}`, options);
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { registry: new Registry(store, options), store, clock, close };
}
