import type { UsageStore } from '../../limits/usage-store.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

export function sqliteUsageStore(database: SqliteDatabase, names: Names): UsageStore {
  return {
    usage: async (account, since) => {
      const number = names.findAccount(account);
      if (number === undefined) return { submissions: 0, bytes: 0, waiting: 0 };
      const sent = database
        .sql<{ submissions: number; bytes: number }>(
          `select count(*) as submissions, coalesce(sum(file_size +
             coalesce(json_extract(options, '$.readAs.packed'), json_extract(options, '$.readAs.bytes'), 0)), 0) as bytes
           from submission where account = ? and created >= ?`,
        )
        .get(number, since);
      const waiting = database
        .sql<{ n: number }>(
          `select count(*) as n from submission where state = 'ACTIVE' and lane in ('small', 'large') and account = ?`,
        )
        .get(number);
      return { submissions: sent?.submissions ?? 0, bytes: sent?.bytes ?? 0, waiting: waiting?.n ?? 0 };
    },
  };
}
