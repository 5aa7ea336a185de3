/** Brings a SQLite file to the newest schema: `NNNN_name.sql` in order of their numbers, each exactly once. */
import { readdirSync, readFileSync } from 'node:fs';
import type { SqliteDatabase } from './database.js';

type Run = (sql: string) => void;

/**
 * Safe when several processes open the file at once: the number of the last script run is read and written inside one
 * immediate transaction with the scripts, and with what comes `after` them. `folder` holds the scripts beside this file, as built and as source.
 */
export function migrate(database: SqliteDatabase, folder: URL, after: (run: Run) => void = () => undefined): void {
  const scripts = scriptsOf(folder);
  const newest = numberOf(scripts.at(-1));
  // The newest schema is not asked for the write lock: another process may hold it, frozen.
  if (database.version() === newest) return;
  database.migrate((run, version) => {
    if (version > newest) {
      throw new Error(startTheNewer(version, newest));
    }
    for (const name of scripts) {
      const number = numberOf(name);
      if (number > version) {
        run(readFileSync(new URL(name, folder), 'utf8'));
        run(`pragma user_version = ${number}`);
      }
    }
    after(run);
  });
}

const scriptsOf = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();

/** The schema to which a script brings the store. */
const numberOf = (script = '0'): number => Number(script.slice(0, 4));

/** The schema that this program knows. */
export const newestOf = (folder: URL): number => numberOf(scriptsOf(folder).at(-1));

export const startTheNewer = (version: number, newest: number): string =>
  `the store has schema ${version}, this program knows ${newest}: start the newer program`;
