/** Which submissions of a list are wanted, and how one is held against that. */
import type { SubmissionState } from './submission.js';

export interface SubmissionFilter {
  /** Absent: of every account. */
  account?: string;
  /** Absent: in any state. */
  states?: readonly SubmissionState[];
  /** A part of the file's name, in upper or lower case. */
  fileName?: string;
  /** Uploaded at or after, and before, in milliseconds since 1970. */
  from?: number;
  to?: number;
  /** False: dry runs are left out. */
  dryRuns: boolean;
}

export interface SubmissionSearch extends SubmissionFilter {
  size: number;
  /** Id of the last submission that the page before looked at. */
  before?: string;
}

/** As much of a submission as decides whether it is wanted. */
export interface SubmissionOutline {
  fileName: string;
  dryRun: boolean;
  created: number;
}

/** Clocks of several machines may differ by this much, so that a later submission may bear an earlier time. */
export const CLOCK_SPREAD_MS = 3_600_000;

const foldedName = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Account and state are the store's to compare; the rest is said here once for every store. */
export function isWanted(outline: SubmissionOutline, filter: SubmissionFilter): boolean {
  if (!filter.dryRuns && outline.dryRun) return false;
  if (filter.from !== undefined && outline.created < filter.from) return false;
  if (filter.to !== undefined && outline.created >= filter.to) return false;
  return filter.fileName === undefined || foldedName(outline.fileName).includes(foldedName(filter.fileName));
}
