/** What the newest migrations made, taken away again: for suites that upgrade a store of before. */

/** Of 0019, webhooks that hear of changes. */
export const WITHOUT_WEBHOOK_CHANGES = [
  'drop index webhook_following',
  ...['filters', 'cursor', 'looked'].map((column) => `alter table webhook drop column ${column}`),
  ...['from_cursor', 'to_cursor', 'changes'].map((column) => `alter table webhook_delivery drop column ${column}`),
];

/** The same in a SQLite file, whose triggers name the columns of their table. */
export const SQLITE_WITHOUT_WEBHOOK_CHANGES = [
  ...['webhook', 'webhook_delivery'].flatMap((table) => [
    `drop trigger ${table}_checked_insert`,
    `drop trigger ${table}_checked_update`,
    `alter table ${table} drop column row_check`,
  ]),
  ...WITHOUT_WEBHOOK_CHANGES,
];
