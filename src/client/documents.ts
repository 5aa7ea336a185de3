/** What the service answers, as far as a client reads it. Times are ISO 8601, UTC. */

import type { IssueCode, IssueSeverity } from '../registry/issue-codes.js';

export { safeBase } from '../submissions/results/archive-names.js';
export { formOf, PART_ENDING, RESULT_ENDING, type ResultForm } from '../submissions/results/result-form.js';
export {
  type GivenOptions as UploadOptions,
  OPTION_NAMES,
  type OptionName,
  optionFields,
  optionOf,
} from '../submissions/uploads/upload-options.js';

export type SubmissionStatus = 'ACTIVE' | 'COMPLETED' | 'COMPLETED_WITH_ERRORS' | 'FAILED' | 'CANCELLED';

export interface Counts {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** Repeats of one issue: how many rows, and the first of their lines (header = 1). */
export interface IssueGroup {
  code: IssueCode;
  column?: string;
  count: number;
  lines: number[];
  message: string;
  severity?: IssueSeverity;
}

export interface SubmissionProblem {
  code: string;
  message: string;
  line?: number;
  column?: string;
  /** True when the reason lay outside the file, so that the same file may be sent again. */
  retryable?: boolean;
}

export interface HeaderList {
  count: number;
  headers: string[];
}

export interface SheetColumns {
  profile?: { name: string; title: string; version?: number };
  fromPlainHeaders: HeaderList;
  notStored: HeaderList;
  nothingStored: boolean;
  /** The file is no sheet, but samples as JSON. */
  json?: string;
}

export interface SubmissionDocument {
  submissionId: string;
  submissionStatus: SubmissionStatus;
  phase?: 'QUEUED' | 'READING' | 'REGISTERING' | 'DONE';
  submissionDate?: string;
  lastUpdateDate?: string;
  fileName?: string;
  /** Bytes. */
  fileSize: number;
  sha256?: string;
  counts: Counts;
  columns?: SheetColumns;
  standing?: StandingDocument;
  /** Samples that were not public before the upload. */
  becomePublic?: number;
  options?: { dryRun?: boolean; standing?: string; readAs?: { isa?: true } };
  edit?: { changes: EditedChange[]; leftOut?: { count: number; examples: string[] } };
  bytesRead: number;
  /** How many submissions wait before this one. */
  queuePosition?: number;
  /** What interrupted it, in words. */
  setbacks?: { message: string; nextTry: string };
  problem?: SubmissionProblem;
  issues?: IssueGroup[];
}

/** Of a standing sheet: what its plan found, and what its commit did. */
export interface StandingDocument {
  decision?: 'WAITING' | 'STOPPED' | 'COMMITTED';
  message?: string;
  samples?: number;
  missing?: number;
  /** Submission that carries the plan out. */
  commit?: string;
  withdrawn?: number;
  left?: number;
}

/** Many samples changed alike; the interface description says what a change may be. */
export interface EditRequest {
  select: { text?: string; filter?: string[]; accessions?: string[]; all?: true };
  changes: object[];
  dryRun?: boolean;
  mode?: 'partial' | 'atomic';
  checklist?: string;
}

/** Of a batch edit: a change, and how many samples it concerns. */
export interface EditedChange {
  set?: string;
  rename?: string;
  to?: string;
  clear?: string;
  release?: string;
  changed: number;
  already: number;
  lacking: number;
}

/** An RFC 9457 problem document. */
export interface ProblemDocument {
  type?: string;
  title?: string;
  status: number;
  detail?: string;
  code?: string;
  errors?: { dataPath: string; errors: string[] }[];
  [member: string]: unknown;
}

export const hasEnded = (status: SubmissionStatus): boolean => status !== 'ACTIVE';

/** What a list needs of a sample. */
export interface SampleDocument {
  accession: string;
  name: string;
  release?: string;
  status?: string;
  [member: string]: unknown;
}

export interface ListedProfile {
  name: string;
  rank: 'own' | 'shared' | 'shipped';
  title: string;
  version?: number;
}

/** What one column of a file is taken for. */
export interface ProposedColumn {
  header: string;
  examples: string[];
  /** As in a profile; absent: it has no meaning yet. */
  meaning?: { as: string; [member: string]: unknown };
  why: string;
  confidence: 'high' | 'middle' | 'low';
  /** New to the kept profile that nearly fits. */
  fresh?: boolean;
}

export interface SheetProposal {
  sheet?: string;
  /** Sheets of a workbook that name samples, where several do. */
  tables?: string[];
  headerLine: number;
  columns: ProposedColumn[];
  /** An import profile. */
  document: unknown;
  lacks: ('name' | 'organism' | 'release')[];
  profile?: { name: string; missing?: string[] };
}

/** Counts as `GET /samples` answers them. */
export interface FacetsDocument {
  samples: number;
  characteristics: {
    name: string;
    samples: number;
    values: { value: string; samples: number }[];
    others?: number;
    ranges?: { from?: number | string; below?: number | string; samples: number }[];
  }[];
  notIndexed?: number;
}
