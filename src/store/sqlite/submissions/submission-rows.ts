/** Rows of `submission` ↔ submissions. */
import { keySpaceOf } from '../../../submissions/reading/row-keys.js';
import type { Submission } from '../../../submissions/submission.js';
import type { NewSubmission } from '../../../submissions/submission-store.js';
import {
  NEW_SUBMISSION,
  newSubmissionValues,
  type SubmissionRow,
  submissionOf,
  turnOf,
} from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';
import { requireWhole } from '../row-checks.js';
import { spaceOf } from '../samples/key-spaces.js';
import type { Names } from '../samples/names.js';

/** @throws RegistryError storage.damaged */
export const readSubmissionRow = (row: SubmissionRow, names: Names): Submission =>
  submissionOf(requireWhole(row, `Submission ${row.uuid}`), {
    account: names.accountName(row.account),
    earlierUpload: row.twin_of === null ? null : names.submissionId(row.twin_of),
  });

const PLACES = Array(NEW_SUBMISSION.split(',').length).fill('?').join(', ');

/** Inside a write; resolves to the new row's number. */
export function insertSubmission(
  database: SqliteDatabase,
  names: Names,
  draft: NewSubmission,
  earlier: string | undefined,
): number {
  const numberOf = (id: string | undefined) => (id === undefined ? null : (names.findSubmission(id) ?? null));
  const account = names.account(draft.account, draft.created);
  const { lastInsertRowid } = database
    .sql(`insert into submission (${NEW_SUBMISSION}) values (${PLACES})`)
    .run(
      ...newSubmissionValues(
        draft,
        { account, space: spaceOf(database, account, keySpaceOf(draft.options)) },
        { earlier: numberOf(earlier), plan: numberOf(turnOf(draft)) },
      ),
    );
  return Number(lastInsertRowid);
}

export const rowById = (database: SqliteDatabase, id: number): SubmissionRow =>
  database.sql<SubmissionRow>('select * from submission where id = ?').get(id) as SubmissionRow;

export const rowByUuid = (database: SqliteDatabase, uuid: string): SubmissionRow | undefined =>
  database.sql<SubmissionRow>('select * from submission where uuid = ?').get(uuid);

/** Numbers of the submissions of the same account and bytes that may have written samples. */
export const writersOfSameBytes = (
  database: SqliteDatabase,
  { account, sha256 }: Pick<SubmissionRow, 'account' | 'sha256'>,
): Set<number> =>
  new Set(
    database
      .sql<{ id: number }>('select id from submission where account = ? and sha256 = ? and dry_run = 0')
      .all(account, sha256)
      .map(({ id }) => id),
  );

/** A submission of the same account and bytes, dry runs left out, in order of arrival. */
export const rowsOfSameBytes = (database: SqliteDatabase, account: number, sha256: string): SubmissionRow[] =>
  database
    .sql<SubmissionRow>('select * from submission where account = ? and sha256 = ? and dry_run = 0 order by id')
    .all(account, sha256);

/** Uploads of the account of the bytes of one of them, oldest first; no dry runs. */
export const sameBytes = (
  database: SqliteDatabase,
  names: Names,
  { account, sha256 }: Pick<SubmissionRow, 'account' | 'sha256'>,
): Submission[] => rowsOfSameBytes(database, account, sha256).map((row) => readSubmissionRow(row, names));
