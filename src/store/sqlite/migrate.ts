/** Brings a SQLite file to the newest schema: `NNNN_name.sql` in order of their numbers, each exactly once. */
import { readdirSync, readFileSync } from 'node:fs';
import type { SqliteDatabase } from './database.js';

type Run = (sql: string) => void;

/**
 * Safe when several processes open the file at once: the number of the last script run is read and written inside one
 * immediate transaction with the scripts, and with what comes `after` them. `folder` holds the scripts beside this file, as built and as source.
 */
export function migrate(database: SqliteDatabase, folder: URL, after: (run: Run) => void = () => undefined): void {
  const scripts = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();
  const newest = Number(scripts.at(-1)?.slice(0, 4) ?? 0);
  // The newest schema is not asked for the write lock: another process may hold it, frozen.
  if (database.version() === newest) return;
  database.migrate((run, version) => {
    if (version > newest) {
      throw new Error(`the store has schema ${version}, this program knows ${newest}: start the newer program`);
    }
    for (const name of scripts) {
      const number = Number(name.slice(0, 4));
      if (number > version) {
        run(readFileSync(new URL(name, folder), 'utf8'));
        run(`pragma user_version = ${number}`);
      }
    }
    after(run);
  });
}
