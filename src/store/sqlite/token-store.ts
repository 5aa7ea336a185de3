/** Tokens in SQLite, with what each was made with. */
import type { AccountStore, Scope, TokenKind, TokenRecord } from '../../auth/account-store.js';
import { BoundedMap } from '../../limits/bounded-map.js';
import { RegistryError } from '../../registry/errors.js';
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

/** A token used by every request is written down once a minute. */
const TOUCH_EVERY_MS = 60_000;
const TOUCHED_KEPT = 10_000;

export type TokenStore = Pick<
  AccountStore,
  | 'addToken'
  | 'findToken'
  | 'findTokenById'
  | 'listTokens'
  | 'revokeToken'
  | 'freeTokensOfOthers'
  | 'touchToken'
  | 'forgetTokens'
>;

interface TokenRow {
  number: number;
  id: string;
  account: string;
  name: string;
  scopes: string;
  created: number;
  expires: number | null;
  last_used: number | null;
  revoked: number;
  kind: TokenKind | null;
  parent: string | null;
}

const TOKENS = `select t.rowid as number, t.id, a.name as account, t.name, t.scopes, t.created, t.expires, t.last_used,
    t.revoked, t.kind, t.parent
  from token t join account a on a.id = t.account`;

/** Ends the tokens that `which` selects and all that was made with them, but for the one kept, what that was made with, and what these made. */
const endAll = (which: string): string => `with recursive keeping (id) as (
    values (@kept) union select t.parent from token t join keeping k on t.id = k.id where t.parent is not null),
  ending (id) as (
    select id from token where ${which} and id not in (select id from keeping)
    union select t.id from token t join ending e on t.parent = e.id where t.id not in (select id from keeping))
  update token set revoked = 1 where id in (select id from ending)`;

const CUTOFF = "case when kind in ('session', 'password') then @signIns else @tokens end";
const FORGET = `delete from token where coalesce(kind, '') <> 'setting' and
  (expires < ${CUTOFF} or (revoked = 1 and max(created, coalesce(last_used, 0)) < ${CUTOFF}))`;

export function sqliteTokenStore(database: SqliteDatabase, names: Names): TokenStore {
  const touched = new BoundedMap<string, number>(TOUCHED_KEPT);
  const find = (where: string, value: string): TokenRow | undefined =>
    database.sql<TokenRow>(`${TOKENS} where ${where} = ?`).get(value);
  return {
    addToken: (token, hash, proven) =>
      database.write(() => {
        const account = names.findAccount(token.account);
        if (account === undefined) {
          throw new RegistryError('not-found', `There is no account "${token.account}"; make it first.`);
        }
        if (token.parent !== undefined && !isValid(find('t.id', token.parent), token.created)) return false;
        if (proven) {
          const row = database
            .sql<{ hash: string }>('select password_hash as hash from account where id = ?')
            .get(account);
          if (row?.hash !== proven.passwordHash) return false;
        }
        const { id, name, scopes, created, expires, kind, parent } = token;
        database
          .sql(
            `insert into token (id, account, name, scopes, hash, created, expires, kind, parent)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (hash) do nothing`,
          )
          .run(id, account, name, JSON.stringify(scopes), hash, created, expires ?? null, kind ?? null, parent ?? null);
        return true;
      }),
    findToken: async (hash) => readToken(find('t.hash', hash)),
    findTokenById: async (id) => readToken(find('t.id', id)),
    listTokens: async (account, page) => {
      const last = page?.before === undefined ? undefined : find('t.id', page.before);
      if (page?.before !== undefined && last === undefined) return [];
      const where = [
        ...(account === undefined ? [] : ['a.name = @account']),
        ...(last === undefined ? [] : ['(t.created, t.rowid) < (@created, @number)']),
        ...(page?.validAt === undefined ? [] : ['t.revoked = 0 and (t.expires is null or t.expires > @validAt)']),
      ].join(' and ');
      return database
        .sql<TokenRow>(`${TOKENS} ${where && `where ${where}`} order by t.created desc, t.rowid desc limit @size`)
        .all({
          size: page?.size ?? -1,
          ...(account === undefined ? {} : { account }),
          ...(last === undefined ? {} : { created: last.created, number: last.number }),
          ...(page?.validAt === undefined ? {} : { validAt: page.validAt }),
        })
        .map((row) => readToken(row) as TokenRecord);
    },
    revokeToken: (id, account) =>
      database.write(() => {
        const row = find('t.id', id);
        if (!row || (account !== undefined && row.account !== account)) return false;
        database.sql(endAll('id = @id')).run({ id, kept: '' });
        return true;
      }),
    freeTokensOfOthers: async (id) => {
      const { changes } = await database.write(() =>
        database
          .sql(
            `update token set parent = null where parent = @id and revoked = 0 and instr(scopes, '"admin"') = 0
             and account <> (select account from token where id = @id)`,
          )
          .run({ id }),
      );
      return changes;
    },
    touchToken: async (id, now) => {
      if (now - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
      touched.set(id, now);
      await database.write(() =>
        database.sql('update token set last_used = max(coalesce(last_used, 0), ?) where id = ?').run(now, id),
      );
    },
    forgetTokens: async ({ signIns, tokens }) => {
      // When one was revoked is not kept: its last use stands for that.
      const { changes } = await database.write(() => database.sql(FORGET).run({ signIns, tokens }));
      return changes;
    },
  };
}

/** Only inside a write. */
export function endSignIns(
  database: SqliteDatabase,
  account: number,
  { kept, tokensToo }: { kept: string; tokensToo: boolean },
): void {
  const kinds = tokensToo ? "coalesce(kind, '') <> 'setting'" : "kind in ('session', 'password')";
  database.sql(endAll(`account = @account and ${kinds}`)).run({ account, kept });
}

const isValid = (row: TokenRow | undefined, now: number): boolean =>
  row !== undefined && row.revoked === 0 && (row.expires === null || row.expires > now);

const readToken = (row: TokenRow | undefined): TokenRecord | undefined =>
  row && {
    id: row.id,
    account: row.account,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    created: row.created,
    ...(row.expires === null ? {} : { expires: row.expires }),
    ...(row.last_used === null ? {} : { lastUsed: row.last_used }),
    revoked: row.revoked === 1,
    ...(row.kind === null ? {} : { kind: row.kind }),
    ...(row.parent === null ? {} : { parent: row.parent }),
  };
