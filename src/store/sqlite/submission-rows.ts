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
import type { SqliteDatabase } from './database.js';
import type { Names } from './names.js';

export interface SubmissionRow {
  id: number;
  uuid: string;
  account: number;
  admin: number;
  state: SubmissionState;
  phase: Submission['phase'];
  lane: Lane;
  file_name: string;
  file_size: number;
  sha256: string;
  blob_key: string;
  options: string;
  dry_run: number;
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
  cancel_requested: number;
  problem: string | null;
  twin_of: number | null;
  reserved_from: number | null;
  reserved_count: number | null;
  created: number;
  updated: number;
}

export function readSubmissionRow(row: SubmissionRow, names: Names): Submission {
  return {
    id: row.uuid,
    account: names.accountName(row.account),
    admin: row.admin === 1,
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
    cancelRequested: row.cancel_requested === 1,
    ...(row.problem === null ? {} : { problem: JSON.parse(row.problem) as Problem }),
    ...(row.twin_of === null ? {} : { earlierUpload: names.submissionId(row.twin_of) }),
    ...(row.reserved_from === null ? {} : { reservedFrom: row.reserved_from }),
    created: row.created,
    updated: row.updated,
  };
}

/** Inside a write; resolves to the new row's number. */
export function insertSubmission(
  database: SqliteDatabase,
  names: Names,
  draft: NewSubmission,
  earlier: string | undefined,
): number {
  const { lastInsertRowid } = database
    .sql(
      `insert into submission (uuid, account, admin, state, phase, lane, file_name, file_size, sha256, blob_key, options,
       dry_run, columns, problem, twin_of, created, updated)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      draft.id,
      names.account(draft.account, draft.created),
      draft.admin ? 1 : 0,
      draft.state,
      draft.phase,
      draft.lane,
      draft.fileName,
      draft.fileSize,
      draft.sha256,
      draft.blobKey,
      JSON.stringify(draft.options),
      draft.options.dryRun ? 1 : 0,
      draft.columns === undefined ? null : JSON.stringify(draft.columns),
      draft.problem === undefined ? null : JSON.stringify(draft.problem),
      earlier === undefined ? null : (names.findSubmission(earlier) ?? null),
      draft.created,
      draft.updated,
    );
  return Number(lastInsertRowid);
}

/** Of a row that may have none. */
export const setbacksOf = ({ setbacks }: Pick<SubmissionRow, 'setbacks'>): Setbacks | undefined =>
  setbacks === null ? undefined : (JSON.parse(setbacks) as Setbacks);

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
