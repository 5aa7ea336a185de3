/** Import profiles in SQLite. */
import { KEPT_VERSIONS, type ProfileStore, REMEMBERED_NAMES } from '../../../profiles/profile-store.js';
import { decideKeep, type KeptRow, type Present, type ProfileRow, profileOf } from '../../rows/profile-row.js';
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
        const newest = database
          .sql<ProfileRow>(`${ROWS} where p.account = ? and p.name = ? order by p.version desc limit 1`)
          .get(id, name);
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

    removeProfile: ({ account, name, admin }, now) =>
      database.write(() => {
        const here = 'account = @id and name = @name and removed is null';
        const id = names.findAccount(account) ?? -1;
        const { changes } = database
          .sql(`update import_profile set removed = @now, shared = 0 where ${here} and (shared = 0 or @admin = 1)`)
          .run({ now, id, name, admin: admin ? 1 : 0 });
        if (changes > 0) return 'removed';
        return database.sql(`select 1 from import_profile where ${here} limit 1`).get({ id, name }) ? 'shared' : 'none';
      }),
  };

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
