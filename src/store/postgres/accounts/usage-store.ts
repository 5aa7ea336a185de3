import type { Sent, UsageStore } from '../../../limits/usage-store.js';
import type { PostgresDatabase } from '../database.js';

const OF_ACCOUNT = 'account = (select id from account where name = $1)';

export const postgresUsageStore = (database: PostgresDatabase): UsageStore => ({
  sentSince: (account, since) =>
    database.one<Sent>(
      `select count(*) as submissions, coalesce(sum(file_size +
             coalesce(options::json -> 'readAs' ->> 'packed', options::json -> 'readAs' ->> 'bytes', '0')::bigint), 0)::bigint as bytes
         from submission where ${OF_ACCOUNT} and created >= $2`,
      [account, since],
    ) as Promise<Sent>,
  countWaiting: async (account) => {
    const counted = await database.one<{ waiting: number }>(
      `select count(*) as waiting from submission where state = 'ACTIVE' and lane in ('small', 'large') and ${OF_ACCOUNT}`,
      [account],
    );
    return counted?.waiting ?? 0;
  },
});
