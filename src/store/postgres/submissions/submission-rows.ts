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
import type { PostgresDatabase, Session } from '../database.js';
import { preparedOnce } from '../prepared-statements.js';
import { spaceOf } from '../samples/key-spaces.js';

/** With what its numbers stand for joined in. */
export interface JoinedRow extends SubmissionRow {
  account_name: string;
  earlier_uuid: string | null;
}

/** Where single statements and transactions read alike. */
export type Reader = Pick<PostgresDatabase | Session, 'rows' | 'one'>;

/** The earlier upload may change while the row is waited for, so it is looked up and not joined (see sample-rows.ts). */
export const SUBMISSIONS = `select s.*, a.name as account_name,
    (select t.uuid from submission t where t.id = s.twin_of) as earlier_uuid
  from submission s join account a on a.id = s.account`;

const BY_ID = preparedOnce(`${SUBMISSIONS} where s.id = $1`);
const BY_UUID = preparedOnce(`${SUBMISSIONS} where s.uuid = $1`);
const LOCKED_BY_UUID = preparedOnce(`${BY_UUID} for no key update of s`);

export const readSubmissionRow = (row: JoinedRow): Submission =>
  submissionOf(row, { account: row.account_name, earlierUpload: row.earlier_uuid });

const COLUMNS = NEW_SUBMISSION.split(',').length;
/** The last two are names of submissions. */
const PLACES = Array.from({ length: COLUMNS }, (_, at) =>
  at < COLUMNS - 2 ? `$${at + 1}` : `(select id from submission where uuid = $${at + 1})`,
).join(', ');
const INSERT = `insert into submission (${NEW_SUBMISSION}) values (${PLACES}) on conflict (uuid) do nothing returning id`;

/** Resolves to the new row's number, or undefined when this id is there already. */
export async function insertSubmission(
  session: Session,
  account: number,
  draft: NewSubmission,
  earlier: string | undefined,
): Promise<number | undefined> {
  const space = await spaceOf(session, account, keySpaceOf(draft.options));
  const named = { earlier: earlier ?? null, plan: turnOf(draft) ?? null };
  return (await session.one<{ id: number }>(INSERT, newSubmissionValues(draft, { account, space }, named)))?.id;
}

export async function rowById(reader: Reader, id: number): Promise<JoinedRow> {
  const row = await reader.one<JoinedRow>(BY_ID, [id]);
  if (row === undefined) throw new Error(`submission ${id} is gone`);
  return row;
}

export const rowByUuid = (reader: Reader, uuid: string): Promise<JoinedRow | undefined> =>
  reader.one<JoinedRow>(BY_UUID, [uuid]);

/** The row, held against every other transaction until this one ends. */
export const lockByUuid = (session: Session, uuid: string): Promise<JoinedRow | undefined> =>
  session.one<JoinedRow>(LOCKED_BY_UUID, [uuid]);

/** Numbers of the submissions of the same account and bytes that may have written samples. */
export async function writersOfSameBytes(
  reader: Reader,
  { account, sha256 }: Pick<SubmissionRow, 'account' | 'sha256'>,
): Promise<Set<number>> {
  const rows = await reader.rows<{ id: number }>(
    'select id from submission where account = $1 and sha256 = $2 and not dry_run',
    [account, sha256],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Submissions of the same account and bytes, dry runs left out, in order of arrival. */
export const rowsOfSameBytes = (reader: Reader, account: number, sha256: string): Promise<JoinedRow[]> =>
  reader.rows<JoinedRow>(`${SUBMISSIONS} where s.account = $1 and s.sha256 = $2 and not s.dry_run order by s.id`, [
    account,
    sha256,
  ]);

/** Uploads of the account of the bytes of one of them, oldest first; no dry runs. */
export const sameBytes = async (
  reader: Reader,
  { account, sha256 }: Pick<JoinedRow, 'account' | 'sha256'>,
): Promise<Submission[]> => (await rowsOfSameBytes(reader, account, sha256)).map(readSubmissionRow);
