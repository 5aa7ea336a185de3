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

/** Milliseconds since 1970. `now` of the upload; its day is that of UTC. */
export function releaseBy(known: KnownProfile, now: number): number | undefined {
  const said = saidRelease(known);
  if (said === undefined) return undefined;
  return said === UPLOAD_DAY ? now - (now % DAY_MS) : Date.parse(`${said}T00:00:00Z`);
}
