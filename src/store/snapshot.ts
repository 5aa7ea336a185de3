/** A store as of one moment, as a file that can be carried elsewhere, and back. */
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Client } from 'pg';
import { makeFolderNow, syncFolder, syncNow } from '../durable-names.js';
import { clientOf, runProgram } from './postgres/programs.js';
import Database from './sqlite/driver.js';
import { SUM_FUNCTION, sumOf } from './sqlite/row-sum.js';
import { CONTINUE_AFTER } from './upkeep-rules.js';

export type StoreKind = 'sqlite' | 'postgres';

const FILES: Record<StoreKind, string> = { sqlite: 'registry.db', postgres: 'registry.dump' };

export const kindOfStore = (url: string): StoreKind => (url.startsWith('sqlite:') ? 'sqlite' : 'postgres');

/** @throws Error when there is none, where opening it would make an empty one */
export async function requireStore(url: string): Promise<void> {
  if (kindOfStore(url) === 'sqlite') {
    const file = resolve(url.slice('sqlite:'.length));
    if (!existsSync(file)) throw new Error(`There is no store at ${file}.${AS_THE_SERVICE}`);
    return;
  }
  // Of a server that does not answer opening tells more.
  const there = await withClient(url, (client) => hasTables(client, schemaOf(url))).catch(() => true);
  if (!there) {
    throw new Error(`There is no store in the schema ${schemaOf(url)} of ${databaseOf(url)}.${AS_THE_SERVICE}`);
  }
}

const AS_THE_SERVICE = ' Set DATA_DIR or STORE_URL as the service has it, or run the command in the same folder.';

/**
 * Writes the snapshot into the folder. Of SQLite: one read transaction, so ingest goes on meanwhile and whatever it
 * commits is not in it. Of PostgreSQL: pg_dump, which must be installed.
 */
export async function snapshotStore(url: string, folder: string): Promise<void> {
  await requireStore(url);
  const kind = kindOfStore(url);
  const target = join(folder, FILES[kind]);
  if (existsSync(target))
    throw new Error(`There is ${target} already, of another backup or one that was broken off; name a new folder.`);
  if (kind === 'sqlite') {
    const source = resolve(url.slice('sqlite:'.length));
    const database = new Database(source, { readonly: true, fileMustExist: true });
    database.prepare('vacuum into ?').run(target);
    database.close();
  } else {
    const what = ['--format=custom', `--schema=${schemaOf(url)}`, `--file=${target}`];
    await runProgram('pg_dump', what, url).catch(async (error) => {
      // Begun here, and of no use: once the cause is put right the same command may be given again.
      await rm(target, { force: true });
      throw error;
    });
  }
  syncNow(target);
  await syncFolder(folder);
}

/** Where the address leads, for people. */
export const placeOf = (url: string): string =>
  kindOfStore(url) === 'sqlite'
    ? resolve(url.slice('sqlite:'.length))
    : `the schema ${schemaOf(url)} of ${databaseOf(url)}`;

/**
 * Accessions go on behind number `last`; where that is not known, far behind the last one of the snapshot. Of a store that is there before
 * they do, somebody may start a service. @throws Error when there is a store already: nothing is ever overwritten
 */
export async function restoreSnapshot(folder: string, url: string, last: number | undefined): Promise<void> {
  const kind = kindOfStore(url);
  const source = join(folder, FILES[kind]);
  if (!existsSync(source)) throw new Error(`${folder} holds no snapshot of a ${kind} store.`);
  if (kind === 'sqlite') {
    const target = resolve(url.slice('sqlite:'.length));
    if (existsSync(target)) throw new Error(`There is a store at ${target} already; nothing was changed.${BROKEN_OFF}`);
    makeFolderNow(dirname(target));
    refuseRemains(target);
    // Half a copy must not look like a store.
    await copyFile(source, `${target}.part`);
    continueNumbers(`${target}.part`, last);
    syncNow(`${target}.part`);
    await rename(`${target}.part`, target);
    await syncFolder(dirname(target));
  } else {
    await restoreDump(source, url, last);
  }
}

