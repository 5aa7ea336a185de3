import { useRef } from 'react';
import type { SubmissionStatus } from '../api/contract.js';

export interface Pace {
  rowsPerSecond?: number;
  leftMs?: number;
}

interface Look {
  at: number;
  rows: number;
  bytes: number;
}

/** How far back the pace looks. Shorter jumps about, longer hides a worker that has stopped. */
const WINDOW_MS = 8_000;

/** Rows per second and time left, from what was seen in this tab during the last seconds. */
export function usePace(submission: SubmissionStatus): Pace {
  const looks = useRef<Look[]>([]);
  const last = looks.current.at(-1);
  const { counts, bytesRead, fileSize } = submission;
  if (!last || last.rows !== counts.rows || last.bytes !== bytesRead) {
    looks.current.push({ at: Date.now(), rows: counts.rows, bytes: bytesRead });
    const from = Date.now() - WINDOW_MS;
    while (looks.current.length > 2 && (looks.current[0]?.at ?? from) < from) looks.current.shift();
  }
  return paceOf(looks.current, fileSize);
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
