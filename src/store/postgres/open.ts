/** One schema of a PostgreSQL database as the store; any number of processes on any number of machines may open it. */
import type { Store, StoreOptions } from '../store.js';
import { postgresAccountSettings } from './account-settings.js';
import { postgresAccountStore } from './account-store.js';
import { PostgresDatabase } from './database.js';
import { translate } from './failures.js';
import { migrate } from './migrate.js';
import { Names } from './names.js';
import { postgresSampleStore } from './sample-store.js';
import { SearchIndex } from './search-index.js';
import { postgresSearchStore } from './search-store.js';
import { postgresSubmissionStore } from './submission-store.js';
import { postgresUpkeepStore } from './upkeep-store.js';
import { postgresUsageStore } from './usage-store.js';
import { postgresWebhookStore } from './webhook-store.js';

export const MIGRATIONS = new URL('./migrations/', import.meta.url);

/**
 * `postgres://user:password@host:port/database?schema=public&pool=10`, and whatever else PostgreSQL's own addresses
 * take (sslmode). Waits some seconds for the server; brings the schema to its newest form.
 * @throws RegistryError service.unavailable
 */
export async function openPostgresStore(url: string, options: StoreOptions, migrations = MIGRATIONS): Promise<Store> {
  const database = new PostgresDatabase(url);
  try {
    await migrate(database, migrations);
    await database.setClock();
  } catch (error) {
    await database.close();
    throw translate(error);
  }
  const names = new Names(database);
  const now = options.now ?? database.now;
  return {
    ...postgresSampleStore(database, names, now),
    ...postgresSearchStore(
      database,
      names,
      new SearchIndex(database, names, { prefix: options.prefix, now }),
      options.prefix,
    ),
    ...postgresSubmissionStore(database, names, now, options.prefix),
    ...postgresAccountStore(database, names),
    ...postgresAccountSettings(database, names),
    ...postgresWebhookStore(database, names),
    ...postgresUsageStore(database, names),
    ...postgresUpkeepStore(database, names, now),
    check: () => database.check(),
    close: () => database.close(),
  };
}
