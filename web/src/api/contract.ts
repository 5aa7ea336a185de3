/** Shapes of the service's documents, as far as the page reads them. */

export type SubmissionState = 'ACTIVE' | 'COMPLETED' | 'COMPLETED_WITH_ERRORS' | 'FAILED' | 'CANCELLED';
export type SubmissionPhase = 'QUEUED' | 'READING' | 'REGISTERING' | 'DONE';

export interface Counts {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** One kind of issue in one column, repeats folded. */
export interface IssueGroup {
  code: string;
  column?: string;
  columnLetter?: string;
  count: number;
  lines: number[];
  message: string;
  severity: 'error' | 'warning';
}

export interface Link {
  href: string;
}

export interface SubmissionStatus {
  submissionId: string;
  submissionStatus: SubmissionState;
  phase: SubmissionPhase;
  submissionDate: string;
  lastUpdateDate: string;
  submitterDetails?: string | { account?: string };
  fileName: string;
  fileSize: number;
  sha256?: string;
  checklist?: string | null;
  options?: Record<string, unknown>;
  counts: Counts;
  bytesRead: number;
  queuePosition?: number;
  attempts: number;
  worker?: string;
  problem?: { code: string; message: string; line?: number; column?: string; retryable?: boolean };
  issues?: IssueGroup[];
  _links?: Record<string, Link>;
}

/** One thing wrong at one cell, in the sheet's words. */
export interface CellIssue {
  line: number;
  column?: string;
  columnLetter?: string;
  code: string;
  value?: string;
  message: string;
  suggestion?: string;
  severity: 'error' | 'warning';
}
