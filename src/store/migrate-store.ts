/** Moving a registry from one machine to many: everything that a SQLite file holds, into an empty PostgreSQL schema. */
import { RegistryError } from '../registry/errors.js';
import { copyTables, type TableReport } from './copy-tables.js';
import { PostgresDatabase } from './postgres/database.js';
import { openPostgresStore } from './postgres/open.js';
import { openSqliteStore } from './sqlite/open.js';
import { SqliteSource } from './sqlite-source.js';
import type { StoreOptions } from './store.js';

export interface MigrationReport {
  /** What was copied; rows and fingerprints were counted and computed anew from each side and are equal. */
  tables: TableReport[];
  samples: number;
  submissions: number;
}

/**
 * Copies samples with numbers, versions and layouts, curations, structured data, accounts, tokens, submissions, ledgers
 * and webhooks, in one transaction, verified before it is committed: either all of it is there in the end, or nothing.
 * Nobody else may have the source open; it stays as it is. Uploaded files are not moved: point BLOB_URL at
 * them, or copy them. The search index is built anew by the indexer.
 *
 * `from`: `sqlite:PATH`; `to`: `postgres://…` (postgres/open.ts). `onTable` is called when a table is copied.
 * @throws RegistryError request.invalid for other addresses, conflict when the target is not empty or the source
 * is in use, service.unavailable
 */
export async function migrateStore(
  from: string,
  to: string,
  options: StoreOptions & { onTable?: (table: TableReport) => void },
): Promise<MigrationReport> {
  const path = /^sqlite:(.+)$/.exec(from)?.[1];
  if (path === undefined) throw new RegistryError('request.invalid', 'A store is moved from an address sqlite:PATH.');
  if (!/^postgres(ql)?:\/\//.test(to)) {
    throw new RegistryError(
      'request.invalid',
      'A store is moved to an address postgres://…: give it as --to, or as STORE_URL.',
    );
  }
  new SqliteSource(path).close();
  // Opening brings both to their newest form, which the copy relies on.
  await (await openSqliteStore(path, options)).close();
  await (await openPostgresStore(to, options)).close();
  const source = new SqliteSource(path);
  const target = new PostgresDatabase(to);
  try {
    const tables = await copyTables(source, target, options.onTable ?? (() => undefined));
    const rowsOf = (name: string): number => tables.find((table) => table.name === name)?.rows ?? 0;
    return { tables, samples: rowsOf('sample'), submissions: rowsOf('submission') };
  } finally {
    source.close();
    await target.close();
  }
}
