/** Key spaces of accounts in SQLite. */
import { REQUEST_KEYS } from '../../../registry/samples/repeated-requests.js';
import { requireRoomForSpace } from '../../key-room.js';
import type { SqliteDatabase } from '../database.js';
import { requireWhole } from '../row-checks.js';

/** Number of the account's key space, made where it is new; null for none. Only inside a write. */
export function spaceOf(database: SqliteDatabase, account: number, name: string | undefined): number | null {
  const there = name === undefined ? null : findSpace(database, account, name);
  if (name === undefined || there !== undefined) return there ?? null;
  const { n } = database
    .sql<{ n: number }>('select count(*) as n from key_space where account = ? and name <> ?')
    .get(account, REQUEST_KEYS) ?? {
    n: 0,
  };
  requireRoomForSpace(n, name);
  return Number(database.sql('insert into key_space (account, name) values (?, ?)').run(account, name).lastInsertRowid);
}

export const findSpace = (database: SqliteDatabase, account: number, name: string): number | undefined => {
  const row = database
    .sql<{ id: number; account: number; name: string }>('select * from key_space where account = ? and name = ?')
    .get(account, name);
  return row && requireWhole(row, `Key space ${name}`).id;
};
