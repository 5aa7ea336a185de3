/** Kept whole results in SQLite. */
import type { KeptExportStore } from '../../../registry/search/kept-export-store.js';
import { keptExports } from '../../rows/kept-export-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';

export function sqliteKeptExports(database: SqliteDatabase, names: Names): KeptExportStore {
  const all = <Row>(sql: string, values: readonly unknown[]): Row[] =>
    database.sql<Row>(sql).all(...(values.length === 0 ? [] : [byName(values)]));
  return keptExports({
    rows: async (sql, values) => all(sql, values),
    write: (sql, values) => database.write(() => all(sql, values)),
    ensureAccount: async (name, now) => {
      if (names.findAccount(name) === undefined) await database.write(() => names.account(name, now));
    },
  });
}

/** SQLite takes `$1` for a name. */
const byName = (values: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(values.map((value, at) => [String(at + 1), value]));
