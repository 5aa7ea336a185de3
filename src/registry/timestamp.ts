/**
 * Dates and times, in requests and sheets alike: ISO 8601 date or date-time, with or without fraction, with `Z`, an
 * offset or no zone (= UTC). Nothing else is guessed; an unambiguous other form gets a suggestion.
 */

/** Why a text is no timestamp: plain words ending in the wanted form, and what was probably meant. */
export interface TimestampFault {
  message: string;
  suggestion?: string;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Milliseconds since 1970, UTC; finer fractions are cut off. */
export function parseTimestamp(text: string): number | TimestampFault {
  const trimmed = text.trim();
  const parts = ISO.exec(trimmed);
  if (!parts) return fault(trimmed);
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts;
  const date = utcDate(Number(year), Number(month), Number(day));
  if (date === undefined) return { message: `"${trimmed}" is a day that the calendar does not have.` };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return { message: `"${trimmed}" is a time that the clock does not have.` };
  }
  const offset = offsetMinutes(zone);
  if (offset === undefined) return { message: `"${trimmed}" has a time zone that does not exist.` };
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return date + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000 + ms;
}

/** As every answer spells it: UTC, milliseconds, `Z`. */
export const formatTimestamp = (ms: number): string => new Date(ms).toISOString();

function utcDate(year: number, month: number, day: number): number | undefined {
  if (year < 1) return undefined;
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || '0');
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function fault(text: string): TimestampFault {
  const suggestion = suggest(text);
  const meant = suggestion === undefined ? 'a date such as 2024-11-21 or 2024-11-21T09:30:00Z' : suggestion;
  const message = `"${text.slice(0, 100)}" is not an ISO 8601 date; write ${meant}.`;
  return suggestion === undefined ? { message } : { message, suggestion };
}

/** The ISO spelling, when the text can only mean one day. */
function suggest(text: string): string | undefined {
  const blank = /^(\d{4}-\d\d-\d\d) +(\d\d:\d\d.*)$/.exec(text);
  if (blank && typeof parseTimestamp(`${blank[1]}T${blank[2]}`) === 'number') return `${blank[1]}T${blank[2]}`;
  const yearFirst = /^(\d{4})[-/.]?(\d\d?)[-/.]?(\d\d?)$/.exec(text);
  if (yearFirst && (/\D/.test(text) || text.length === 8)) return day(yearFirst[1], yearFirst[2], yearFirst[3]);
  const numbers = /^(\d\d?)[-/. ](\d\d?)[-/. ](\d{4})$/.exec(text);
  if (numbers) return fromTwoNumbers(Number(numbers[1]), Number(numbers[2]), numbers[3]);
  const named = /^(\d\d?)[-/. ]*([A-Za-z]{3})[a-z]*\.?,?[-/. ]*(\d{4})$/.exec(text);
  if (named) return day(named[3], monthNumber(named[2]), named[1]);
  const american = /^([A-Za-z]{3})[a-z]*\.? +(\d\d?),? +(\d{4})$/.exec(text);
  return american ? day(american[3], monthNumber(american[1]), american[2]) : undefined;
}

const monthNumber = (name = ''): number => MONTHS.indexOf(name.toLowerCase()) + 1;

/** Day and month in either order mean one day only when one of them cannot be a month, or both are the same. */
function fromTwoNumbers(first: number, second: number, year: string | undefined): string | undefined {
  if (first > 12 || first === second) return day(year, second, first);
  return second > 12 ? day(year, first, second) : undefined;
}

function day(
  year: string | undefined,
  month: string | number | undefined,
  dayOfMonth: string | undefined | number,
): string | undefined {
  const spelt = `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
  return typeof parseTimestamp(spelt) === 'number' ? spelt : undefined;
}
