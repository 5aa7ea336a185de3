/** Import profiles in SQLite. */
import { KEPT_VERSIONS, type ProfileStore, REMEMBERED_NAMES } from '../../../profiles/profile-store.js';
import {
  decideKeep,
  decideRemove,
  type KeptRow,
  type Present,
  type ProfileRow,
  profileOf,
} from '../../rows/profile-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';

const ROWS = `select p.*, a.name as account from import_profile p join account a on a.id = p.account`;
const NEWEST = `p.version = (select max(v.version) from import_profile v where v.account = p.account and v.name = p.name)`;

export function sqliteProfileStore(database: SqliteDatabase, names: Names): ProfileStore {
  return {
    listProfiles: async (account) =>
      database
        .sql<ProfileRow>(
          `${ROWS} where (a.name = @account or p.shared = 1) and p.removed is null and ${NEWEST} order by a.name <> @account, p.name`,
        )
        .all({ account })
        .map(profileOf),

    findProfile: async (account, name, version) => {
      const [found] = database
        .sql<ProfileRow>(
          `${ROWS} where p.name = @name and (a.name = @account or p.shared = 1) and p.removed is null
             and (@version is null or p.version = @version) order by a.name <> @account, p.version desc limit 1`,
        )
        .all({ account, name, version: version ?? null })
        .map(profileOf);
      return found;
    },

    keepProfile: (profile) =>
      database.write(() => {
        const { name } = profile;
        const id = names.account(profile.account, profile.now);
        const newest = newestOf(id, name);
        const beside = database
          .sql<Present['beside']>(
            `select count(*) as names, coalesce(sum(length(p.document)), 0) as characters from import_profile p
             where p.account = ? and p.name <> ? and p.removed is null and ${NEWEST}`,
          )
          .get(id, name) as Present['beside'];
        const sharedElsewhere = database
          .sql('select 1 from import_profile where name = ? and shared = 1 and account <> ? and removed is null')
          .get(name, id);
        const { answer, writes } = decideKeep(profile, {
          newest,
          beside,
          sharedElsewhere: sharedElsewhere !== undefined,
        });
        if (writes) write(id, writes);
        return answer;
      }),

    removeProfile: (which, now) =>
      database.write(() => {
        const { account, name } = which;
        const id = names.findAccount(account) ?? -1;
        const answer = decideRemove(which, newestOf(id, name));
        if (answer === 'removed') {
          database
            .sql('update import_profile set removed = ?, shared = 0 where account = ? and name = ? and removed is null')
            .run(now, id, name);
        }
        return answer;
      }),
  };

  function newestOf(id: number, name: string): ProfileRow | undefined {
    return database
      .sql<ProfileRow>(`${ROWS} where p.account = ? and p.name = ? order by p.version desc limit 1`)
      .get(id, name);
  }

  function write(id: number, { row, insert }: KeptRow): void {
    const { name, version, document, created } = row;
    if (insert) {
      database
        .sql('insert into import_profile (account, name, version, document, created) values (?, ?, ?, ?, ?)')
        .run(id, name, version, document, created);
    }
    database
      .sql('update import_profile set shared = ?, removed = null where account = ? and name = ?')
      .run(row.shared ? 1 : 0, id, name);
    database
      .sql('delete from import_profile where account = ? and name = ? and version <= ?')
      .run(id, name, version - KEPT_VERSIONS);
    database
      .sql(
        `delete from import_profile where account = @id and removed is not null and name not in (
           select name from import_profile where account = @id and removed is not null
           group by name order by max(removed) desc limit @most)`,
      )
      .run({ id, most: REMEMBERED_NAMES });
  }
}
