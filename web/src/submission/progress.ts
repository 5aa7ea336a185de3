import type { SubmissionStatus } from '../api/contract.js';

export interface Pace {
  rowsPerSecond?: number;
  leftMs?: number;
}

export interface Look {
  at: number;
  rows: number;
  bytes: number;
}

export function paceOf(looks: readonly Look[], fileSize: number): Pace {
  const first = looks[0];
  const last = looks.at(-1);
  if (!first || !last || last.at - first.at < 400) return {};
  const milliseconds = last.at - first.at;
  const rows = last.rows - first.rows;
  const bytes = last.bytes - first.bytes;
  if (rows <= 0) return {};
  const pace: Pace = { rowsPerSecond: (rows * 1000) / milliseconds };
  if (bytes > 0) pace.leftMs = ((fileSize - last.bytes) * milliseconds) / bytes;
  return pace;
}

/** 0 to 100, whole; 100 only at the end. */
export function percentOf({ submissionStatus, bytesRead, fileSize }: SubmissionStatus): number {
  if (submissionStatus !== 'ACTIVE') return 100;
  return fileSize === 0 ? 0 : Math.min(99, Math.floor((100 * bytesRead) / fileSize));
}

/** An answer may be on its way while an event says more: rows that are done are not undone while it runs. */
export function latestOf(known: SubmissionStatus | undefined, reported: SubmissionStatus): SubmissionStatus {
  const bothRun = known?.submissionStatus === 'ACTIVE' && reported.submissionStatus === 'ACTIVE';
  return bothRun && reported.counts.rows < known.counts.rows ? known : reported;
}
