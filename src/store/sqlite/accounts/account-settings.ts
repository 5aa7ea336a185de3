/** What accounts decide about their samples, in SQLite. */
import type { AccountSettingsStore } from '../../../registry/account-settings.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';

export function sqliteAccountSettings(database: SqliteDatabase, names: Names): AccountSettingsStore {
  return {
    accountSettings: async (account) => {
      const row = database
        .sql<{ others_attach: number }>('select others_attach from account where name = ?')
        .get(account);
      return { othersMayAttachData: row?.others_attach === 1 };
    },
    setAccountSettings: (account, { othersMayAttachData }, now) =>
      database.write(() => {
        const id = names.account(account, now);
        database.sql('update account set others_attach = ? where id = ?').run(othersMayAttachData ? 1 : 0, id);
      }),
  };
}
