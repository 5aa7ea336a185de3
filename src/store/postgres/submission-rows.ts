/** Rows of `submission` ↔ submissions. */
import type {
  IssueGroup,
  Lane,
  Problem,
  Setbacks,
  SheetColumns,
  Submission,
  SubmissionState,
  UploadOptions,
} from '../../submissions/submission.js';
import type { NewSubmission } from '../../submissions/submission-store.js';
import type { PostgresDatabase, Session } from './database.js';

export interface SubmissionRow {
  id: number;
  uuid: string;
  account: number;
  /** Joined in. */
  account_name: string;
  admin: boolean;
  state: SubmissionState;
  phase: Submission['phase'];
  lane: Lane;
  file_name: string;
  file_size: number;
  sha256: string;
  blob_key: string;
  options: string;
  dry_run: boolean;
  rows: number;
  rows_created: number;
  rows_updated: number;
  rows_unchanged: number;
  rows_rejected: number;
  become_public: number;
  created_public: number;
  columns: string | null;
  issues: string;
  bytes_read: number;
  cursor: number;
  attempts: number;
  /** JSON. */
  setbacks: string | null;
  next_try: number | null;
  /** 1 when the next try has a process to itself. */
  alone: number;
  worker: string | null;
  lease_until: number | null;
  cancel_requested: boolean;
  problem: string | null;
  twin_of: number | null;
  /** Joined in. */
  twin_uuid: string | null;
  reserved_from: number | null;
  reserved_count: number | null;
  created: number;
  updated: number;
}

/** Where single statements and transactions read alike. */
export type Reader = Pick<PostgresDatabase | Session, 'rows' | 'one'>;

/** The earlier upload may change while the row is waited for, so it is looked up and not joined (see sample-rows.ts). */
export const SUBMISSIONS = `select s.*, a.name as account_name,
    (select t.uuid from submission t where t.id = s.twin_of) as twin_uuid
  from submission s join account a on a.id = s.account`;

export function readSubmissionRow(row: SubmissionRow): Submission {
  return {
    id: row.uuid,
    account: row.account_name,
    admin: row.admin,
    state: row.state,
    phase: row.phase,
    lane: row.lane,
    fileName: row.file_name,
    fileSize: row.file_size,
    sha256: row.sha256,
    blobKey: row.blob_key,
    options: JSON.parse(row.options) as UploadOptions,
    ...(row.columns === null ? {} : { columns: JSON.parse(row.columns) as SheetColumns }),
    becomePublic: row.become_public,
    createdPublic: row.created_public,
    counts: {
      rows: row.rows,
      created: row.rows_created,
      updated: row.rows_updated,
      unchanged: row.rows_unchanged,
      rejected: row.rows_rejected,
    },
    issues: JSON.parse(row.issues) as IssueGroup[],
    bytesRead: row.bytes_read,
    cursor: row.cursor,
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...(row.lease_until === null ? {} : { leaseUntil: row.lease_until }),
    ...(row.setbacks === null ? {} : { setbacks: setbacksOf(row) as Setbacks }),
    cancelRequested: row.cancel_requested,
    ...(row.problem === null ? {} : { problem: JSON.parse(row.problem) as Problem }),
    ...(row.twin_uuid === null ? {} : { earlierUpload: row.twin_uuid }),
    ...(row.reserved_from === null ? {} : { reservedFrom: row.reserved_from }),
    created: row.created,
    updated: row.updated,
  };
}

/** Resolves to the new row's number, or undefined when this id is there already. */
export async function insertSubmission(
  session: Session,
  account: number,
  draft: NewSubmission,
  earlier: string | undefined,
): Promise<number | undefined> {
  const row = await session.one<{ id: number }>(
    `insert into submission (uuid, account, admin, state, phase, lane, file_name, file_size, sha256, blob_key, options,
       dry_run, problem, twin_of, created, updated, columns)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, (select id from submission where uuid = $14), $15, $16, $17)
     on conflict (uuid) do nothing returning id`,
    [
      draft.id,
      account,
      draft.admin,
      draft.state,
      draft.phase,
      draft.lane,
      draft.fileName,
      draft.fileSize,
      draft.sha256,
      draft.blobKey,
      JSON.stringify(draft.options),
      draft.options.dryRun,
      draft.problem === undefined ? null : JSON.stringify(draft.problem),
      earlier ?? null,
      draft.created,
      draft.updated,
      draft.columns === undefined ? null : JSON.stringify(draft.columns),
    ],
  );
  return row?.id;
}

/** Of a row that may have none. */
export const setbacksOf = ({ setbacks }: Pick<SubmissionRow, 'setbacks'>): Setbacks | undefined =>
  setbacks === null ? undefined : (JSON.parse(setbacks) as Setbacks);

export async function rowById(reader: Reader, id: number): Promise<SubmissionRow> {
  const row = await reader.one<SubmissionRow>(`${SUBMISSIONS} where s.id = $1`, [id]);
  if (row === undefined) throw new Error(`submission ${id} is gone`);
  return row;
}

export const rowByUuid = (reader: Reader, uuid: string): Promise<SubmissionRow | undefined> =>
  reader.one<SubmissionRow>(`${SUBMISSIONS} where s.uuid = $1`, [uuid]);

/** The row, held against every other transaction until this one ends. */
export const lockByUuid = (session: Session, uuid: string): Promise<SubmissionRow | undefined> =>
  session.one<SubmissionRow>(`${SUBMISSIONS} where s.uuid = $1 for no key update of s`, [uuid]);

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
export const rowsOfSameBytes = (reader: Reader, account: number, sha256: string): Promise<SubmissionRow[]> =>
  reader.rows<SubmissionRow>(`${SUBMISSIONS} where s.account = $1 and s.sha256 = $2 and not s.dry_run order by s.id`, [
    account,
    sha256,
  ]);
