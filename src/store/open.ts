/** The store that a setting names. */
import type { Store, StoreOptions } from './store.js';

export type { Store, StoreOptions } from './store.js';

/** `sqlite:PATH` or `postgres://…` (postgres/open.ts). @throws Error for any other address */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const { openSqliteStore } = await import('./sqlite/open.js');
    return openSqliteStore(url.slice('sqlite:'.length), options);
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgresStore } = await import('./postgres/open.js');
    return openPostgresStore(url, options);
  }
  throw new Error(`STORE_URL is "${url.replace(/\/\/[^@/]*@/, '//…@')}"; it must be sqlite:PATH or postgres://…`);
}
