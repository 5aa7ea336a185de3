/** Dates as people and programs write them. */
import { monthOf } from './month-names.js';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** What is wanted, for messages. */
export const WANTED_DATE = 'a date such as 2024-11-21 or 2024-11-21T09:30:00Z';

/**
 * Milliseconds since 1970 of a date, or a date-time with `Z`, an offset or no zone (= UTC). Anything else is no date:
 * then a suggestion, when the text can mean one day only.
 */
export function parseDateTime(text: string): number | { suggestion?: string } {
  const match = ISO.exec(text);
  if (!match) return suggest(text);
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone] = match;
  const date = dayOf(Number(year), Number(month), Number(day));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return {};
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  const ms = date + time + Number(fraction.padEnd(3, '0').slice(0, 3)) - offsetMs(zone);
  // An offset can lead out of the years that can be written, and so sent back; NaN is within none.
  return ms >= FIRST && ms <= LAST ? ms : {};
}

/** `2021-01-01T00:00:00.000Z` */
export const formatDateTime = (ms: number): string => new Date(ms).toISOString();

/** NaN for an offset that there is none of. `Z` has neither hours nor minutes. */
function offsetMs(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Milliseconds of a day that exists, else NaN: 30 February and 1 of month 13 come out in another month. */
function dayOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 ? date.getTime() : Number.NaN;
}

/** What programs write behind a day that has no time. */
const MIDNIGHT = /[ T]0?0:00(?::00(?:[.,]0{1,9})?)?$/;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|er|º)?[-/. ]+(?:de )?(\p{L}[\p{L}\p{M}]{2,10})[-./, ]+(?:de )?(\d{4})$/iu;
const MONTH_FIRST = /^(\p{L}[\p{L}\p{M}]{2,10})\.?[- ]+(\d{1,2})(?:st|nd|rd|th)?,?[- ]+(\d{4})$/iu;

function suggest(text: string): { suggestion?: string } {
  const trimmed = text.trim().replace(MIDNIGHT, '');
  if (/^\d{5}([.,]\d+)?$/.test(trimmed)) return serialDay(Math.floor(Number(trimmed.replace(',', '.'))));
  const yearFirst = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/.exec(trimmed) ?? /^(\d{4})()(\d{2})(\d{2})$/.exec(trimmed);
  if (yearFirst) return day(yearFirst[1], Number(yearFirst[3]), Number(yearFirst[4]));
  const yearLast = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/.exec(trimmed);
  if (yearLast) {
    const [first, second] = [Number(yearLast[1]), Number(yearLast[3])];
    // 05/06/2024 is one day here and another there; with dots the day comes first wherever dots are used.
    if (yearLast[2] !== '.' && first <= 12 && second <= 12 && first !== second) return {};
    return first > 12 || yearLast[2] === '.' ? day(yearLast[4], second, first) : day(yearLast[4], first, second);
  }
  const named = DAY_FIRST.exec(trimmed) ?? swap(MONTH_FIRST.exec(trimmed));
  return named ? day(named[3], monthOf(named[2] as string), Number(named[1])) : {};
}

const swap = (match: RegExpExecArray | null): (string | undefined)[] | null =>
  match && [match[0], match[2], match[1], match[3]];

function day(year: string | undefined, month: number, date: number): { suggestion?: string } {
  const ms = dayOf(Number(year), month, date);
  return Number.isNaN(ms) ? {} : { suggestion: formatDateTime(ms).slice(0, 10) };
}

export const DAY_MS = 86_400_000;
/** Day 0 of a spreadsheet's calendar, with its leap-year error behind it. */
const SPREADSHEET_EPOCH = Date.UTC(1899, 11, 30);
/** The years 1949 to 2099; outside of them a number of five digits is no date. */
const FIRST_SERIAL = 18_000;
const LAST_SERIAL = 73_050;

/** The date that a spreadsheet keeps as this number of days, or nothing when it is a number that no date of today has. */
export function serialDay(days: number): { suggestion?: string } {
  if (days < FIRST_SERIAL || days > LAST_SERIAL) return {};
  return { suggestion: formatDateTime(SPREADSHEET_EPOCH + days * DAY_MS).slice(0, 10) };
}
