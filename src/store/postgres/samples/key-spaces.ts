/** Key spaces of accounts in PostgreSQL. */
import { REQUEST_KEYS } from '../../../registry/samples/repeated-requests.js';
import { requireRoomForSpace } from '../../key-room.js';
import type { PostgresDatabase, Session } from '../database.js';

/** Number of the account's key space, made where it is new; null for none. */
export async function spaceOf(session: Session, account: number, name: string | undefined): Promise<number | null> {
  if (name === undefined) return null;
  const there = await findSpace(session, account, name);
  if (there !== undefined) return there;
  const present = await session.one<{ n: number }>(
    'select count(*) as n from key_space where account = $1 and name <> $2',
    [account, REQUEST_KEYS],
  );
  requireRoomForSpace(present?.n ?? 0, name);
  await session.run('insert into key_space (account, name) values ($1, $2) on conflict (account, name) do nothing', [
    account,
    name,
  ]);
  return (await findSpace(session, account, name)) ?? null;
}

export const findSpace = async (
  reader: Pick<PostgresDatabase | Session, 'one'>,
  account: number,
  name: string,
): Promise<number | undefined> =>
  (await reader.one<{ id: number }>('select id from key_space where account = $1 and name = $2', [account, name]))?.id;
