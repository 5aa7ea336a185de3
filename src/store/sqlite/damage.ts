/** Damage that SQLite notices in the file of the store, in the catalogue's words. */
import { basename } from 'node:path';
import { RegistryError } from '../../registry/errors.js';
import type { Store } from '../store.js';
import Database from './driver.js';
import { isDamage } from './failures.js';
import { newestOf, startTheNewer } from './migrate.js';

/** The store's files, by what stands behind its name, and the scripts that make each. */
export const SCRIPTS = {
  '': new URL('./migrations/', import.meta.url),
  '-search': new URL('./search-migrations/', import.meta.url),
};

/** What SQLite says when the definition of a table, which stands in the file too, was changed. */
const LOST_DEFINITION = /^(no such (column|table): |table \w+ has no column named )/;

export function damageOf(error: unknown, file: string): unknown {
  const reason = error instanceof Error ? error.message : String(error);
  if (!isDamage(error) && !LOST_DEFINITION.test(reason)) return error;
  const newer = isDamage(error) ? undefined : newerThanKnown(file);
  if (newer !== undefined) return isOfNewer(newer, error);
  return new RegistryError(
    'storage.damaged',
    `The database file ${basename(file)} is damaged where this reads it (${reason}). Whoever runs this service finds out what is hit with \`sample-registry verify\`, and takes the file from a backup.`,
    { cause: error },
  );
}

/** A newer program may bring the store to its schema while this one works on it. */
function newerThanKnown(file: string): string | undefined {
  for (const [name, scripts] of Object.entries(SCRIPTS)) {
    const version = schemaOf(file + name);
    const newest = newestOf(scripts);
    if (version !== undefined && version > newest) return startTheNewer(version, newest);
  }
  return undefined;
}

function schemaOf(path: string): number | undefined {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly: true });
    return Number(connection.pragma('user_version', { simple: true }));
  } catch {
    return undefined; // it cannot be read: what was found already is said
  } finally {
    connection?.close();
  }
}

const isOfNewer = (what: string, cause: unknown): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `A newer version of the program works on the store, and nothing of this was stored: ${what}. Whoever runs this service ends the older one.`,
    { cause },
  );

/** The same store, whose methods throw `storage.damaged` where SQLite finds its file damaged. */
export function namingDamage(store: Store, file: string): Store {
  const name = (error: unknown): never => {
    throw damageOf(error, file);
  };
  const wrapped = Object.entries(store).map(([method, work]: [string, (...values: unknown[]) => unknown]) => [
    method,
    (...values: unknown[]) => {
      try {
        const outcome = work(...values);
        if (outcome instanceof Promise) return outcome.catch(name);
        return isIterable(outcome) ? pieces(outcome, name) : outcome;
      } catch (error) {
        return name(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Store;
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function* pieces(source: AsyncIterable<unknown>, onError: (error: unknown) => never): AsyncGenerator<unknown> {
  try {
    yield* source;
  } catch (error) {
    onError(error);
  }
}
