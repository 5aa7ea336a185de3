/** Numbers as their cell format means them: dates to ISO 8601, padded ids padded, everything else by value. */
import { DAY_MS } from '../registry/date-time.js';

export type NumberMeaning =
  | { kind: 'number' }
  | { kind: 'date' }
  | { kind: 'time' }
  | { kind: 'padded'; width: number };

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
  const positive = withoutLiterals(code.split(';')[0] ?? '');
  if (/^0{2,}$/.test(positive)) return { kind: 'padded', width: positive.length };
  if (/general|[0#?]/i.test(positive.replace(/[.,]0+/g, ''))) return NUMBER;
  const letters = positive.toLowerCase();
  if (/[yd]|e/.test(letters) || /mmm|b/.test(letters)) return DATE;
  if (/[hs]/.test(letters)) return TIME;
  return letters.includes('m') ? DATE : NUMBER;
}

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

/** The text of a number cell. `raw` is what the workbook holds, to the last digit. */
export function numberText(raw: string, meaning: NumberMeaning, date1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (meaning.kind === 'padded')
    return Number.isInteger(value) && value >= 0 ? String(value).padStart(meaning.width, '0') : plain(value);
  if (meaning.kind === 'number') return plain(value);
  const elapsed = meaning.kind === 'time' && value >= 0 && value < MAX_ELAPSED_DAYS;
  return (elapsed ? clock(value) : calendar(value, date1904)) ?? plain(value);
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
