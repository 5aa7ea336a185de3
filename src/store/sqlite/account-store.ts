/** Accounts and tokens in SQLite. */
import type { Account, AccountStore, Scope, TokenRecord } from '../../auth/account-store.js';
import { RegistryError } from '../../registry/errors.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

/** A token used by every request is written down once a minute. */
const TOUCH_EVERY_MS = 60_000;
const TOUCHED_KEPT = 10_000;

interface AccountRow {
  name: string;
  password_hash: string | null;
  created: number;
}

interface TokenRow {
  id: string;
  account: string;
  name: string;
  scopes: string;
  created: number;
  expires: number | null;
  last_used: number | null;
  revoked: number;
}

const TOKENS = `select t.id, a.name as account, t.name, t.scopes, t.created, t.expires, t.last_used, t.revoked
  from token t join account a on a.id = t.account`;

export function sqliteAccountStore(database: SqliteDatabase, names: Names): AccountStore {
  const touched = new Map<string, number>();
  const findAccount = (name: string): Account | undefined => {
    const row = database.sql<AccountRow>('select name, password_hash, created from account where name = ?').get(name);
    return row && readAccount(row);
  };
  return {
    ensureAccount: async (name, now) => {
      const known = findAccount(name);
      if (known) return known;
      return database.write(() => {
        names.account(name, now);
        return findAccount(name) as Account;
      });
    },
    findAccount: async (name) => findAccount(name),
    countAccounts: async () => database.sql<{ n: number }>('select count(*) as n from account').get()?.n ?? 0,
    setPassword: async (name, passwordHash) => {
      const { changes } = await database.write(() =>
        database.sql('update account set password_hash = ? where name = ?').run(passwordHash, name),
      );
      if (changes === 0) throw noAccount(name);
    },
    addToken: async (token, hash) =>
      database.write(() => {
        const account = names.findAccount(token.account);
        if (account === undefined) throw noAccount(token.account);
        database
          .sql(
            `insert into token (id, account, name, scopes, hash, created, expires) values (?, ?, ?, ?, ?, ?, ?)
             on conflict (hash) do nothing`,
          )
          .run(token.id, account, token.name, JSON.stringify(token.scopes), hash, token.created, token.expires ?? null);
      }),
    findToken: async (hash) => {
      const row = database.sql<TokenRow>(`${TOKENS} where t.hash = ?`).get(hash);
      return row && readToken(row);
    },
    listTokens: async (account) => {
      const order = 'order by t.created desc, t.rowid desc';
      const rows =
        account === undefined
          ? database.sql<TokenRow>(`${TOKENS} ${order}`).all()
          : database.sql<TokenRow>(`${TOKENS} where a.name = ? ${order}`).all(account);
      return rows.map(readToken);
    },
    revokeToken: async (id, account) => {
      const { changes } = await database.write(() =>
        account === undefined
          ? database.sql('update token set revoked = 1 where id = ?').run(id)
          : database
              .sql('update token set revoked = 1 where id = ? and account = (select id from account where name = ?)')
              .run(id, account),
      );
      return changes > 0;
    },
    touchToken: async (id, now) => {
      if (now - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
      if (touched.size >= TOUCHED_KEPT) touched.clear();
      touched.set(id, now);
      await database.write(() =>
        database.sql('update token set last_used = max(coalesce(last_used, 0), ?) where id = ?').run(now, id),
      );
    },
  };
}

const readAccount = ({ name, password_hash, created }: AccountRow): Account => ({
  name,
  ...(password_hash === null ? {} : { passwordHash: password_hash }),
  created,
});

const readToken = (row: TokenRow): TokenRecord => ({
  id: row.id,
  account: row.account,
  name: row.name,
  scopes: JSON.parse(row.scopes) as Scope[],
  created: row.created,
  ...(row.expires === null ? {} : { expires: row.expires }),
  ...(row.last_used === null ? {} : { lastUsed: row.last_used }),
  revoked: row.revoked === 1,
});

const noAccount = (name: string): RegistryError =>
  new RegistryError('not-found', `There is no account "${name}"; make it first.`);
