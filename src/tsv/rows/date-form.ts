/** Dates in a form that somebody has named, such as `DD.MM.YYYY`, as ISO 8601. */
import { parseDateTime } from '../../registry/date-time.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What a form is made of, with what it takes of a text. */
const PARTS = {
  YYYY: String.raw`(?<year>\d{4})`,
  MMM: String.raw`(?<word>[A-Za-z]{3})[A-Za-z]*\.?`,
  MM: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d{1,2})`,
  hh: String.raw`(?<hour>\d{1,2})`,
  mm: String.raw`(?<minute>\d{2})`,
  ss: String.raw`(?<second>\d{2})`,
};
const TOKEN = /YYYY|MMM|MM|DD|hh|mm|ss|[^A-Za-z0-9]/uy;
/** Signs that mean something in a pattern; with the flag `u` no other may be escaped. */
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

const isDigits = (part: string | undefined): boolean => part !== undefined && part in PARTS && part !== 'MMM';

/** Of a date form; the names of months are English. */
export const DATE_FORM_PARTS = Object.keys(PARTS).join(', ');

/**
 * Reads dates of this form: `YYYY-MM-DD`, with `Thh:mm:ssZ` where the form has hours; undefined for any other text and
 * for days that the calendar lacks. No function when the form is none, or names no year.
 */
export function dateReader(form: string): ((text: string) => string | undefined) | undefined {
  const parts: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < form.length) {
    const at = TOKEN.exec(form)?.[0];
    if (at === undefined) return undefined;
    parts.push(at);
  }
  const named = parts.filter((part) => part in PARTS);
  const month = named.filter((part) => part.startsWith('MM'));
  if (!named.includes('YYYY') || month.length !== 1 || !named.includes('DD') || new Set(named).size < named.length)
    return undefined;
  if (named.includes('hh') !== named.includes('mm') || (named.includes('ss') && !named.includes('mm')))
    return undefined;
  const source = parts.map((part, at) => {
    const taken = PARTS[part as keyof typeof PARTS] ?? part.replace(SYNTAX, '\\$&');
    // Of digits that nothing parts, each has all of its own: `1122024` may be a day of February or of December.
    return isDigits(parts[at - 1]) || isDigits(parts[at + 1]) ? taken.replace('{1,2}', '{2}') : taken;
  });
  const pattern = new RegExp(`^${source.join('')}$`, 'u');
  return (text) => {
    const found = pattern.exec(text)?.groups;
    if (!found) return undefined;
    const { year, word, day = '', hour, minute, second = '00' } = found;
    const number = word === undefined ? found.month : String(MONTHS.indexOf(word.toLowerCase()) + 1);
    const date = `${year}-${number?.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const iso = hour === undefined ? date : `${date}T${hour.padStart(2, '0')}:${minute}:${second}Z`;
    return typeof parseDateTime(iso) === 'number' ? iso : undefined;
  };
}
