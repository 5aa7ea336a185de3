/** Accounts and tokens in PostgreSQL. */
import type { Account, AccountStore, Scope, TokenRecord } from '../../auth/account-store.js';
import { RegistryError } from '../../registry/errors.js';
import type { PostgresDatabase } from './database.js';
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
  revoked: boolean;
}

const TOKENS = `select t.id, a.name as account, t.name, t.scopes, t.created, t.expires, t.last_used, t.revoked
  from token t join account a on a.id = t.account`;

export function postgresAccountStore(database: PostgresDatabase, names: Names): AccountStore {
  const touched = new Map<string, number>();
  const findAccount = async (name: string): Promise<Account | undefined> => {
    const row = await database.one<AccountRow>('select name, password_hash, created from account where name = $1', [
      name,
    ]);
    return row && readAccount(row);
  };
  return {
    ensureAccount: async (name, now) => {
      await names.account(name, now);
      return (await findAccount(name)) as Account;
    },
    findAccount,
    countAccounts: async () => (await database.one<{ n: number }>('select count(*) as n from account'))?.n ?? 0,
    setPassword: async (name, passwordHash) => {
      const changed = await database.run('update account set password_hash = $2 where name = $1', [name, passwordHash]);
      if (changed === 0) throw noAccount(name);
    },
    addToken: async (token, hash) => {
      const account = await names.findAccount(token.account);
      if (account === undefined) throw noAccount(token.account);
      await database.run(
        `insert into token (id, account, name, scopes, hash, created, expires) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (hash) do nothing`,
        [token.id, account, token.name, JSON.stringify(token.scopes), hash, token.created, token.expires ?? null],
      );
    },
    findToken: async (hash) => {
      const row = await database.one<TokenRow>(`${TOKENS} where t.hash = $1`, [hash]);
      return row && readToken(row);
    },
    listTokens: async (account) => {
      const order = 'order by t.created desc, t.seq desc';
      const rows =
        account === undefined
          ? await database.rows<TokenRow>(`${TOKENS} ${order}`)
          : await database.rows<TokenRow>(`${TOKENS} where a.name = $1 ${order}`, [account]);
      return rows.map(readToken);
    },
    revokeToken: async (id, account) => {
      const changed =
        account === undefined
          ? await database.run('update token set revoked = true where id = $1', [id])
          : await database.run(
              'update token set revoked = true where id = $1 and account = (select id from account where name = $2)',
              [id, account],
            );
      return changed > 0;
    },
    touchToken: async (id, now) => {
      if (now - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
      if (touched.size >= TOUCHED_KEPT) touched.clear();
      touched.set(id, now);
      await database.run('update token set last_used = greatest(coalesce(last_used, 0), $2) where id = $1', [id, now]);
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
  revoked: row.revoked,
});

const noAccount = (name: string): RegistryError =>
  new RegistryError('not-found', `There is no account "${name}"; make it first.`);
