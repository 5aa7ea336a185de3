/**
 * Empty stores by the hundred. Running every migration took most of the contracts' time: a SQLite store is a copy of one
 * that was made once, with its index, a PostgreSQL store the schema of the one before, brought back to what it held when it was made.
 */
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openStore } from '../../src/store/open.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import type { Store, StoreOptions } from '../../src/store/store.js';
import { dropSchemas, freshDatabaseUrl } from '../many-machines/postgres-schema.js';
import { KeptPools } from './kept-pools.js';

export interface EmptyStores {
  open(options: StoreOptions): Promise<Store>;
  /** When all of them are closed. What is opened afterwards is made anew: suites run again in one process (scripts/mutant-runner.mjs). */
  remove(): Promise<void>;
}

/** The files of a SQLite store, by the name of the first. */
const FILES = ['', '-search'];

/** @returns a new folder with an empty store, by its first file */
async function makeEmptyFile(prefix = 'SAMR'): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'registry-stores-')), 'empty.db');
  await (await openStore(`sqlite:${file}`, { prefix })).close();
  return file;
}

function copyStore(from: string, to: string): void {
  for (const end of FILES) copyFileSync(`${from}${end}`, `${to}${end}`, constants.COPYFILE_EXCL);
}

/** By the prefix of their accessions, which a store keeps. */
const kept = new Map<string, Promise<string>>();

/** Makes an empty SQLite store of a file that is not there yet. */
export async function makeEmptyStore(file: string, prefix: string): Promise<void> {
  const made = kept.get(prefix) ?? keepEmptyFile(prefix);
  kept.set(prefix, made);
  copyStore(await made, file);
}

/** Of a file that is not there yet. */
export async function openEmptyStore(file: string, options: StoreOptions): Promise<Store> {
  await makeEmptyStore(file, options.prefix);
  return openStore(`sqlite:${file}`, options);
}

/** For as long as this process lives. */
async function keepEmptyFile(prefix: string): Promise<string> {
  const file = await makeEmptyFile(prefix);
  process.once('exit', () => rmSync(dirname(file), { recursive: true, force: true }));
  return file;
}

export function sqliteStores(): EmptyStores {
  let made: Promise<string> | undefined;
  let count = 0;
  return {
    open: async (options) => {
      made ??= makeEmptyFile();
      const empty = await made;
      const file = join(dirname(empty), `${++count}.db`);
      copyStore(empty, file);
      return openStore(`sqlite:${file}`, options);
    },
    remove: async () => {
      const empty = await made;
      made = undefined;
      if (empty) rmSync(dirname(empty), { recursive: true, force: true });
    },
  };
}

/** One store at a time. */
export function postgresStores(): EmptyStores {
  const pools = new KeptPools();
  let schema: EmptySchema | undefined;
  let isOpen = false;
  return {
    open: async (options) => {
      if (isOpen) throw new Error('The store before this one is still open.');
      if (schema) await schema.empty();
      else schema = await EmptySchema.make();
      const store = await openPostgresStore(schema.url, { ...options, openPool: pools.open });
      isOpen = true;
      const close = async () => {
        await store.close();
        isOpen = false;
      };
      return { ...store, close };
    },
    remove: async () => {
      await schema?.close();
      await pools.close();
      await dropSchemas();
    },
  };
}

/** Rows are deleted table by table: `truncate` makes new files and takes ten times as long. */
class EmptySchema {
  private constructor(
    readonly url: string,
    private readonly client: pg.Client,
    /** Statements that bring the schema back to what it held when it was made. */
    private readonly statements: string,
  ) {}

  static async make(): Promise<EmptySchema> {
    const url = await freshDatabaseUrl();
    await (await openStore(url, { prefix: 'SAMR' })).close();
    const address = new URL(url);
    const schema = address.searchParams.get('schema') as string;
    address.search = '';
    const client = new pg.Client(address.href);
    await client.connect();
    const names = async (sql: string): Promise<string[]> =>
      (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
    await client.query(`set search_path to ${schema}`);
    // Rows that refer to each other go in any order.
    await client.query('set session_replication_role = replica');
    const tables = await names('select tablename as name from pg_tables where schemaname = current_schema()');
    const statements = tables.map((table) => `delete from ${table}`);
    for (const table of tables) {
      const [rows] = await names(`select json_agg(t)::text as name from ${table} t having count(*) > 0`);
      if (rows !== undefined) {
        const read = `json_populate_recordset(null::${table}, ${client.escapeLiteral(rows)})`;
        statements.push(`insert into ${table} overriding system value select * from ${read}`);
      }
    }
    // Restarting a sequence makes a new file of it; setting it does not.
    const sequences = await names(`select format('%L, %s', sequencename, start_value) as name from pg_sequences
       where schemaname = current_schema()`);
    for (const sequence of sequences) statements.push(`select setval(${sequence}, false)`);
    return new EmptySchema(url, client, statements.join(';'));
  }

  async empty(): Promise<void> {
    await this.client.query(this.statements);
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
