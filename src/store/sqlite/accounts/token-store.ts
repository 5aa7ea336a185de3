/** Tokens in SQLite, with what each was made with. */
import type { TokenRecord } from '../../../auth/account-store.js';
import { storageIsDamaged } from '../../failures.js';
import { requireAccount } from '../../rows/account-row.js';
import {
  endedKinds,
  NEW_TOKEN,
  newTokenValues,
  type TokenRow,
  type TokenStore,
  tokenOf,
  touches,
} from '../../rows/token-row.js';
import type { SqliteDatabase } from '../database.js';
import { isWhole } from '../row-checks.js';
import type { Names } from '../samples/names.js';

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
  const tokens = `select t.rowid as number, t.id, a.name as account, t.name, t.scopes, t.created, t.expires, t.last_used,
    t.revoked, t.kind, t.parent,
      ${isWhole(database, 'token', 't')} as whole
  from token t join account a on a.id = t.account`;
  const touching = touches();
  const find = (where: string, value: string): TokenRow | undefined => {
    const row = database.sql<TokenRow & { whole: number }>(`${tokens} where ${where} = ?`).get(value);
    if (row?.whole === 0) throw storageIsDamaged(`Token ${row.id}`);
    return row;
  };
  return {
    addToken: (token, hash, proven) =>
      database.write(() => {
        const account = requireAccount(token.account, names.findAccount(token.account));
        if (token.parent !== undefined && !isValid(find('t.id', token.parent), token.created)) return false;
        if (proven) {
          const row = database
            .sql<{ hash: string }>('select password_hash as hash from account where id = ?')
            .get(account);
          if (row?.hash !== proven.passwordHash) return false;
        }
        database
          .sql(`insert into token (${NEW_TOKEN}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (hash) do nothing`)
          .run(...newTokenValues(token, account, hash));
        return true;
      }),
    findToken: async (hash) => tokenOf(find('t.hash', hash)),
    findTokenById: async (id) => tokenOf(find('t.id', id)),
    listTokens: async (account, page) => {
      const last = page?.before === undefined ? undefined : find('t.id', page.before);
      if (page?.before !== undefined && last === undefined) return [];
      const where = [
        ...(account === undefined ? [] : ['a.name = @account']),
        ...(last === undefined ? [] : ['(t.created, t.rowid) < (@created, @number)']),
        ...(page?.validAt === undefined ? [] : ['t.revoked = 0 and (t.expires is null or t.expires > @validAt)']),
      ].join(' and ');
      return database
        .sql<TokenRow>(`${tokens} ${where && `where ${where}`} order by t.created desc, t.rowid desc limit @size`)
        .all({
          size: page?.size ?? -1,
          ...(account === undefined ? {} : { account }),
          ...(last === undefined ? {} : { created: last.created, number: last.number }),
          ...(page?.validAt === undefined ? {} : { validAt: page.validAt }),
        })
        .map((row) => tokenOf(row) as TokenRecord);
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
      if (!touching(id, now)) return;
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
  database.sql(endAll(`account = @account and ${endedKinds(tokensToo)}`)).run({ account, kept });
}

const isValid = (row: TokenRow | undefined, now: number): boolean =>
  row !== undefined && !row.revoked && (row.expires === null || row.expires > now);