/** What stands beside a database belongs to it: SQLite would read another one's last changes into this one, and searches its index. */
function refuseRemains(target: string): void {
  const remains = readdirSync(dirname(target)).filter((name) => name.startsWith(`${basename(target)}-`));
  if (remains.length === 0) return;
  throw new Error(
    `Beside ${target} there are still ${remains.join(', ')} of an earlier store, which would spoil the restored one; move them away, too. Nothing was changed.`,
  );
}

const BROKEN_OFF = ' If a restore was broken off there, take away what it left and repeat it.';

/** Without a journal beside the file, which would be another copy's if this one were broken off. */
function continueNumbers(file: string, last: number | undefined): void {
  const database = new Database(file);
  try {
    database.function(SUM_FUNCTION, { varargs: true, deterministic: true }, sumOf);
    database.pragma('journal_mode = memory');
    database.prepare(CONTINUE_AFTER('?1')).get({ 1: last ?? null });
  } finally {
    database.close();
  }
}

/**
 * The schema is made here, so that a dump of `public` finds it made and an unknown one is not needed. Counters come last, moved on
 * already: pg_restore goes on to its end where this process is killed, and of what it leaves nobody may take an accession.
 */
async function restoreDump(source: string, url: string, last: number | undefined): Promise<void> {
  const schema = schemaOf(url);
  const entries = (await runProgram('pg_restore', ['--list', source], url)).split('\n');
  const of = entries.map((line) => / SCHEMA - (\S+) /.exec(line)?.[1]).find((name) => name !== undefined);
  if (of !== undefined && of !== schema) {
    throw new Error(`The backup is of the schema ${of}; add ?schema=${of} to STORE_URL.`);
  }
  const counters = entries.filter((line) => COUNTERS.test(line));
  await makeEmptySchema(url, schema);
  // Not beside the dump: backups are often where nothing can be written.
  const folder = await mkdtemp(join(tmpdir(), 'restore-'));
  const list = join(folder, 'list');
  const listed = (lines: readonly string[]) => writeFile(list, lines.join('\n'));
  const what = [
    '--exit-on-error',
    '--single-transaction',
    '--no-owner',
    `--use-list=${list}`,
    `--dbname=dbname=${quoted((await clientOf(url)).database ?? '')}`,
  ];
  try {
    await listed(counters);
    const copied = await runProgram('pg_restore', ['--data-only', `--use-list=${list}`, '--file=-', source], url);
    await listed(entries.filter((line) => !/ SCHEMA - /.test(line) && !COUNTERS.test(line)));
    await runProgram('pg_restore', [...what, source], url);
    await setCounters(url, copied, last);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of a dump's list of contents. */
const COUNTERS = / TABLE DATA \S+ counter /;

/** @param copied the rows as pg_restore prints them, each a name, a tab and the next number */
async function setCounters(url: string, copied: string, last: number | undefined): Promise<void> {
  const rows = [...copied.matchAll(/^(\w+)\t(\d+)$/gm)].map(([, name, next]) => [name, next]);
  await withClient(url, async (client) => {
    await client.query(`set search_path to ${client.escapeIdentifier(schemaOf(url))}`);
    await client.query('begin');
    for (const row of rows) await client.query('insert into counter (name, next) values ($1, $2)', row);
    const { rowCount } = await client.query(CONTINUE_AFTER('$1::bigint'), [last]);
    if (rowCount !== 1) throw new Error('The backup has no counter of accessions.');
    await client.query('commit');
  });
}

const makeEmptySchema = (url: string, schema: string): Promise<void> =>
  withClient(url, async (client) => {
    if (await hasTables(client, schema))
      throw new Error(`There are tables in the schema ${schema} already; nothing was changed.${BROKEN_OFF}`);
    const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
    // Asked to make one that is there, PostgreSQL wants the right to make one.
    if (rowCount === 0) await client.query(`create schema ${client.escapeIdentifier(schema)}`);
  });

/** As a value in PostgreSQL's own form of an address, which a name with `=` would be taken for. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

async function hasTables(client: Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_tables where schemaname = $1 limit 1', [schema]);
  return rowCount !== 0;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await clientOf(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const schemaOf = (url: string): string => new URL(url).searchParams.get('schema') ?? 'public';
const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
