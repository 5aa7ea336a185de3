import type { Sent, UsageStore } from '../../../limits/usage-store.js';
import type { SqliteDatabase } from '../database.js';

const OF_ACCOUNT = 'account = (select id from account where name = ?)';

export const sqliteUsageStore = (database: SqliteDatabase): UsageStore => ({
  sentSince: async (account, since) =>
    database
      .sql<Sent>(
        `select count(*) as submissions, coalesce(sum(file_size +
             coalesce(json_extract(options, '$.readAs.packed'), json_extract(options, '$.readAs.bytes'), 0)), 0) as bytes
           from submission where ${OF_ACCOUNT} and created >= ?`,
      )
      .get(account, since) as Sent,
  countWaiting: async (account) =>
    database
      .sql<{ waiting: number }>(
        `select count(*) as waiting from submission where state = 'ACTIVE' and lane in ('small', 'large') and ${OF_ACCOUNT}`,
      )
      .get(account)?.waiting ?? 0,
});
