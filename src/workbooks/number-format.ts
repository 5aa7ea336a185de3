/** Numbers as their cell format means them: dates to ISO 8601, padded ids padded, everything else by value. */
import { DAY_MS } from '../registry/date-time.js';

export type NumberMeaning =
  | { kind: 'number' }
  | { kind: 'date' }
  | { kind: 'time' }
  /** `shape`: what the id looks like, a NUL for each of its digits. */
  | { kind: 'padded'; shape: string; width: number };

const NUMBER: NumberMeaning = { kind: 'number' };
const DATE: NumberMeaning = { kind: 'date' };
const TIME: NumberMeaning = { kind: 'time' };

/** Built-in formats (ECMA-376 18.8.30; 27–36 and 50–58 are dates in East Asian versions). */
export function builtInMeaning(id: number): NumberMeaning {
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return DATE;
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return TIME;
  return NUMBER;
}

/** What a format code of the workbook itself makes of a number. */
export function formatMeaning(code: string): NumberMeaning {
  const shape = shapeOf(code.split(';')[0] ?? '');
  const width = shape?.split(DIGIT).length ?? 0;
  if (shape !== undefined && width > 2) return { kind: 'padded', shape, width: width - 1 };
  const positive = withoutLiterals(code.split(';')[0] ?? '');
  if (/general|[0#?]/i.test(positive.replace(/[.,]0+/g, ''))) return NUMBER;
  const letters = positive.toLowerCase();
  if (/[yd]|e/.test(letters) || /mmm|b/.test(letters)) return DATE;
  if (/[hs]/.test(letters)) return TIME;
  return letters.includes('m') ? DATE : NUMBER;
}

const DIGIT = '\0';
/** Quoted and escaped text; widths, fillings, colours and languages, which are no text; a digit; signs that stand for themselves; all else. */
const PART = /"([^"]*)"?|\\(.)|[_*].|\[(?!\$[^-])[^\]]*\]|(0)|([-+() ])|(.)/gsu;

/** The shape of ids of digits, `"PAT-"0000`; undefined for a format of anything else. A word behind the digits and a blank is a unit, and no part of one. */
function shapeOf(code: string): string | undefined {
  let shape = '';
  for (const [, quoted = '', escaped = '', digit, sign = '', other] of code.matchAll(PART)) {
    if (other !== undefined) return undefined;
    shape += digit === undefined ? quoted + escaped + sign : DIGIT;
  }
  return withoutUnit(shape.trim());
}

/** Without what stands behind the last digit and a blank. */
export const withoutUnit = (id: string): string => id.replace(/(?<=[\d\0])\s[^\d\0]*$/, '');

/** Without quoted text, escaped characters, colours, conditions and locales; elapsed time [h] counts as h. */
function withoutLiterals(code: string): string {
  return code
    .replace(/"[^"]*"?/g, '')
    .replace(/[\\_*]./g, '')
    .replace(/\[(h+|m+|s+)\]/gi, '$1')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/am\/pm|a\/p/gi, '')
    .trim();
}

const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The year 10000. */
const MAX_MS = 253_402_300_800_000;

/** An id that a program wrote with all its digits: read as a number, it would lose those behind the fifteenth. */
const LONG = /^(-?[1-9]\d{15,})(?:\.0*)?$/;

/** The text of a number cell. `raw` is what the workbook holds, to the last digit. */
export function numberText(raw: string, meaning: NumberMeaning, date1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const text = LONG.exec(raw)?.[1] ?? plain(value);
  if (meaning.kind === 'number') return text;
  if (meaning.kind === 'padded') return /^\d+$/.test(text) ? inShape(text, meaning) : text;
  const elapsed = meaning.kind === 'time' && value >= 0 && value < MAX_ELAPSED_DAYS;
  return (elapsed ? clock(value) : calendar(value, date1904)) ?? text;
}

/** What there is of digits beyond the shape stands in front of its first. */
function inShape(digits: string, { shape, width }: { shape: string; width: number }): string {
  const padded = digits.padStart(width, '0');
  let at = padded.length - width;
  return shape.replaceAll(DIGIT, (_, where: number) => {
    at++;
    return where === shape.indexOf(DIGIT) ? padded.slice(0, at) : (padded[at - 1] as string);
  });
}

/** Spreadsheets keep 15 digits; what a double has beyond them is an artefact (`0.30000000000000004`). */
function plain(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  return String(Number(value.toPrecision(15)));
}

/** A larger number under a format of hours is a day and time of which only the time is shown. */
const MAX_ELAPSED_DAYS = 1000;

/** `09:30:00`, `26:30:00` */
function clock(days: number): string {
  const seconds = Math.round(days * 86_400);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** The 1900 calendar has a 29 February 1900 that never was; days before it are one less. */
function calendar(serial: number, date1904: boolean): string | undefined {
  if (serial < 0 || (!date1904 && serial < 1)) return undefined;
  const days = !date1904 && serial < 60 ? serial + 1 : serial;
  const ms = (date1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(days * 86_400) * 1000;
  if (ms >= MAX_MS) return undefined;
  const text = new Date(ms).toISOString();
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 19);
}
