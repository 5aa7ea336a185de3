/** A store as of one moment, as a file that can be carried elsewhere, and back. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeFolderNow, syncFolder, syncNow } from '../durable-names.js';
import Database from './sqlite/driver.js';

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
  syncNow(target);
  await syncFolder(folder);
}

/** @throws Error when there is a store already: nothing is ever overwritten */
export async function restoreSnapshot(folder: string, url: string): Promise<void> {
  const kind = kindOfStore(url);
  const source = join(folder, FILES[kind]);
  if (!existsSync(source)) throw new Error(`${folder} holds no snapshot of a ${kind} store.`);
  if (kind === 'sqlite') {
    const target = resolve(url.slice('sqlite:'.length));
    if (existsSync(target)) throw new Error(`There is a store at ${target} already; nothing was changed.`);
    makeFolderNow(dirname(target));
    // Half a copy must not look like a store.
    await copyFile(source, `${target}.part`);
    syncNow(`${target}.part`);
    await rename(`${target}.part`, target);
    await syncFolder(dirname(target));
  } else {
    await restoreDump(source, url);
  }
}

/** The schema is made here, so that a dump of `public` finds it made and an unknown one is not needed. */
async function restoreDump(source: string, url: string): Promise<void> {
  const env = connection(url);
  const schema = schemaOf(url);
  const { stdout } = await run('pg_restore', ['--list', source], { env });
  const entries = stdout.split('\n');
  const of = entries.map((line) => / SCHEMA - (\S+) /.exec(line)?.[1]).find((name) => name !== undefined);
  if (of !== undefined && of !== schema) {
    throw new Error(`The backup is of the schema ${of}; add ?schema=${of} to STORE_URL.`);
  }
  await makeEmptySchema(url, schema);
  const list = `${source}.list`;
  await writeFile(list, entries.filter((line) => !/ SCHEMA - /.test(line)).join('\n'));
  const what = [
    '--exit-on-error',
    '--single-transaction',
    '--no-owner',
    `--use-list=${list}`,
    `--dbname=${databaseOf(url)}`,
  ];
  await run('pg_restore', [...what, source], { env }).finally(() => rm(list));
}

async function makeEmptySchema(url: string, schema: string): Promise<void> {
  const { default: pg } = await import('pg');
  const address = new URL(url);
  for (const own of ['schema', 'pool']) address.searchParams.delete(own);
  const client = new pg.Client(address.href);
  await client.connect();
  try {
    const there = await client.query('select 1 from pg_tables where schemaname = $1 limit 1', [schema]);
    if (there.rowCount) throw new Error(`There are tables in the schema ${schema} already; nothing was changed.`);
    await client.query(`create schema if not exists ${client.escapeIdentifier(schema)}`);
  } finally {
    await client.end();
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
