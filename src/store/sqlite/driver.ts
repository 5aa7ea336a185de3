/**
 * better-sqlite3 in the version that the running Node can use (docs/decisions/0074): 13 from Node 22 on, where 12 ends
 * the process when a worker thread ends; 12 on Node 20, where 13 crashes as it is loaded. The other is never loaded.
 */
import { createRequire } from 'node:module';
import type BetterSqlite from 'better-sqlite3';

const FIRST_NODE_OF_13 = 22;

/** Which package drives SQLite under this major version of Node. */
export const driverFor = (nodeMajor: number): string =>
  nodeMajor >= FIRST_NODE_OF_13 ? 'better-sqlite3-13' : 'better-sqlite3';

function load(): typeof BetterSqlite {
  const name = driverFor(Number.parseInt(process.versions.node, 10));
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    throw new Error(
      `Node ${process.version} needs the package ${name}, which is not installed for it: run npm ci with this Node, without --omit=optional.`,
      { cause: error },
    );
  }
}

const Database: typeof BetterSqlite = load();
/** The types that stand beside the constructor in the package too. */
declare namespace Database {
  type Database = BetterSqlite.Database;
  type Statement<Parameters extends unknown[], Row> = BetterSqlite.Statement<Parameters, Row>;
}
export default Database;
