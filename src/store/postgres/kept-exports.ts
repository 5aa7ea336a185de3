/** Kept whole results in PostgreSQL. */
import type { KeptExportStore } from '../../registry/search/kept-export-store.js';
import { keptExports } from '../rows/kept-export-row.js';
import type { PostgresDatabase } from './database.js';
import type { Names } from './samples/names.js';

/** They are changed one at a time, so that what a statement counts is so until it is committed. */
const KEEPING = 7_263_405;

export const postgresKeptExports = (database: PostgresDatabase, names: Names): KeptExportStore =>
  keptExports({
    rows: (sql, values) => database.rows(sql, [...values]),
    write: (sql, values) =>
      database.write(async (session) => {
        await session.run('select pg_advisory_xact_lock($1)', [KEEPING]);
        return session.rows(sql, [...values]);
      }),
    ensureAccount: async (name, now) => {
      await database.write((session) => names.accountWithin(session, name, now), { repeatable: true });
    },
  });
