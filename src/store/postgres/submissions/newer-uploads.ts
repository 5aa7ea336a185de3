/** What came later into a key space, and what must not go on behind it, in PostgreSQL. */
import type { RegistryError } from '../../../registry/errors.js';
import type { NewerUploads } from '../../../submissions/newer-uploads.js';
import { whyNotOn } from '../../going-on.js';
import { newerCommit, newerRows, type Spelling } from '../../newer-uploads.js';
import type { PostgresDatabase, Session } from '../database.js';
import { type JoinedRow, type Reader, readSubmissionRow, sameBytes } from './submission-rows.js';

const SPELLING: Spelling = {
  option: (name, ...path) => `${name}.options::jsonb #>> '{${path.join(',')}}'`,
  asked: '$1',
};
const NEWER_COMMIT = newerCommit(SPELLING);
const NEWER_ROWS = newerRows(SPELLING);

export const postgresNewerUploads = (database: PostgresDatabase): NewerUploads => ({
  findNewerCommit: async ({ id }) => (await database.one<{ uuid: string }>(NEWER_COMMIT, [id]))?.uuid,
  findNewerRows: ({ id }) => findNewerRows(database, id),
});

const findNewerRows = async (reader: Reader, uuid: string): Promise<string | undefined> =>
  (await reader.one<{ uuid: string }>(NEWER_ROWS, [uuid]))?.uuid;

/** Of a row that may go on by its state: whyNotOn (store/going-on.ts). Inside the write that would let it, behind lockAccepting. */
export const refusalToGoOn = async (session: Session, row: JoinedRow): Promise<RegistryError | undefined> =>
  whyNotOn(readSubmissionRow(row), await sameBytes(session, row), await findNewerRows(session, row.uuid));
