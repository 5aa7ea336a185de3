/** A store as of one moment, as a file that can be carried elsewhere, and back. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';

const run = promisify(execFile);

export type StoreKind = 'sqlite' | 'postgres';

const FILES: Record<StoreKind, string> = { sqlite: 'registry.db', postgres: 'registry.dump' };

export const kindOfStore = (url: string): StoreKind => (url.startsWith('sqlite:') ? 'sqlite' : 'postgres');

/**
 * Writes the snapshot into the folder. Of SQLite: one read transaction, so ingest goes on meanwhile and whatever it
 * commits is not in it. Of PostgreSQL: pg_dump, which must be installed.
 */
export async function snapshotStore(url: string, folder: string): Promise<void> {
  const kind = kindOfStore(url);
  const target = join(folder, FILES[kind]);
  if (kind === 'sqlite') {
    const source = resolve(url.slice('sqlite:'.length));
    if (!existsSync(source)) throw new Error(`There is no store at ${source}.`);
    const database = new Database(source, { readonly: true, fileMustExist: true });
    database.prepare('vacuum into ?').run(target);
    database.close();
  } else {
    await run('pg_dump', ['--format=custom', `--schema=${schemaOf(url)}`, `--file=${target}`], {
      env: connection(url),
    });
  }
  await syncFile(target);
  await syncFile(folder);
}

/** @throws Error when there is a store already: nothing is ever overwritten */
export async function restoreSnapshot(folder: string, url: string): Promise<void> {
  const kind = kindOfStore(url);
  const source = join(folder, FILES[kind]);
  if (!existsSync(source)) throw new Error(`${folder} holds no snapshot of a ${kind} store.`);
  if (kind === 'sqlite') {
    const target = resolve(url.slice('sqlite:'.length));
    if (existsSync(target)) throw new Error(`There is a store at ${target} already; nothing was changed.`);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
    await syncFile(target);
    await syncFile(dirname(target));
  } else {
    await run('pg_restore', ['--exit-on-error', '--single-transaction', `--dbname=${databaseOf(url)}`, source], {
      env: connection(url),
    });
  }
}

const schemaOf = (url: string): string => new URL(url).searchParams.get('schema') ?? 'public';
const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

/** In the environment and not among the arguments, which every user of the machine can see. */
function connection(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password } = new URL(url);
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    PGHOST: hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseOf(url),
  };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync();
  await file.close();
}
