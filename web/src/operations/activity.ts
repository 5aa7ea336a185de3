/** What the registry is doing, reckoned from the submissions that an administrator sees. */
import type { SubmissionStatus } from '../api/contract.js';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface Activity {
  waiting: SubmissionStatus[];
  running: SubmissionStatus[];
  /** Age of the oldest waiting submission. */
  oldestWaitingMs: number | undefined;
  perMinute: Minute[];
}

export interface Minute {
  /** `14:02`, local. */
  time: string;
  /** Of a sheet of some rows a part of one. */
  rowsPerSecond: number;
}

export function activityOf(submissions: readonly SubmissionStatus[], now: number): Activity {
  const active = submissions.filter(({ submissionStatus }) => submissionStatus === 'ACTIVE');
  const waiting = active.filter(({ phase }) => phase === 'QUEUED');
  const oldest = Math.min(...waiting.map(({ submissionDate }) => Date.parse(submissionDate)));
  return {
    waiting,
    running: active.filter(({ phase }) => phase !== 'QUEUED'),
    oldestWaitingMs: Number.isFinite(oldest) ? now - oldest : undefined,
    perMinute: perMinute(submissions, now),
  };
}

/** The rows of each submission, spread evenly over the time between its arrival and its last sign of life. */
function perMinute(submissions: readonly SubmissionStatus[], now: number): Minute[] {
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const start = end - HOUR_MS;
  const rows = new Array<number>(60).fill(0);
  for (const { counts, submissionDate, lastUpdateDate } of submissions) {
    const from = Date.parse(submissionDate);
    const until = Math.max(from + 1, Date.parse(lastUpdateDate));
    if (until < start || counts.rows === 0) continue;
    const perMs = counts.rows / (until - from);
    for (let minute = 0; minute < 60; minute++) {
      const left = Math.max(from, start + minute * MINUTE_MS);
      const right = Math.min(until, start + (minute + 1) * MINUTE_MS);
      if (right > left) rows[minute] = (rows[minute] ?? 0) + perMs * (right - left);
    }
  }
  return rows.map((sum, minute) => ({ time: clock(start + minute * MINUTE_MS), rowsPerSecond: sum / 60 }));
}

function clock(time: number): string {
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}
