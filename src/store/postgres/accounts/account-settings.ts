/** What accounts decide about their samples, in PostgreSQL. */
import type { AccountSettingsStore } from '../../../registry/account-settings.js';
import type { PostgresDatabase } from '../database.js';
import type { Names } from '../samples/names.js';

export function postgresAccountSettings(database: PostgresDatabase, names: Names): AccountSettingsStore {
  return {
    accountSettings: async (account) => {
      const row = await database.one<{ others_attach: boolean }>('select others_attach from account where name = $1', [
        account,
      ]);
      return { othersMayAttachData: row?.others_attach === true };
    },
    setAccountSettings: async (account, { othersMayAttachData }, now) => {
      await database.write(
        async (session) => {
          const id = await names.accountWithin(session, account, now);
          await session.run('update account set others_attach = $2 where id = $1', [id, othersMayAttachData]);
        },
        { repeatable: true },
      );
    },
  };
}
