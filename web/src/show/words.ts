/** Numbers, sizes and times as the page says them. */

const THIN_SPACE = '\u2009';

/** 12 345, with thin spaces. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);

/** So many in a second: `12 345`, or of fewer than ten two digits, `0.07`. */
export const pace = (value: number): string => (value >= 10 ? count(value) : String(Number(value.toPrecision(2))));

/** `1 row`, `2 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)}${'\u00a0'}${value === 1 ? one : many}`;

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['KB', 'MB', 'GB'];
  let size = value / 1000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** `21 Nov 2026`, in the reader's own zone. */
export function day(iso: string | undefined): string {
  const date = iso === undefined ? undefined : new Date(iso);
  if (!date || Number.isNaN(date.getTime())) return '–';
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** `21 Nov 2026 14:02`, in the reader's own zone. */
export function dayAndTime(iso: string | undefined): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? '–' : `${day(iso)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `1 Mar 2024` in UTC, with the time of day where it is not midnight: a day that a sheet says is a day of UTC. */
export function dayInUtc(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '–';
  const said = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const [hours, minutes] = [date.getUTCHours(), date.getUTCMinutes()];
  return hours === 0 && minutes === 0 ? said : `${said} ${two(hours)}:${two(minutes)} UTC`;
}

/** When a sample of that release date, `2026-11-21` or with a time, becomes public: in the reader's own zone, where that is another than UTC. */
export function publicFrom(release: string): string {
  const begins = new Date(release);
  const known = !Number.isNaN(begins.getTime());
  const inUtc =
    known && !release.includes('T00:00:00') && release.includes('T') ? dayInUtc(release) : 'midnight in UTC';
  if (!known || begins.getTimezoneOffset() === 0) return `Public from ${inUtc}.`;
  return `Public from ${inUtc}: ${dayAndTime(release)} where you are (${zone()}).`;
}

let zoneRead = { offset: Number.NaN, name: '' };

/**
 * The zone that `dayAndTime` speaks in, for the hover. Asked for again only where the clock goes by another offset: each
 * time takes a millisecond, and a long list shows hundreds of times.
 */
export function zone(): string {
  const offset = new Date().getTimezoneOffset();
  if (offset !== zoneRead.offset)
    zoneRead = { offset, name: Intl.DateTimeFormat().resolvedOptions().timeZone || 'local time' };
  return zoneRead.name;
}

/** `40 s`, `12 min`, `3 h`, `5 days`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Without `now`, of what this browser has dated itself. */
export const ago = (iso: string, now = Date.now()): string => {
  const past = now - new Date(iso).getTime();
  return past < 5_000 ? 'just now' : `${span(past)} ago`;
};

/** `3f2a…c910`. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id);
