/** What the newest migrations made, taken away again: for suites that upgrade a store of before. */
import { SAMPLE_COLUMNS } from '../../src/store/rows/sample-row.js';
import { SqliteDatabase } from '../../src/store/sqlite/database.js';
import { defineBlockViews } from '../../src/store/sqlite/samples/block-views.js';

const asRows = (table: string, view: string): string =>
  `insert into ${table} (${SAMPLE_COLUMNS}) select ${SAMPLE_COLUMNS} from ${view} where true on conflict do nothing`;

const AS_ROWS = [asRows('sample_version', 'earlier_version'), asRows('sample', 'current_sample')];

/** Samples as they were before there were blocks. */
const WITHOUT_BLOCKS = [...AS_ROWS, 'drop view current_sample', 'drop view earlier_version', 'drop table sample_block'];

/** Of 0019 and later, on both stores: webhooks that hear of changes, kept exports, keys of rows, standing sheets, open relationships, sums of uploads, what processes agree on. */
const WITHOUT_NEWEST = [
  'drop table site',
  'alter table submission drop column turn_of',
  'alter table submission drop column crc32',
  'drop table open_relationship',
  'alter table submission drop column standing',
  'drop table sample_key',
  'drop table key_space',
  'drop index submission_key_space',
  'alter table submission drop column key_space',
  'drop table kept_export',
  'drop index webhook_following',
  ...['filters', 'cursor', 'looked'].map((column) => `alter table webhook drop column ${column}`),
  ...['from_cursor', 'to_cursor', 'changes'].map((column) => `alter table webhook_delivery drop column ${column}`),
];

/** The same in PostgreSQL, whose facets are in the store itself. */
export const POSTGRES_WITHOUT_NEWEST = [
  ...AS_ROWS,
  'drop view current_sample, earlier_version, block_standing',
  'drop table sample_block',
  'drop table facet_key, facet_block',
  'alter table search_progress drop column columns_moved, drop column refilling',
  ...WITHOUT_NEWEST,
];

/** The same in a SQLite file, whose triggers name the columns of their table. */
const SQLITE_WITHOUT_NEWEST = [
  ...WITHOUT_BLOCKS,
  ...['submission', 'webhook', 'webhook_delivery'].flatMap((table) => [
    `drop trigger ${table}_checked_insert`,
    `drop trigger ${table}_checked_update`,
    `alter table ${table} drop column row_check`,
  ]),
  ...WITHOUT_NEWEST,
];

/** Makes rows of the samples of blocks, which then have no block any more. */
export function blocksToRows(path: string): void {
  const database = new SqliteDatabase(path);
  database.define((connection) => defineBlockViews(connection));
  for (const sql of [...AS_ROWS, 'delete from sample_block']) database.prepare(sql).run();
  database.close();
}

export function takeNewestAway(database: SqliteDatabase): void {
  database.define((connection) => defineBlockViews(connection));
  for (const sql of SQLITE_WITHOUT_NEWEST) database.prepare(sql).run();
}
