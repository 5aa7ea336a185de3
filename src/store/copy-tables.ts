/** Copies the tables of a SQLite store into a PostgreSQL schema and compares what arrived, in one transaction. */
import { RegistryError } from '../registry/errors.js';
import type { PostgresDatabase, Session } from './postgres/database.js';
import { GREATEST_NUMBER } from './postgres/samples/present-samples.js';
import { NullableTexts, numberArray } from './postgres/text.js';
import { RowDigest } from './rows/row-digest.js';
import type { Cell, SqliteSource } from './sqlite-source.js';

export interface TableReport {
  name: string;
  rows: number;
  /** Of all rows with all copied columns, in any order; hex. */
  fingerprint: string;
}

/** In an order that foreign keys allow. */
const TABLES = [
  'account',
  'token',
  'counter',
  'site',
  'sample_layout',
  'sample',
  'sample_version',
  'key_space',
  'sample_key',
  'open_relationship',
  'curation',
  'curation_link',
  'structured_data',
  'submission',
  'idempotency_key',
  'submission_chunk',
  'webhook',
  'webhook_delivery',
  'import_profile',
  'feed',
  'release_due',
  'mirror',
  'kept_export',
] as const;

/** The journal of the search index: the target's index is built from the samples themselves. Nobody has backed up the target. */
const LEFT_OUT = ['change', 'backup'];
/** A checksum that PostgreSQL has no use for: it has its own of each page. */
const OF_THE_FILE = 'row_check';
const LOT = 5000;

type Kind = 'number' | 'boolean' | 'text';

interface Column {
  name: string;
  kind: Kind;
}

export async function copyTables(
  source: SqliteSource,
  target: PostgresDatabase,
  onTable: (table: TableReport) => void,
): Promise<TableReport[]> {
  const unknown = source.tables().filter((name) => !([...TABLES, ...LEFT_OUT] as string[]).includes(name));
  if (unknown.length > 0) throw new Error(`the store has tables that are not known here: ${unknown.join(', ')}`);
  const copy = async (session: Session): Promise<TableReport[]> => {
    await requireEmpty(session);
    // Deliveries are copied, not announced again.
    await session.run('alter table submission disable trigger user');
    for (const name of ['counter', 'site']) await session.run(`delete from ${name}`);
    const reports: TableReport[] = [];
    for (const name of TABLES) {
      const report = await copyTable(source, session, name);
      onTable(report);
      reports.push(report);
    }
    await session.run('alter table submission enable trigger user');
    await session.run('delete from change');
    await session.run(`update search_progress set scan_next = 1, scan_end = coalesce(${GREATEST_NUMBER}, 0)`);
    return reports;
  };
  return target.write(copy, { unhurried: true });
}

async function requireEmpty(session: Session): Promise<void> {
  for (const table of ['account', 'sample', 'submission']) {
    if (await session.one(`select 1 from ${table} limit 1`)) {
      throw new RegistryError('conflict', `The target store has a row in "${table}" already; move into an empty one.`);
    }
  }
}

async function copyTable(source: SqliteSource, session: Session, name: string): Promise<TableReport> {
  const columns = await columnsOf(source, session, name);
  const names = columns.map((column) => column.name);
  const insert = insertOf(name, columns);
  const sent = new RowDigest();
  for (const rows of source.read(name, names, LOT)) {
    for (const row of rows) sent.add(row);
    await session.run(insert, [...columns.map((column, at) => listOf(column, rows, at)), rows.length]);
  }
  const arrived = await digestOf(session, name, columns);
  if (arrived.rows !== sent.rows || arrived.hex() !== sent.hex()) {
    throw new Error(`table ${name} did not arrive as it was: ${sent.rows} rows sent, ${arrived.rows} there`);
  }
  await continueNumbers(session, name);
  return { name, rows: sent.rows, fingerprint: sent.hex() };
}

/** Every column of the source, with its kind in the target. */
async function columnsOf(source: SqliteSource, session: Session, table: string): Promise<Column[]> {
  const there = await session.rows<{ name: string; type: string }>(
    `select column_name::text as name, data_type::text as type from information_schema.columns
     where table_schema = current_schema() and table_name = $1`,
    [table],
  );
  const kinds: Record<string, Kind> = {
    text: 'text',
    boolean: 'boolean',
    bigint: 'number',
    integer: 'number',
    smallint: 'number',
  };
  const columns = source.columns(table).filter((name) => name !== OF_THE_FILE);
  return columns.map((name) => {
    const kind = kinds[there.find((column) => column.name === name)?.type ?? ''];
    if (kind === undefined) throw new Error(`column ${table}.${name} has no counterpart in the target`);
    return { name, kind };
  });
}

/** One element more than there are rows travels in each list, so that no list of texts is ever empty. */
function insertOf(table: string, columns: readonly Column[]): string {
  const list = ({ kind }: Column, at: number): string =>
    kind === 'text' ? `unnest(string_to_array($${at + 1}, E'\\x1f', E'\\x01n'))` : `unnest($${at + 1}::bigint[])`;
  const value = ({ kind }: Column, at: number): string => (kind === 'boolean' ? `c${at} = 1` : `c${at}`);
  const aliases = columns.map((_, at) => `c${at}`);
  return `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) overriding system value
    select ${columns.map(value).join(', ')} from rows from (${columns.map(list).join(', ')})
      with ordinality as lot (${[...aliases, 'nth'].join(', ')})
    where nth <= $${columns.length + 1} order by nth`;
}

function listOf({ kind }: Column, rows: readonly Cell[][], at: number): unknown {
  const cells = rows.map((row) => row[at] as Cell);
  return kind === 'text'
    ? new NullableTexts([...(cells as (string | null)[]), '.'])
    : numberArray([...(cells as (number | null)[]), 0]);
}

async function digestOf(session: Session, table: string, columns: readonly Column[]): Promise<RowDigest> {
  const digest = new RowDigest();
  const values = columns.map(({ name, kind }) => (kind === 'boolean' ? `${name}::int as ${name}` : name));
  await session.run(`declare arrived cursor for select ${values.join(', ')} from ${table}`);
  for (;;) {
    const rows = await session.rows<Record<string, Cell>>(`fetch ${LOT} from arrived`);
    for (const row of rows) digest.add(columns.map(({ name }) => row[name] as Cell));
    if (rows.length < LOT) break;
  }
  await session.run('close arrived');
  return digest;
}

/** New rows are numbered after the copied ones. */
async function continueNumbers(session: Session, table: string): Promise<void> {
  const [column] = await session.rows<{ name: string }>(
    `select column_name::text as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_identity = 'YES'`,
    [table],
  );
  if (column === undefined) return;
  await session.run(
    `select setval(pg_get_serial_sequence($1, $2), (select max(${column.name}) from ${table})) where exists (select 1 from ${table})`,
    [table, column.name],
  );
}
