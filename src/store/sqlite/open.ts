/** One SQLite file as the store; any number of processes may open it. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreOptions } from '../open.js';
import { sqliteAccountStore } from './account-store.js';
import { isBusy, SqliteDatabase } from './database.js';
import { migrate } from './migrate.js';
import { Names } from './names.js';
import { sqliteSampleStore } from './sample-store.js';
import { sqliteSubmissionStore } from './submission-store.js';
import { sqliteUsageStore } from './usage-store.js';
import { sqliteWebhookStore } from './webhook-store.js';

const OPEN_PATIENCE_MS = 15_000;

/** Opens the file, making it and its folder when they are new, and brings it to the newest schema. */
export async function openSqliteStore(path: string, options: StoreOptions): Promise<Store> {
  const file = resolve(path);
  mkdirSync(dirname(file), { recursive: true });
  const database = await openMigrated(file, options);
  const names = new Names(database);
  const now = options.now ?? Date.now;
  return {
    ...sqliteSampleStore(database, names, now),
    ...sqliteSubmissionStore(database, names, now, options.prefix),
    ...sqliteAccountStore(database, names),
    ...sqliteWebhookStore(database, names),
    ...sqliteUsageStore(database, names),
    check: async () => {
      database.sql('select 1 from counter').get();
    },
    close: async () => database.close(),
  };
}

/** Turning a new file to WAL is refused, not waited for, while another process does the same. */
async function openMigrated(file: string, options: StoreOptions): Promise<SqliteDatabase> {
  const deadline = Date.now() + OPEN_PATIENCE_MS;
  for (;;) {
    let database: SqliteDatabase | undefined;
    try {
      database = new SqliteDatabase(file, options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes });
      migrate(database, new URL('./migrations/', import.meta.url));
      return database;
    } catch (error) {
      database?.close();
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
