/** Days of the reader's own calendar as moments, for lists that show when something happened in the reader's zone. */

/** Midnight where the reader is, so many days after this one, `2026-11-21`; empty for what is no day. */
export function startOfDay(day: string, daysLater: number): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!parts) return '';
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysLater).toISOString();
}

/** What a span of days says of its last one where that comes before the first; both as fields of days have them. */
export const backwardsSpan = (first: string, last: string): string | undefined =>
  first !== '' && last !== '' && last < first ? 'This day is before the first one.' : undefined;

/** The last moment of that day; empty for what is no day. */
export function endOfDay(day: string): string {
  const next = startOfDay(day, 1);
  return next === '' ? '' : new Date(Date.parse(next) - 1).toISOString();
}
