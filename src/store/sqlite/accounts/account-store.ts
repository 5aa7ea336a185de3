/** Accounts and their passwords in SQLite. */
import type { Account, AccountStore } from '../../../auth/account-store.js';
import { type AccountRow, accountOf, requireAccount, type SummaryRow, summaryOf } from '../../rows/account-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { endSignIns, sqliteTokenStore } from './token-store.js';

const SUMMARY = `select a.name, a.created, a.password_hash, a.password_until,
    (select count(*) from token t where t.account = a.id and t.revoked = 0 and (t.expires is null or t.expires > @now)) as tokens,
    (select max(t.last_used) from token t where t.account = a.id) as last_used
  from account a`;

export function sqliteAccountStore(database: SqliteDatabase, names: Names): AccountStore {
  const findAccount = (name: string): Account | undefined => {
    const row = database
      .sql<AccountRow>('select name, password_hash, password_until, created from account where name = ?')
      .get(name);
    return row && accountOf(row);
  };
  return {
    ...sqliteTokenStore(database, names),
    ensureAccount: async (name, now) => {
      const known = findAccount(name);
      if (known) return known;
      return database.write(() => {
        names.account(name, now);
        return findAccount(name) as Account;
      });
    },
    createAccount: (name, now) =>
      database.write(() => {
        if (findAccount(name)) return false;
        names.account(name, now);
        return true;
      }),
    findAccount: async (name) => findAccount(name),
    countAccounts: async () => database.sql<{ n: number }>('select count(*) as n from account').get()?.n ?? 0,
    listAccounts: async ({ size, after = '', text = '', now }) =>
      database
        .sql<SummaryRow>(
          `${SUMMARY} where a.name > @after and instr(lower(a.name), lower(@text)) > 0 order by a.name limit @size`,
        )
        .all({ now, after, text, size })
        .map(summaryOf),
    findAccountSummary: async (name, now) => {
      const row = database.sql<SummaryRow>(`${SUMMARY} where a.name = @name`).get({ now, name });
      return row && summaryOf(row);
    },
    setPassword: (name, { hash, until, kept, endTokens, proven }) =>
      database.write(() => {
        const account = requireAccount(name, names.findAccount(name));
        const { changes } = database
          .sql(
            `update account set password_hash = @hash, password_until = @until
             where id = @account and (@proven is null or password_hash = @proven)`,
          )
          .run({ account, hash, until: until ?? null, proven: proven ?? null });
        if (changes === 0) return false;
        endSignIns(database, account, { kept: kept ?? '', tokensToo: endTokens === true });
        return true;
      }),
  };
}
