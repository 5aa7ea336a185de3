/** Writing tables anew, so that nothing is left of rows that were overwritten. */

import { type PostgresDatabase, Session } from './database.js';
import { translate } from './failures.js';

/**
 * One table after the other, each of which nobody reads or writes meanwhile.
 * @throws Error behind a pooler, which serves transactions only; RegistryError service.unavailable where others hold a table for long
 */
export async function vacuumTables(database: PostgresDatabase, tables: readonly string[]): Promise<void> {
  const connections = database.connect(1, { statement_timeout: '0' });
  try {
    const client = await connections.connect();
    try {
      if (!connections.keepsSessions)
        throw new Error('A pooler cannot write tables anew: give this command the address of the server itself.');
      const session = new Session(client, { unhurried: true });
      for (const table of tables) await session.run(`vacuum full ${table}`);
    } finally {
      client.release();
    }
  } catch (error) {
    throw translate(error);
  } finally {
    await connections.end();
  }
}
