/**
 * The checksum that each row beside those of samples carries in a SQLite file, the store's and the index's (docs/decisions/0087):
 * triggers write it, so that no statement has to. They are made from the columns that a table has, after the scripts of
 * the schema: a script need not know of them.
 */
import type { StoreFault } from '../../upkeep/upkeep-store.js';
import { storageIsDamaged } from '../failures.js';
import type { SqliteDatabase } from './database.js';
import { SUM_FUNCTION, sumOf } from './row-sum.js';

/** Summed up by the program itself: of the store because they are written by the million, of the index because they are blobs (search-damage.ts). */
const SUMMED_ELSEWHERE = ['sample', 'sample_version', 'sample_block', 'posting_page', 'facet_block', 'name_filter'];
const CHECK = 'row_check';
/** Written by the million too, with the same checksum, which the program writes with each row (row-keys.ts): triggers cost twice the insert. */
const SUMMED_BY_WRITER = 'sample_key';

export interface CheckedTable {
  name: string;
  /** In the order of `select *`, without the checksum. */
  columns: string[];
  /** SQL: which row a trigger is at. */
  same: string;
  /** Columns of the primary key, for messages. */
  key: string[];
}

const quoted = (columns: readonly string[], from: string): string =>
  columns.map((column) => `${from}."${column}"`).join(', ');

const sumIn = (columns: readonly string[], from: string): string => `${SUM_FUNCTION}(${quoted(columns, from)})`;

/** All tables beside those of samples. */
export function checkedTables(database: SqliteDatabase): CheckedTable[] {
  const found = database
    .prepare(
      "select name, wr from pragma_table_list where type = 'table' and schema = 'main' and name not like 'sqlite_%'",
    )
    .all() as { name: string; wr: number }[];
  return found
    .filter(({ name }) => !SUMMED_ELSEWHERE.includes(name))
    .map(({ name, wr }) => {
      const { columns, key } = columnsOf(database, name);
      const same = wr === 1 ? key.map((column) => `"${column}" = new."${column}"`).join(' and ') : 'rowid = new.rowid';
      return { name, columns, same, key };
    });
}

function columnsOf(database: SqliteDatabase, table: string): Pick<CheckedTable, 'columns' | 'key'> {
  const found = database
    .sql<{ name: string; pk: number }>('select name, pk from pragma_table_info(?) order by cid')
    .all(table);
  return {
    columns: found.map((column) => column.name).filter((column) => column !== CHECK),
    key: found.filter(({ pk }) => pk > 0).map((column) => column.name),
  };
}

/** Inside the transaction in which scripts were run. */
export function installRowChecks(database: SqliteDatabase, run: (sql: string) => void): void {
  const known = database.prepare("select sql from sqlite_schema where type = 'trigger' and name = ?");
  for (const { name, columns, same } of checkedTables(database)) {
    if (name === SUMMED_BY_WRITER) continue;
    const own = columns.map((column) => `"${column}"`).join(', ');
    const trigger = (event: string, of: string): string =>
      `create trigger ${name}_checked_${event} after ${event}${of} on ${name} begin update ${name} set ${CHECK} = ${sumIn(columns, 'new')} where ${same}; end`;
    const made = [trigger('insert', ''), trigger('update', ` of ${own}`)];
    const there = ['insert', 'update'].map((event) => (known.get(`${name}_checked_${event}`) as { sql: string })?.sql);
    if (made.every((sql, at) => sql === there[at])) continue;
    if (there[0] === undefined) run(`alter table ${name} add column ${CHECK} integer`);
    for (const event of ['insert', 'update']) run(`drop trigger if exists ${name}_checked_${event}`);
    run(`update ${name} set ${CHECK} = ${sumIn(columns, name)}`);
    for (const sql of made) run(sql);
  }
}

/** SQL: 1 for a row of the table, called `alias`, that is as it was written. */
export function isWhole(database: SqliteDatabase, table: string, alias: string): string {
  const { columns } = columnsOf(database, table);
  return `${alias}.${CHECK} is ${sumIn(columns, alias)}`;
}

const damagedIn = ({ name, columns }: CheckedTable): string =>
  `from ${name} where ${CHECK} is not ${sumIn(columns, name)}`;

export const hasDamage = (database: SqliteDatabase, table: CheckedTable): boolean =>
  database.prepare(`select 1 ${damagedIn(table)} limit 1`).get() !== undefined;

/** Faults of one table that are listed. */
const LISTED = 100;

/** Rows that are not as they were written. */
export function damagedRows(database: SqliteDatabase, table: CheckedTable): StoreFault[] {
  const { name, key } = table;
  const rows = database.prepare(`select ${quoted(key, name)} ${damagedIn(table)} limit ${LISTED}`).all() as Record<
    string,
    unknown
  >[];
  return rows.map((row) => ({
    place: `${name} ${Object.values(row).join(', ')}`,
    message: 'This row of the database is not what was stored.',
  }));
}

/** Of a row as `select *` gives it. */
export function isAsWritten(row: object): boolean {
  const { [CHECK]: sum, ...values } = row as Record<string, unknown>;
  return sum === sumOf(...Object.values(values));
}

/** Of a row as `select *` gives it. @throws RegistryError storage.damaged */
export function requireWhole<Row extends object>(row: Row, what: string): Row {
  if (!isAsWritten(row)) throw storageIsDamaged(what);
  return row;
}
