/** What came later into a key space, and what must not go on behind it, in SQLite. */
import type { RegistryError } from '../../../registry/errors.js';
import type { NewerUploads } from '../../../submissions/newer-uploads.js';
import { whyNotOn } from '../../going-on.js';
import { newerCommit, newerRows, type Spelling } from '../../newer-uploads.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';
import type { Names } from '../samples/names.js';
import { readSubmissionRow, sameBytes } from './submission-rows.js';

const SPELLING: Spelling = {
  option: (name, ...path) => `json_extract(${name}.options, '$.${path.join('.')}')`,
  asked: '?',
};
const NEWER_COMMIT = newerCommit(SPELLING);
const NEWER_ROWS = newerRows(SPELLING);

export const sqliteNewerUploads = (database: SqliteDatabase): NewerUploads => ({
  findNewerCommit: async ({ id }) => database.sql<{ uuid: string }>(NEWER_COMMIT).get(id)?.uuid,
  findNewerRows: async ({ id }) => findNewerRows(database, id),
});

const findNewerRows = (database: SqliteDatabase, uuid: string): string | undefined =>
  database.sql<{ uuid: string }>(NEWER_ROWS).get(uuid)?.uuid;

/** Of a row that may go on by its state: whyNotOn (store/going-on.ts). Inside the write that would let it. */
export const refusalToGoOn = (database: SqliteDatabase, names: Names, row: SubmissionRow): RegistryError | undefined =>
  whyNotOn(readSubmissionRow(row, names), sameBytes(database, names, row), findNewerRows(database, row.uuid));
