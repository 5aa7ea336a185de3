/**
 * A submission: one uploaded file and what became of it. The states and their allowed moves are the table below;
 * the code, the tests and the diagram in docs/submission-states.md read it.
 */

import type { SampleChange } from '../registry/changes/sample-change-list.js';
import type { IssueCode, IssueSeverity } from '../registry/issue-codes.js';
import type { JsonForm } from '../registry/json-form.js';
import type { KnownProfile } from '../tsv/header/profile.js';
import type { StandingOutcome } from './standing/standing-outcome.js';
import type { ReadAs } from './uploads/read-as.js';
import type { StoredOptions } from './uploads/upload-options.js';

export const SUBMISSION_STATES = ['ACTIVE', 'COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const SUBMISSION_PHASES = ['QUEUED', 'READING', 'REGISTERING', 'DONE'] as const;
export type SubmissionPhase = (typeof SUBMISSION_PHASES)[number];

/** A FAILED submission goes on only when the reason lay outside the file (`Problem.retryable`), a CANCELLED one when it is an undo that is asked for again. */
export const NEXT_STATES = {
  ACTIVE: ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  COMPLETED_WITH_ERRORS: [],
  FAILED: ['ACTIVE'],
  CANCELLED: ['ACTIVE'],
} as const satisfies Record<SubmissionState, readonly SubmissionState[]>;

/** What began a submission other than a file that somebody sent. */
interface Origin {
  /** Of a commit: the dry run that is carried out as it was shown, the earlier upload that it had, and whether the plan of a standing sheet began it by itself. */
  commitOf?: { submissionId: string; earlierUpload?: string; automatic?: true };
  /** Of an undo: the submission whose changes are taken back. */
  undoOf?: string;
  /** The same bytes were uploaded before and their columns read otherwise: the submission whose samples these lines mean. */
  rereadOf?: string;
}

/** What a batch edit does, and which samples it was asked for. */
export interface EditOrder {
  changes: SampleChange[];
  /** Absent where the samples came as a file. */
  select?: EditSelection;
  /** Samples that were found and that the account may not change: how many, and the first accessions. */
  leftOut?: { count: number; examples: string[] };
  /** SHA-256 of the request, hex: the same request later may choose other samples. */
  request?: string;
}

export interface EditSelection {
  text?: string;
  filter?: string[];
  /** How many were named one by one. */
  accessions?: number;
  all?: true;
}

/** What was chosen (the table in upload-options.ts), what began the submission, and how its file was read. */
export interface UploadOptions extends StoredOptions, Origin {
  /** Set when the upload was a workbook. */
  readAs?: ReadAs;
  /** The kept profile that the file is read by, as it was then; those that ship need none. */
  readBy?: KnownProfile;
  /** That profile says the releaseDate; the upload said none. */
  datedBy?: 'profile';
  /** Of a large file: its bytes were seen to be UTF-8 without quotes as they came (check-readable.ts). */
  arePlain?: true;
  /** Set when the file is a batch edit. */
  edit?: EditOrder;
}

export interface Counts {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** The first of a sheet's headers of one kind, shortened, and how many there are. */
export interface HeaderList {
  count: number;
  headers: string[];
}

/** What becomes of a sheet's columns. */
export interface SheetColumns {
  /** Kept as characteristics of that name: plain headers that are no word of ISA-Tab. */
  fromPlainHeaders: HeaderList;
  notStored: HeaderList;
  /** The import profile that says what the columns are; kept ones have a version. */
  profile?: { name: string; title: string; version?: number };
  /** True when no column holds anything but names, identifiers and dates. */
  nothingStored: boolean;
  /** The file is no sheet, but samples as JSON. */
  json?: JsonForm;
}

/** Why a submission FAILED. */
export interface Problem {
  code: string;
  message: string;
  line?: number;
  column?: string;
  /** True when the reason lay outside the file, so that processing may go on from where it stopped. */
  retryable: boolean;
}

/** What interrupted a submission since it last got further. Times are milliseconds since 1970. */
export interface Setbacks {
  outside: number;
  itself: number;
  /** When the first of them happened. */
  since: number;
  nextTry: number;
  /** What was said of the last one. */
  reason?: string;
}

/** Repeats of one issue, grouped: `organism missing on 212 rows: 2, 3, 4 …`. */
export interface IssueGroup {
  code: IssueCode;
  column?: string;
  count: number;
  /** The first lines, at most 10. */
  lines: number[];
  message: string;
  /** `note`: counted, and nothing that anybody has to look at. */
  severity: IssueSeverity;
}

/** Which queue a submission waits in: decided from its bytes, so that small files never wait behind large ones. */
export type Lane = 'small' | 'large';

/** How one submission follows from another: it takes an upload back, or carries a dry run out. */
export type FollowUpKind = 'undo' | 'commit';

export interface Submission {
  /** UUID. */
  id: string;
  account: string;
  /** True when an administrator's token uploaded it: it may update samples of every account. */
  admin: boolean;
  state: SubmissionState;
  phase: SubmissionPhase;
  lane: Lane;
  fileName: string;
  fileSize: number;
  sha256: string;
  /** Of the file, too; absent where an earlier version took it in. */
  crc32?: number;
  blobKey: string;
  options: UploadOptions;
  /** Absent when the header row could not be read. */
  columns?: SheetColumns;
  counts: Counts;
  /** Samples that were there before, were not public, and became so (of a dry run: would become). */
  becomePublic: number;
  /** Of the created samples, those that are public from the start. */
  createdPublic: number;
  /** Of the plan of a standing sheet that has ended, and of its commit. */
  standing?: StandingOutcome;
  /** Issues so far, grouped, the first 100 groups. */
  issues: IssueGroup[];
  bytesRead: number;
  /** Last line of the file whose outcome is recorded; 0 before the first. */
  cursor: number;
  /** How often a worker has claimed it; the claim's fencing number. */
  attempts: number;
  worker?: string;
  leaseUntil?: number;
  /** Since it last got further; absent when nothing interrupted it. */
  setbacks?: Setbacks;
  cancelRequested: boolean;
  problem?: Problem;
  /** An earlier submission of the same bytes: a row without identifier means the sample that the same line got there. */
  earlierUpload?: string;
  /** Accession numbers fixed beforehand for files whose rows refer to each other: the first one. */
  reservedFrom?: number;
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
}

/** Whether there is something to take back. */
export const changedSome = ({
  counts,
  standing,
}: Pick<Submission, 'counts'> & {
  standing?: StandingOutcome | undefined;
}): boolean => counts.created + counts.updated + (standing?.withdrawn ?? 0) > 0;

export const isFinal = (state: SubmissionState): boolean => state !== 'ACTIVE';

/** The end state that the counts call for: every row rejected is a failure. */
export function endState(counts: Counts, cancelled: boolean): SubmissionState {
  if (cancelled) return 'CANCELLED';
  if (counts.rejected === 0) return 'COMPLETED';
  return counts.rejected === counts.rows ? 'FAILED' : 'COMPLETED_WITH_ERRORS';
}
