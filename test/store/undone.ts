/** What the newest migrations made, taken away again: for suites that upgrade a store of before. */

/** Of 0019 and later, on both stores: webhooks that hear of changes, kept exports, keys of rows, standing sheets, open relationships. */
const WITHOUT_NEWEST = [
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
  'drop table facet_key, facet_block',
  'alter table search_progress drop column columns_moved, drop column refilling',
  ...WITHOUT_NEWEST,
];

/** The same in a SQLite file, whose triggers name the columns of their table. */
export const SQLITE_WITHOUT_NEWEST = [
  ...['submission', 'webhook', 'webhook_delivery'].flatMap((table) => [
    `drop trigger ${table}_checked_insert`,
    `drop trigger ${table}_checked_update`,
    `alter table ${table} drop column row_check`,
  ]),
  ...WITHOUT_NEWEST,
];
