/** Values that say the same and are written otherwise: what a spreadsheet makes of numbers, dates, words for true, and of what it takes for a date. */
import { serialDay } from '../../registry/date-time.js';

const LONGEST = 100;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e([+-]?\d{1,3}))?$/i;
const TRUTH = /^(?:true|false)$/i;
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|gen)/,
  /^(?:feb|fév|fev)/,
  /^(?:mar|mär|mrz|mrt)/,
  /^(?:apr|avr|abr)/,
  /^(?:may|mai|mei|mag)/,
  /^(?:jun|juin|giu)/,
  /^(?:jul|juil|lug)/,
  /^(?:aug|août|aou|ago)/,
  /^(?:sep|set)/,
  /^(?:oct|okt|ott|out)/,
  /^(?:nov)/,
  /^(?:dec|dez|déc|dic)/,
];

/** Whether the second text is the first as a spreadsheet may have written it. */
export function isRespelled(before: string, after: string): boolean {
  if (before === after || before.length > LONGEST || after.length > LONGEST) return false;
  if (TRUTH.test(before) && before.toLowerCase() === after.toLowerCase()) return true;
  return isSameNumber(before, after) || isSameDate(before, after) || isTakenForDate(before, after);
}

/** `007` and `7`, `1.5` and `1,5`, `1000000` and `1,000,000`, `123456789012` and `1.23E+11`. */
function isSameNumber(before: string, after: string): boolean {
  const said = numberIn(before);
  if (said === undefined) return false;
  if (/^[+-]?\d{1,3}(?:[,.' ]\d{3})+$/.test(after) && Number(after.replace(/[,.' ]/g, '')) === said) return true;
  const now = numberIn(after);
  if (now === undefined) return false;
  if (now === said) return true;
  const digits = /^[+-]?\d(?:[.,](\d+))?e/i.exec(after);
  return digits !== null && Number(said.toExponential(digits[1]?.length ?? 0)) === now;
}

const numberIn = (text: string): number | undefined => (NUMBER.test(text) ? Number(text.replace(',', '.')) : undefined);

interface Day {
  year?: number;
  month: number;
  day?: number;
}

/** `2024-05-01` and `01/05/2024`, `5/1/24`, `1-May-24`, `45413`; `2024-05` and `May-24`. */
function isSameDate(before: string, after: string): boolean {
  const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ]0?0:00(?::00)?(?:\.0+)?Z?)?$/.exec(before);
  if (!iso) return false;
  const [year, month, day] = iso.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  const said = { year: year as number, month: month as number, ...(day === undefined ? {} : { day }) };
  if (/^\d{5}$/.test(after))
    return serialDay(Number(after)).suggestion === (day === undefined ? `${iso[0]}-01` : iso[0].slice(0, 10));
  return readings(after).some((seen) => isDay(seen, said));
}

/** A month alone becomes its first day. */
const isDay = (seen: Day, { year, month, day = 1 }: Day & { year: number }): boolean =>
  seen.month === month && (seen.day ?? 1) === day && (seen.year === year || seen.year === year % 100);

/** `SEPT2` and `2-Sep`, `1-2` and `2-Jan` or `2026-01-02`. */
function isTakenForDate(before: string, after: string): boolean {
  const parts = before.match(/\d+|\p{L}+/gu) ?? [];
  if (parts.length !== 2 || /^\d+$/.test(before)) return false;
  const [first, second] = parts as [string, string];
  return readings(after).some(({ month, day, year = 0 }) => {
    const isNumber = (text: string): boolean => {
      const number = Number(text);
      return day === number || ((day ?? 1) === 1 && (number === year || number % 100 === year % 100));
    };
    return (isMonth(first, month) && isNumber(second)) || (isMonth(second, month) && isNumber(first));
  });
}

const isMonth = (text: string, month: number): boolean =>
  /^\d+$/.test(text) ? Number(text) === month : (MONTHS[month - 1] as RegExp).test(text.toLowerCase());

/** The dates that a text may mean: two or three parts, in any order that is one, with a midnight behind them or none. */
function readings(text: string): Day[] {
  const parts = text.replace(/[T ]0?0:00(?::00)?(?:\.0+)?Z?$/, '').match(/\d+|\p{L}+/gu) ?? [];
  if (parts.length < 2 || parts.length > 3 || /[^\p{L}\d./, -]/u.test(text.replace(/:/g, ''))) return [];
  const orders = parts.length === 3 ? ['dmy', 'mdy', 'ymd'] : ['dm', 'md', 'my', 'ym'];
  return orders.flatMap((order) => {
    const of = (letter: string): string | undefined => parts[order.indexOf(letter)];
    const month = monthIn(of('m') as string);
    const [day, year] = [of('d'), of('y')];
    if (month === undefined || [day, year].some((part) => part !== undefined && !/^\d{1,4}$/.test(part))) return [];
    return [{ month, ...(day && { day: Number(day) }), ...(year && { year: Number(year) }) }];
  });
}

function monthIn(text: string): number | undefined {
  const month = /^\d{1,2}$/.test(text) ? Number(text) : MONTHS.findIndex((name) => name.test(text.toLowerCase())) + 1;
  return month >= 1 && month <= 12 ? month : undefined;
}
