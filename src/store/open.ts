/** The store that a setting names. */
import type { Store, StoreOptions } from './store.js';

export type { Store, StoreOptions } from './store.js';

/**
 * `sqlite:PATH` or `postgres://…` (postgres/open.ts).
 * @throws Error for any other address, and where the store's accessions begin otherwise than `prefix`
 */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  const store = await openEither(url, options);
  try {
    await requirePrefix(store, options.prefix, url);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

async function openEither(url: string, options: StoreOptions): Promise<Store> {
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

/** The store keeps numbers alone: under another prefix each sample would have an accession that nobody was ever given. */
async function requirePrefix(store: Store, prefix: string, url: string): Promise<void> {
  const settled = (await store.settled('prefix')) ?? (await store.settle('prefix', prefix));
  if (settled === prefix) return;
  const empty = (await store.nextAccession()) === 1 && (await store.sampleIds(0, 1)).length === 0;
  // Loads both engines.
  const { placeOf } = await import('./snapshot.js');
  const anew = empty ? ` No sample is in it yet: to begin with ${prefix} all the same, take away ${placeOf(url)}.` : '';
  throw new Error(
    `The accessions of this store begin with ${settled}, and ACCESSION_PREFIX is ${prefix}: set it to ${settled}, as all processes on the store have it.${anew}`,
  );
}
