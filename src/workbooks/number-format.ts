/** Numbers as their cell format means them: dates to ISO 8601, padded ids padded, everything else by value, with what the format shows beside it. */
import { DAY_MS } from '../registry/date-time.js';
import { type Section, sectionsOf, splitSections } from './format-code.js';
import { plain, withBeside } from './shown-number.js';

export type NumberMeaning =
  | { kind: 'number' }
  /** `fraction`: parts of a second are shown. */
  | { kind: 'date' | 'time'; fraction?: boolean }
  /** `shape`: what the id looks like, a NUL for each of its digits. `whole`: shorter ones have none. */
  | { kind: 'padded'; shape: string; width: number; whole: boolean }
  | { kind: 'shown'; sections: readonly Section[] };

const NUMBER: NumberMeaning = { kind: 'number' };
const DATE: NumberMeaning = { kind: 'date' };
const TIME: NumberMeaning = { kind: 'time' };
const PERCENTAGE: NumberMeaning = shown('0%');

/** Built-in formats (ECMA-376 18.8.30; 27–36 and 50–58 are dates in East Asian versions). */
export function builtInMeaning(id: number): NumberMeaning {
  if (id === 9 || id === 10) return PERCENTAGE;
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return DATE;
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)) return TIME;
  return NUMBER;
}

/** Spreadsheets keep 255 letters of a code; what is longer no program has written. */
const LONGEST_CODE = 1_000;

/** What a format code of the workbook itself makes of a number. */
export function formatMeaning(code: string): NumberMeaning {
  if (code.length > LONGEST_CODE) return NUMBER;
  const first = splitSections(code)[0] ?? '';
  const id = idOf(first);
  if (id) return id;
  const positive = withoutLiterals(first);
  if (/general|[0#?]/i.test(positive.replace(/[.,]0+/g, ''))) return shown(code);
  const letters = positive.toLowerCase();
  const fraction = /s[.,]0/.test(letters);
  if (/[yd]|e/.test(letters) || /mmm|b/.test(letters)) return { kind: 'date', fraction };
  if (/[hs]/.test(letters)) return { kind: 'time', fraction };
  return letters.includes('m') ? DATE : shown(code);
}

function shown(code: string): NumberMeaning {
  const sections = sectionsOf(code);
  return sections ? { kind: 'shown', sections } : NUMBER;
}

const DIGIT = '\0';
/** Quoted and escaped text; widths, fillings, colours and languages, which are no text; a digit that is always there, or may be; signs that stand for themselves; all else. */
const PART = /"([^"]*)"?|\\(.)|[_*].|\[(?!\$[^-])[^\]]*\]|(0)|(#)|([-+(): ])|(.)/gsu;

/** An id of digits, `"PAT-"0000`, or of some with signs between them, `###-####`; undefined for a format of anything else. */
function idOf(code: string): NumberMeaning | undefined {
  let shape = '';
  let optional = 0;
  for (const [, quoted = '', escaped = '', digit, open, sign = '', other] of code.matchAll(PART)) {
    if (other !== undefined) return undefined;
    if (open !== undefined) optional++;
    shape += digit === undefined && open === undefined ? quoted + escaped + sign : DIGIT;
  }
  const width = shape.split(DIGIT).length - 1;
  if (width < 2 || (optional > 0 && !/\0[^\0]+\0/.test(shape))) return undefined;
  return { kind: 'padded', shape: shape.trim(), width, whole: optional > 0 };
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

/** An id that a program wrote with all its digits: read as a number, it would lose those behind the fifteenth. */
const LONG = /^(-?[1-9]\d{15,})(?:\.0*)?$/;

/** The text of a number cell. `raw` is what the workbook holds, to the last digit. */
export function numberText(raw: string, meaning: NumberMeaning, date1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const text = LONG.exec(raw)?.[1] ?? plain(value);
  if (meaning.kind === 'number') return text;
  if (meaning.kind === 'padded') return /^\d+$/.test(text) ? inShape(text, meaning) : text;
  if (meaning.kind === 'shown') return shownText(text, value, meaning.sections);
  const elapsed = meaning.kind === 'time' && value >= 0 && value < MAX_ELAPSED_DAYS;
  return (elapsed ? clock(value, meaning.fraction) : calendar(value, date1904, meaning.fraction)) ?? text;
}

function shownText(text: string, value: number, sections: readonly Section[]): string {
  const { beside, words } = sections.find(({ isFor }) => isFor(value)) ?? {};
  return words ?? (beside ? withBeside(text, beside) : text);
}

/** What there is of digits beyond the shape stands in front of its first. */
function inShape(digits: string, { shape, width, whole }: { shape: string; width: number; whole: boolean }): string {
  if (whole && digits.length < width) return digits;
  const padded = digits.padStart(width, '0');
  let at = padded.length - width;
  const first = shape.indexOf(DIGIT);
  return shape.replaceAll(DIGIT, (_, where: number) => {
    at++;
    return where === first ? padded.slice(0, at) : (padded[at - 1] as string);
  });
}

/** A larger number under a format of hours is a day and time of which only the time is shown. */
const MAX_ELAPSED_DAYS = 1000;

/** `09:30:00`, `26:30:00`, `00:01:02.5` */
function clock(days: number, fraction = false): string {
  const ms = msOf(days, fraction);
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':') + fractionOf(ms);
}

/** To the second, or to its thousandth where a part of it is shown. */
const msOf = (days: number, fraction: boolean): number =>
  fraction ? Math.round(days * 86_400_000) : Math.round(days * 86_400) * 1000;

const fractionOf = (ms: number): string =>
  ms % 1000 === 0
    ? ''
    : `.${String(ms % 1000)
        .padStart(3, '0')
        .replace(/0+$/, '')}`;

/** The 1900 calendar has a 29 February 1900 that never was; days before it are one less. */
function calendar(serial: number, date1904: boolean, fraction = false): string | undefined {
  if (serial < 0 || (!date1904 && serial < 1)) return undefined;
  const days = !date1904 && serial < 60 ? serial + 1 : serial;
  const ms = (date1904 ? EPOCH_1904 : EPOCH_1900) + msOf(days, fraction);
  if (ms >= MAX_MS) return undefined;
  const text = new Date(ms).toISOString();
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 19) + fractionOf(((ms % 1000) + 1000) % 1000);
}
