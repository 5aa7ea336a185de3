/** One schema of a PostgreSQL database as the store; any number of processes on any number of machines may open it. */
import { RegistryError } from '../../registry/errors.js';
import { codeOf } from '../failures.js';
import type { Store, StoreOptions } from '../store.js';
import { postgresAccountSettings } from './accounts/account-settings.js';
import { postgresAccountStore } from './accounts/account-store.js';
import { postgresProfileStore } from './accounts/profile-store.js';
import { postgresUsageStore } from './accounts/usage-store.js';
import { postgresWebhookStore } from './accounts/webhook-store.js';
import { PostgresDatabase, type PostgresOptions } from './database.js';
import { postgresErasingStore } from './erasing-store.js';
import { translate } from './failures.js';
import { postgresKeptExports } from './kept-exports.js';
import { migrate } from './migrate.js';
import { postgresMirrorStore } from './mirroring.js';
import { postgresChangeStore } from './samples/change-log.js';
import { Names } from './samples/names.js';
import { postgresOpenRelationships } from './samples/open-relationships.js';
import { postgresSampleKeys } from './samples/row-keys.js';
import { postgresSampleStore } from './samples/sample-store.js';
import { SearchIndex } from './search/search-index.js';
import { postgresSearchStore } from './search/search-store.js';
import { postgresSubmissionStore } from './submissions/submission-store.js';
import { postgresUpkeepStore } from './upkeep-store.js';
import { postgresWholeResults } from './whole-result.js';

export const MIGRATIONS = new URL('./migrations/', import.meta.url);

/**
 * `postgres://user:password@host:port/database?schema=public&pool=10`, and whatever else PostgreSQL's own addresses
 * take (sslmode). Waits some seconds for the server; brings the schema to its newest form.
 * @throws Error whose message is for operators: which server, which database and why; RegistryError service.unavailable or storage.full where
 * the same may succeed later
 */
export async function openPostgresStore(
  url: string,
  options: StoreOptions & PostgresOptions,
  migrations = MIGRATIONS,
): Promise<Store> {
  const database = new PostgresDatabase(url, options);
  try {
    await migrate(database, migrations);
    await database.setClock();
  } catch (error) {
    await database.close();
    throw notOpened(url, database.schema, translate(causeOf(error)));
  }
  const names = new Names(database, options.prefix);
  const now = options.now ?? database.now;
  const index = new SearchIndex(database, names, { prefix: options.prefix, now });
  return {
    ...postgresSampleStore(database, names, now),
    ...postgresSampleKeys(database, names, now),
    ...postgresOpenRelationships(database, names),
    ...postgresSearchStore(database, names, index, options.prefix),
    ...postgresWholeResults(database, names, options.prefix),
    ...postgresSubmissionStore(database, names, now, options.prefix),
    ...postgresAccountStore(database, names),
    ...postgresAccountSettings(database, names),
    ...postgresChangeStore(database, now),
    ...postgresMirrorStore(database, names, index, now),
    ...postgresWebhookStore(database, names),
    ...postgresProfileStore(database, names),
    ...postgresKeptExports(database, names),
    ...postgresUsageStore(database),
    ...postgresUpkeepStore(database, names, now),
    ...postgresErasingStore(database, names, index, now),
    now,
    check: () => database.check(),
    close: () => database.close(),
  };
}

/** Nothing but the operator's log sees this; the password is not in it. What passes by itself is an error of the catalogue. */
function notOpened(url: string, schema: string, error: unknown): Error {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const host = decodeURIComponent(searchParams.get('host') ?? hostname) || 'localhost';
  const place = `PostgreSQL at ${host}:${searchParams.get('port') ?? (port || 5432)}, database ${JSON.stringify(decodeURIComponent(pathname.slice(1)))}`;
  const as = username ? ` as ${decodeURIComponent(username)}` : '';
  const cause = causeOf(error);
  const rights = codeOf(cause) === NO_RIGHT ? rightsOf(schema) : '';
  const message = `${place}${as}, cannot be used: ${reasonOf(cause)}.${rights}`;
  return error instanceof RegistryError
    ? new RegistryError(error.code, message, { cause: error })
    : new Error(message, { cause: error });
}

/** What a server refuses at the start is for operators to put right, and passes by itself only where that says so. */
const causeOf = (error: unknown): unknown =>
  error instanceof RegistryError && error.cause !== undefined ? error.cause : error;

const NO_RIGHT = '42501';

const rightsOf = (schema: string): string =>
  ` To make the store, or to bring it to a new version, its role needs USAGE and CREATE in the schema ${schema} and must own the tables there; to make the schema, CREATE in the database. To work on one that has the newest form: see "Rights in PostgreSQL" in docs/operations.md.`;

/** Of several addresses of one name each has failed by itself, and the error of all says nothing. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return (
    error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error)
  ).replace(/\.$/, '');
}
