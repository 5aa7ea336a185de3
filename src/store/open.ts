/** The store that a setting names. */
import { openPostgresStore } from './postgres/open.js';
import { openSqliteStore } from './sqlite/open.js';
import type { Store, StoreOptions } from './store.js';

export type { Store, StoreOptions } from './store.js';

/** `sqlite:PATH` or `postgres://…` (postgres/open.ts). @throws Error for any other address */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return openSqliteStore(url.slice('sqlite:'.length), options);
  }
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresStore(url, options);
  throw new Error(`STORE_URL is "${url.replace(/\/\/[^@/]*@/, '//…@')}"; it must be sqlite:PATH or postgres://…`);
}
