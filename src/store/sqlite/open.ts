/** One SQLite file as the store; any number of processes may open it. */
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolderNow } from '../../durable-names.js';
import { requireRoom, whyNotOpened } from '../../submissions/uploads/disk-room.js';
import type { Store, StoreOptions } from '../store.js';
import { sqliteAccountSettings } from './accounts/account-settings.js';
import { sqliteAccountStore } from './accounts/account-store.js';
import { sqliteProfileStore } from './accounts/profile-store.js';
import { sqliteUsageStore } from './accounts/usage-store.js';
import { sqliteWebhookStore } from './accounts/webhook-store.js';
import { damageOf, namingDamage, SCRIPTS } from './damage.js';
import { type Connect, type DatabaseOptions, SqliteDatabase } from './database.js';
import { sqliteErasingStore } from './erasing-store.js';
import { isBusy } from './failures.js';
import { migrate } from './migrate.js';
import { sqliteMirrorStore } from './mirror.js';
import { sqliteKeptExports } from './results/kept-exports.js';
import { sqliteWholeResults } from './results/whole-result.js';
import { installRowChecks } from './row-checks.js';
import { defineBlockViews } from './samples/block-views.js';
import { sqliteChangeStore } from './samples/change-log.js';
import { Names } from './samples/names.js';
import { sqliteOpenRelationships } from './samples/open-relationships.js';
import { sqliteSampleKeys } from './samples/row-keys.js';
import { sqliteRecordReader } from './samples/sample-record.js';
import { sqliteSampleStore } from './samples/sample-store.js';
import { requireWholeIndex } from './search/search-damage.js';
import { SearchFile } from './search/search-file.js';
import { SearchIndex } from './search/search-index.js';
import { PendingReader } from './search/search-pending.js';
import { sqliteSearchRecords } from './search/search-record.js';
import { sqliteSearchStore } from './search/search-store.js';
import { sqliteSubmissionStore } from './submissions/submission-store.js';
import { sqliteUpkeepStore } from './upkeep-store.js';

/** Three blocks of samples of 15 columns take 6 400 bytes: on pages of 4 096 each would have one of its own, half of it empty. */
const PAGE_BYTES = 8192;
const OPEN_PATIENCE_MS = 15_000;

export interface SqliteStoreOptions extends StoreOptions {
  /** How connections to the store's two files are opened; for tests that open them by the thousand. */
  connect?: Connect;
}

/**
 * Opens the file, making it and its folder when they are new, and brings it to the newest schema.
 * @throws RegistryError storage.damaged, storage.full
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store> {
  const file = resolve(path);
  try {
    return namingDamage(await openFile(file, options), file);
  } catch (error) {
    throw whyNotOpened(damageOf(error, file), dirname(file));
  }
}

async function openFile(file: string, options: SqliteStoreOptions): Promise<Store> {
  makeFolderNow(dirname(file));
  const cache = {
    ...(options.cacheKiB === undefined ? {} : { cacheKiB: options.cacheKiB }),
    ...(options.connect === undefined ? {} : { connect: options.connect }),
  };
  const limits = options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes };
  const database = await openMigrated(
    file,
    SCRIPTS[''],
    { ...cache, ...limits, pageBytes: PAGE_BYTES },
    installRowChecks,
  );
  // What it holds can be rebuilt, so its commits need not reach the disk one by one.
  const searchFile = await SearchFile.open(
    `${file}-search`,
    async (path) => {
      const settings: DatabaseOptions = { ...cache, synchronous: 'NORMAL', pageBytes: PAGE_BYTES, shrinks: true };
      const index = await openMigrated(path, SCRIPTS['-search'], settings, installRowChecks);
      try {
        requireWholeIndex(index);
      } catch (error) {
        index.close();
        throw error;
      }
      return index;
    },
    options.onIndexDamage,
  );
  const names = new Names(database, options.prefix);
  database.define((connection) => defineBlockViews(connection));
  const now = options.now ?? Date.now;
  const readRecord = sqliteRecordReader(database, names);
  const records = sqliteSearchRecords(database, names);
  const filler = new SearchIndex(database, searchFile, records, { prefix: options.prefix, now });
  const pending = new PendingReader(database, records, options.prefix);
  await filler.guarded(() => filler.begin());
  return {
    ...sqliteSampleStore(database, names, now),
    ...sqliteSampleKeys(database, names, now),
    ...sqliteOpenRelationships(database, names),
    ...sqliteSearchStore(database, searchFile, names, filler, pending, readRecord, records, options.prefix),
    ...sqliteWholeResults(
      { store: () => new SqliteDatabase(file, cache), index: () => new SqliteDatabase(searchFile.path, cache) },
      options.prefix,
    ),
    ...sqliteSubmissionStore(database, names, now, options.prefix),
    ...sqliteAccountStore(database, names),
    ...sqliteAccountSettings(database, names),
    ...sqliteChangeStore(database, names, now),
    ...sqliteMirrorStore(database, names, filler, now),
    ...sqliteWebhookStore(database, names),
    ...sqliteProfileStore(database, names),
    ...sqliteKeptExports(database, names),
    ...sqliteUsageStore(database),
    ...sqliteUpkeepStore(database, names, now),
    ...sqliteErasingStore(database, names, { file: searchFile, filler }, now),
    now,
    check: async () => {
      database.sql('select 1 from counter').get();
      await requireRoom(dirname(file));
    },
    close: async () => {
      searchFile.close();
      database.close();
    },
  };
}

/** Turning a new file to WAL is refused, not waited for, while another process does the same. */
async function openMigrated(
  file: string,
  scripts: URL,
  options: DatabaseOptions,
  after: (database: SqliteDatabase, run: (sql: string) => void) => void,
): Promise<SqliteDatabase> {
  const deadline = performance.now() + OPEN_PATIENCE_MS;
  for (;;) {
    let database: SqliteDatabase | undefined;
    try {
      database = new SqliteDatabase(file, options);
      const opened = database;
      migrate(opened, scripts, (run) => after(opened, run));
      return database;
    } catch (error) {
      database?.close();
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
