/** Accounts and their passwords in SQLite. */
import type { Account, AccountStore, AccountSummary } from '../../auth/account-store.js';
import { RegistryError } from '../../registry/errors.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';
import { endSignIns, sqliteTokenStore } from './token-store.js';

interface AccountRow {
  name: string;
  password_hash: string | null;
  password_until: number | null;
  created: number;
}

type SummaryRow = AccountRow & { tokens: number; last_used: number | null };

const SUMMARY = `select a.name, a.created, a.password_hash, a.password_until,
    (select count(*) from token t where t.account = a.id and t.revoked = 0 and (t.expires is null or t.expires > @now)) as tokens,
    (select max(t.last_used) from token t where t.account = a.id) as last_used
  from account a`;

export function sqliteAccountStore(database: SqliteDatabase, names: Names): AccountStore {
  const findAccount = (name: string): Account | undefined => {
    const row = database
      .sql<AccountRow>('select name, password_hash, password_until, created from account where name = ?')
      .get(name);
    return row && readAccount(row);
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
        .map(readSummary),
    findAccountSummary: async (name, now) => {
      const row = database.sql<SummaryRow>(`${SUMMARY} where a.name = @name`).get({ now, name });
      return row && readSummary(row);
    },
    setPassword: (name, { hash, until, kept, endTokens }) =>
      database.write(() => {
        const account = names.findAccount(name);
        if (account === undefined) throw noAccount(name);
        database
          .sql('update account set password_hash = ?, password_until = ? where id = ?')
          .run(hash, until ?? null, account);
        endSignIns(database, account, { kept: kept ?? '', tokensToo: endTokens === true });
      }),
  };
}

const readAccount = ({ name, password_hash, password_until, created }: AccountRow): Account => ({
  name,
  ...(password_hash === null ? {} : { passwordHash: password_hash }),
  ...(password_until === null ? {} : { passwordUntil: password_until }),
  created,
});

const readSummary = (row: SummaryRow): AccountSummary => ({
  name: row.name,
  created: row.created,
  password: row.password_hash === null ? 'none' : row.password_until === null ? 'set' : 'one-time',
  tokens: row.tokens,
  ...(row.last_used === null ? {} : { lastUsed: row.last_used }),
});

const noAccount = (name: string): RegistryError =>
  new RegistryError('not-found', `There is no account "${name}"; make it first.`);
