/** Accounts and their passwords in PostgreSQL. */
import type { Account, AccountStore } from '../../../auth/account-store.js';
import { type AccountRow, accountOf, requireAccount, type SummaryRow, summaryOf } from '../../rows/account-row.js';
import type { PostgresDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { endSignIns, postgresTokenStore } from './token-store.js';

const SUMMARY = `select a.name, a.created, a.password_hash, a.password_until,
    (select count(*) from token t where t.account = a.id and not t.revoked and (t.expires is null or t.expires > $1)) as tokens,
    (select max(t.last_used) from token t where t.account = a.id) as last_used
  from account a`;

export function postgresAccountStore(database: PostgresDatabase, names: Names): AccountStore {
  const findAccount = async (name: string): Promise<Account | undefined> => {
    const row = await database.one<AccountRow>(
      'select name, password_hash, password_until, created from account where name = $1',
      [name],
    );
    return row && accountOf(row);
  };
  return {
    ...postgresTokenStore(database, names),
    ensureAccount: async (name, now) => {
      const there = await findAccount(name);
      if (there) return there;
      await database.write((session) => names.accountWithin(session, name, now), { repeatable: true });
      return (await findAccount(name)) as Account;
    },
    createAccount: async (name, now) =>
      database.write(
        async (session) =>
          (await session.run('insert into account (name, created) values ($1, $2) on conflict (name) do nothing', [
            name,
            now,
          ])) > 0,
      ),
    findAccount,
    countAccounts: async () => (await database.one<{ n: number }>('select count(*) as n from account'))?.n ?? 0,
    listAccounts: async ({ size, after = '', text = '', now }) =>
      (
        await database.rows<SummaryRow>(
          `${SUMMARY} where a.name > $2 and position(lower($3) in lower(a.name)) > 0 order by a.name limit $4`,
          [now, after, text, size],
        )
      ).map(summaryOf),
    findAccountSummary: async (name, now) => {
      const row = await database.one<SummaryRow>(`${SUMMARY} where a.name = $2`, [now, name]);
      return row && summaryOf(row);
    },
    setPassword: (name, { hash, until, kept, endTokens, proven }) =>
      database.write(
        async (session) => {
          const row = await session.one<{ id: number; hash: string | null }>(
            'select id, password_hash as hash from account where name = $1 for no key update',
            [name],
          );
          const account = requireAccount(name, row?.id);
          // Its own hash stands there when this is done again because the answer of the first time was lost.
          if (proven !== undefined && row?.hash !== proven && row?.hash !== hash) return false;
          await session.run('update account set password_hash = $2, password_until = $3 where id = $1', [
            account,
            hash,
            until ?? null,
          ]);
          await endSignIns(session, account, { kept: kept ?? '', tokensToo: endTokens === true });
          return true;
        },
        { repeatable: true },
      ),
  };
}
