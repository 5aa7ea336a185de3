import type { UsageStore } from '../../limits/usage-store.js';
import type { PostgresDatabase } from './database.js';
import type { Names } from './names.js';

export function postgresUsageStore(database: PostgresDatabase, names: Names): UsageStore {
  return {
    usage: async (account, since) => {
      const number = await names.findAccount(account);
      const none = { submissions: 0, bytes: 0, waiting: 0 };
      if (number === undefined) return none;
      const row = await database.one<{ submissions: number; bytes: number; waiting: number }>(
        `select count(*) as submissions, coalesce(sum(file_size +
             coalesce(options::json -> 'readAs' ->> 'packed', options::json -> 'readAs' ->> 'bytes', '0')::bigint), 0)::bigint as bytes,
           (select count(*) from submission where state = 'ACTIVE' and lane in ('small', 'large') and account = $1) as waiting
         from submission where account = $1 and created >= $2`,
        [number, since],
      );
      return row ?? none;
    },
  };
}
