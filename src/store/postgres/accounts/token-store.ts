/** Tokens in PostgreSQL, with what each was made with. */
import type { NewToken, TokenRecord } from '../../../auth/account-store.js';
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
import type { PostgresDatabase, Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import type { Names } from '../samples/names.js';

const TOKENS = `select t.seq as number, t.id, a.name as account, t.name, t.scopes, t.created, t.expires, t.last_used, t.revoked,
    t.kind, t.parent
  from token t join account a on a.id = t.account`;

const BY_HASH = preparedOnce(`${TOKENS} where t.hash = $1`);
const BY_ID = preparedOnce(`${TOKENS} where t.id = $1`);

const CUTOFF = "case when kind in ('session', 'password') then $1::bigint else $2::bigint end";
const FORGET = `delete from token where coalesce(kind, '') <> 'setting' and
  (expires < ${CUTOFF} or (revoked and greatest(created, last_used) < ${CUTOFF}))`;

export function postgresTokenStore(database: PostgresDatabase, names: Names): TokenStore {
  const touching = touches();
  const findById = (id: string): Promise<TokenRow | undefined> => database.one<TokenRow>(BY_ID, [id]);
  return {
    addToken: (token, hash, proven) =>
      database.write(
        async (session) => {
          const account = requireAccount(token.account, await names.findWithin(session, token.account));
          if (!(await mayBeAdded(session, account, token, proven))) return false;
          await session.run(
            `insert into token (${NEW_TOKEN}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (hash) do nothing`,
            newTokenValues(token, account, hash),
          );
          return true;
        },
        { repeatable: true },
      ),
    findToken: async (hash) => tokenOf(await database.one<TokenRow>(BY_HASH, [hash])),
    findTokenById: async (id) => tokenOf(await findById(id)),
    listTokens: async (account, page) => {
      const last = page?.before === undefined ? undefined : await findById(page.before);
      if (page?.before !== undefined && last === undefined) return [];
      const rows = await database.rows<TokenRow>(
        `${TOKENS} where ${account === undefined ? '$1::text is null' : 'a.name = $1'}
           and ($2::bigint is null or (t.created, t.seq) < ($2, $3::bigint))
           and ($5::bigint is null or (not t.revoked and (t.expires is null or t.expires > $5)))
         order by t.created desc, t.seq desc limit $4`,
        [account ?? null, last?.created ?? null, last?.number ?? null, page?.size ?? null, page?.validAt ?? null],
      );
      return rows.map((row) => tokenOf(row) as TokenRecord);
    },
    revokeToken: (id, account) =>
      database.write(
        async (session) => {
          const row = await session.one<{ id: string }>(
            account === undefined
              ? 'update token set revoked = true where id = $1 returning id'
              : 'update token set revoked = true where id = $1 and account = (select id from account where name = $2) returning id',
            account === undefined ? [id] : [id, account],
          );
          if (row) await endChildren(session, [id], []);
          return row !== undefined;
        },
        { repeatable: true },
      ),
    freeTokensOfOthers: (id) =>
      database.run(
        `update token set parent = null where parent = $1 and not revoked and position('"admin"' in scopes) = 0
         and account <> (select account from token where id = $1)`,
        [id],
      ),
    touchToken: async (id, now) => {
      if (!touching(id, now)) return;
      await database.run('update token set last_used = greatest(coalesce(last_used, 0), $2) where id = $1', [id, now]);
    },
    // When one was revoked is not kept: its last use stands for that.
    forgetTokens: ({ signIns, tokens }) => database.run(FORGET, [signIns, tokens]),
  };
}

/** Locks what it looked at, so that a revocation or a new password comes before or after, never in between. */
async function mayBeAdded(
  session: Session,
  account: number,
  { parent, created }: NewToken,
  proven: { passwordHash: string } | undefined,
): Promise<boolean> {
  if (proven) {
    const row = await session.one('select 1 from account where id = $1 and password_hash = $2 for share', [
      account,
      proven.passwordHash,
    ]);
    if (row === undefined) return false;
  }
  if (parent === undefined) return true;
  const row = await session.one(
    'select 1 from token where id = $1 and not revoked and (expires is null or expires > $2) for share',
    [parent, created],
  );
  return row !== undefined;
}

/** Only inside a write that has locked the account or the token in question. */
export async function endSignIns(
  session: Session,
  account: number,
  { kept, tokensToo }: { kept: string; tokensToo: boolean },
): Promise<void> {
  const keeping = await session.rows<{ id: string }>(
    `with recursive keeping (id) as (
       select $1::text collate "C" union select t.parent from token t join keeping k on t.id = k.id where t.parent is not null)
     select id from keeping`,
    [kept],
  );
  const stay = keeping.map(({ id }) => id);
  const ended = await session.rows<{ id: string }>(
    `update token set revoked = true where account = $1 and ${endedKinds(tokensToo)} and id <> all($2) and not revoked returning id`,
    [account, stay],
  );
  await endChildren(
    session,
    ended.map(({ id }) => id),
    stay,
  );
}

/** Generation by generation: whoever adds a child locks its parent, so that each statement sees the children of the one before. */
async function endChildren(session: Session, parents: string[], kept: string[]): Promise<void> {
  for (let generation = parents; generation.length > 0; ) {
    const rows = await session.rows<{ id: string }>(
      'update token set revoked = true where parent = any($1) and id <> all($2) and not revoked returning id',
      [generation, kept],
    );
    generation = rows.map(({ id }) => id);
  }
}
