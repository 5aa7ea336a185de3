/** Import profiles in PostgreSQL. */
import { KEPT_VERSIONS, type ProfileStore, REMEMBERED_NAMES } from '../../../profiles/profile-store.js';
import {
  decideKeep,
  decideRemove,
  type KeptRow,
  type Present,
  type ProfileRow,
  profileOf,
} from '../../rows/profile-row.js';
import type { PostgresDatabase, Session } from '../database.js';
import type { Names } from '../samples/names.js';

const ROWS = `select a.name as account, p.name, p.version, p.shared, p.document, p.created, p.removed
  from import_profile p join account a on a.id = p.account`;
const NEWEST = `p.version = (select max(v.version) from import_profile v where v.account = p.account and v.name = p.name)`;
/** One is kept at a time, so that no two accounts share one name and no account has too many. */
const KEEPING = 7_263_404;

export function postgresProfileStore(database: PostgresDatabase, names: Names): ProfileStore {
  return {
    listProfiles: async (account) => {
      const rows = await database.rows<ProfileRow>(
        `${ROWS} where (a.name = $1 or p.shared) and p.removed is null and ${NEWEST} order by a.name <> $1, p.name`,
        [account],
      );
      return rows.map(profileOf);
    },

    findProfile: async (account, name, version) => {
      const row = await database.one<ProfileRow>(
        `${ROWS} where p.name = $2 and (a.name = $1 or p.shared) and p.removed is null
           and ($3::int is null or p.version = $3) order by a.name <> $1, p.version desc limit 1`,
        [account, name, version ?? null],
      );
      return row && profileOf(row);
    },

    keepProfile: (profile) => {
      const { account, name } = profile;
      return database.write(
        async (session) => {
          await session.run('select pg_advisory_xact_lock($1)', [KEEPING]);
          const id = await names.accountWithin(session, account, profile.now);
          const newest = await newestOf(session, account, name);
          const beside = (await session.one<Present['beside']>(
            `select count(*)::int as names, coalesce(sum(length(p.document)), 0)::int as characters from import_profile p
             where p.account = $1 and p.name <> $2 and p.removed is null and ${NEWEST}`,
            [id, name],
          )) as Present['beside'];
          const elsewhere = await session.one(
            'select 1 from import_profile where name = $1 and shared and account <> $2 and removed is null limit 1',
            [name, id],
          );
          const { answer, writes } = decideKeep(profile, {
            newest,
            beside,
            sharedElsewhere: elsewhere !== undefined,
          });
          if (writes) await write(session, id, writes);
          return answer;
        },
        { repeatable: true },
      );
    },

    removeProfile: (which, now) =>
      database.write(
        async (session) => {
          const { account, name } = which;
          await session.run('select pg_advisory_xact_lock($1)', [KEEPING]);
          const answer = decideRemove(which, await newestOf(session, account, name));
          if (answer === 'removed') {
            await session.run(
              `update import_profile set removed = $3, shared = false
               where account = (select id from account where name = $1) and name = $2 and removed is null`,
              [account, name, now],
            );
          }
          return answer;
        },
        { repeatable: true },
      ),
  };
}

function newestOf(session: Session, account: string, name: string): Promise<ProfileRow | undefined> {
  return session.one<ProfileRow>(`${ROWS} where a.name = $1 and p.name = $2 order by p.version desc limit 1`, [
    account,
    name,
  ]);
}

async function write(session: Session, id: number, { row, insert }: KeptRow): Promise<void> {
  const { name, version } = row;
  if (insert) {
    await session.run(
      'insert into import_profile (account, name, version, document, created) values ($1, $2, $3, $4, $5)',
      [id, name, version, row.document, row.created],
    );
  }
  await session.run('update import_profile set shared = $3, removed = null where account = $1 and name = $2', [
    id,
    name,
    Boolean(row.shared),
  ]);
  await session.run('delete from import_profile where account = $1 and name = $2 and version <= $3', [
    id,
    name,
    version - KEPT_VERSIONS,
  ]);
  await session.run(
    `delete from import_profile where account = $1 and removed is not null and name not in (
       select name from import_profile where account = $1 and removed is not null
       group by name order by max(removed) desc limit $2)`,
    [id, REMEMBERED_NAMES],
  );
}
