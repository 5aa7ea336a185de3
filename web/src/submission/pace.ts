import { useRef } from 'react';
import type { SubmissionStatus } from '../api/contract.js';
import { type Look, type Pace, paceOf } from './progress.js';

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
