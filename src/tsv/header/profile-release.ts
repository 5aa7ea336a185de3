/** The date of release that a profile says of sheets that lack one. */
import { DAY_MS, parseDateTime } from '../../registry/date-time.js';
import type { KnownProfile } from './profile.js';

/** As a profile writes the day of the upload. */
export const UPLOAD_DAY = 'today';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day as YYYY-MM-DD, or the day of the upload. */
export const isRelease = (text: string): boolean =>
  text === UPLOAD_DAY || (DAY.test(text) && typeof parseDateTime(text) === 'number');

/** Nobody's samples become public by the word of somebody else: of a shared profile, the account that has it is held to it alone. */
export const saidRelease = ({ rank, document }: KnownProfile): string | undefined =>
  rank === 'own' ? document.release : undefined;

/** The day is that of UTC, so that what is released on it is public at once, wherever somebody is. Milliseconds since 1970. */
export const dayOfUpload = (now: number): number => now - (now % DAY_MS);

/** Milliseconds since 1970. `now` of the upload. */
export function releaseBy(known: KnownProfile, now: number): number | undefined {
  const said = saidRelease(known);
  if (said === undefined) return undefined;
  return said === UPLOAD_DAY ? dayOfUpload(now) : Date.parse(`${said}T00:00:00Z`);
}
