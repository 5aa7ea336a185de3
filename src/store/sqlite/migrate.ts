/**
 * Brings a SQLite file to the newest schema: `NNNN_name.sql` in order of their numbers, each exactly once. A new file has what all
 * of them make at once (docs/decisions/0190).
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { SqliteDatabase } from './database.js';

type Run = (sql: string) => void;

/** What the scripts, and the row checks after them, have made of an empty file, with the number of the last; printed by test/registry/new-files.test.ts. */
export const WHOLE_SCHEMA = 'whole.sql';

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
    const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
    if (version === 0) run(read(WHOLE_SCHEMA));
    const done = database.version();
    if (done === newest) return;
    runScripts(scripts, done, run, read);
    after(run);
  });
}

/** The scripts behind the one of that number, each with its own number written behind it. */
export function runScripts(scripts: readonly string[], done: number, run: Run, read: (name: string) => string): void {
  for (const name of scripts) {
    const number = numberOf(name);
    if (number <= done) continue;
    run(read(name));
    run(`pragma user_version = ${number}`);
  }
}

export const scriptsOf = (folder: URL): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort();

/** The schema to which a script brings the store. */
const numberOf = (script = '0'): number => Number(script.slice(0, 4));

/** The schema that this program knows. */
export const newestOf = (folder: URL): number => numberOf(scriptsOf(folder).at(-1));

export const startTheNewer = (version: number, newest: number): string =>
  `the store has schema ${version}, this program knows ${newest}: start the newer program`;
