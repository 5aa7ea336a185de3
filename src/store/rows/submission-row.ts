/** A row of `submission` as both stores have it, and the submission that it says. */

import { isPlan } from '../../submissions/standing/standing.js';
import type { StandingOutcome } from '../../submissions/standing/standing-outcome.js';
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

/** SQLite has no booleans. */
type Flag = boolean | number;

export interface SubmissionRow {
  id: number;
  uuid: string;
  account: number;
  admin: Flag;
  state: SubmissionState;
  phase: Submission['phase'];
  lane: Lane;
  file_name: string;
  file_size: number;
  sha256: string;
  crc32: number | null;
  blob_key: string;
  /** When it was removed, as the settings for keeping say. */
  original_gone: number | null;
  options: string;
  dry_run: Flag;
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
  cancel_requested: Flag;
  problem: string | null;
  /** The earlier upload; the column keeps the name it began with, which processes of the version before read, too. */
  twin_of: number | null;
  reserved_from: number | null;
  reserved_count: number | null;
  /** Of an upload with keys. */
  key_space: number | null;
  /** Of a plan's commit by itself: the plan, whose place in the key space it takes. */
  turn_of: number | null;
  /** JSON: what came of a standing sheet; empty while it is planned. */
  standing: string | null;
  created: number;
  updated: number;
}

const PLANNING = '{}';

/** What the numbers of the row stand for. */
export interface SubmissionNames {
  account: string;
  earlierUpload: string | null;
}

export function submissionOf(row: SubmissionRow, names: SubmissionNames): Submission {
  return {
    id: row.uuid,
    account: names.account,
    admin: Boolean(row.admin),
    state: row.state,
    phase: row.phase,
    lane: row.lane,
    fileName: row.file_name,
    fileSize: row.file_size,
    sha256: row.sha256,
    ...(row.crc32 === null ? {} : { crc32: row.crc32 }),
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
    ...(row.standing === null || row.standing === PLANNING
      ? {}
      : { standing: JSON.parse(row.standing) as StandingOutcome }),
    issues: JSON.parse(row.issues) as IssueGroup[],
    bytesRead: row.bytes_read,
    cursor: row.cursor,
    attempts: row.attempts,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...(row.lease_until === null ? {} : { leaseUntil: row.lease_until }),
    ...(row.setbacks === null ? {} : { setbacks: setbacksOf(row) as Setbacks }),
    cancelRequested: Boolean(row.cancel_requested),
    ...(row.problem === null ? {} : { problem: JSON.parse(row.problem) as Problem }),
    ...(names.earlierUpload === null ? {} : { earlierUpload: names.earlierUpload }),
    ...(row.reserved_from === null ? {} : { reservedFrom: row.reserved_from }),
    created: row.created,
    updated: row.updated,
  };
}

/** Of a row that may have none. */
export const setbacksOf = ({ setbacks }: Pick<SubmissionRow, 'setbacks'>): Setbacks | undefined =>
  setbacks === null ? undefined : (JSON.parse(setbacks) as Setbacks);

/** Columns of a new row, in the order of their values. */
export const NEW_SUBMISSION =
  'uuid, account, admin, state, phase, lane, file_name, file_size, sha256, crc32, blob_key, options, dry_run, columns, problem, created, updated, key_space, standing, twin_of, turn_of';

/** The plan whose place in its key space a new submission takes. */
export const turnOf = ({ options: { commitOf } }: Pick<NewSubmission, 'options'>): string | undefined =>
  commitOf?.automatic ? commitOf.submissionId : undefined;

/** `earlier` and `plan` as the store spells them. */
export const newSubmissionValues = <Name>(
  draft: NewSubmission,
  { account, space }: { account: number; space: number | null },
  { earlier, plan }: { earlier: Name; plan: Name },
) => [
  draft.id,
  account,
  draft.admin ? 1 : 0,
  draft.state,
  draft.phase,
  draft.lane,
  draft.fileName,
  draft.fileSize,
  draft.sha256,
  draft.crc32 ?? null,
  draft.blobKey,
  JSON.stringify(draft.options),
  draft.options.dryRun ? 1 : 0,
  jsonOrNull(draft.columns),
  jsonOrNull(draft.problem),
  draft.created,
  draft.updated,
  space,
  isPlan(draft.options) ? PLANNING : null,
  earlier,
  plan,
];

export const jsonOrNull = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

type OutlineRow = Pick<SubmissionRow, 'id' | 'uuid' | 'file_name' | 'dry_run' | 'created'>;

/** What a list needs of a submission to know whether it is wanted. */
export const outlineOf = ({ id, uuid, file_name, dry_run, created }: OutlineRow) => ({
  number: id,
  id: uuid,
  fileName: file_name,
  dryRun: Boolean(dry_run),
  created,
});
