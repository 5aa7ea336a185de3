/** What spreadsheets do to a value, recognised from the value and from what the rest of its column looks like. Never changes data. */
import { parseDateTime, serialDay } from '../../registry/date-time.js';
import type { SuspectCode } from '../../registry/issue-codes.js';
import { decodingOf } from '../bytes/encoding.js';
import { UNSEEN } from '../dialect.js';
import { isAwaited, isErrorValue } from '../error-values.js';
import { type ColumnNature, CUT_NUMBER, OTHER_DAY } from './column-nature.js';

export interface Damage {
  code: SuspectCode;
  /** Plain words after the column's name and the value. */
  what: string;
  suggestion?: string | undefined;
}

/** Looked for in the rows alone that show what the columns are like: who writes so does it from the beginning. Stands for the value above: `"`, `〃`, `-"-`, `same as above`. */
const DITTO =
  /^(?:[-–—]{0,2} ?(?:["″”“„〃]|''|,,) ?[-–—]{0,2}|ditto|dito|dto\.?|do\.|idem|(?:same )?as above|see above|s\. ?o\.|(?:siehe|wie) oben)$/i;
/** What lists say before somebody has chosen: `please select`, `Choose an item.`, `bitte wählen`; one word alone only between signs: `<select>`. Looked for in the same rows. */
const UNCHOSEN =
  /^[-–—<[({*.… ]*(?:please (?:select|choose|pick)\b.{0,40}|(?:select|choose|pick) (?:an? (?:item|option|value)|one|from|value|option)\b.{0,40}|bitte .{0,20}w(?:ä|ae)hlen|wählen sie\b.{0,30}|veuillez (?:choisir|sélectionner)\b.{0,30}|(?:choisir|choisissez|sélectionnez) une?\b.{0,30}|(?:seleccione|elija) una?\b.{0,30}|(?:selezionare|scegliere) una?\b.{0,30})[-–—>\])}*.…! ]*$|^(?:[-–—<[({]+ ?(?:select|choose|auswählen|choisir|seleccionar) ?[-–—>\])}]+|(?:select|choose) ?(?:\.{2,3}|…))$/i;
/** `="00042"` and `'00042`, by which a program keeps a spreadsheet from changing a text; a formula: `=A2&B2`, `=SUM(A1)`. */
const KEPT_TEXT = /^="((?:[^"]|"")*)"$|^'([+-]?\d[\d.,/:-]*)$/;
const FORMULA = /^=(?:[A-Z][A-Z0-9.]*\(.*\)|\$?[A-Z]{1,3}\$?\d+(?:[-+*/&^=<>].*)?)$/is;
/** Months as spreadsheets in English, German, French, Spanish, Italian, Portuguese and Dutch write them. */
const MONTHS =
  'jan|janv|feb|févr|fev|mar|mär|mars|mrz|mrt|apr|avr|abr|may|mai|mei|jun|juin|jul|juil|aug|août|ago|sep|sept|oct|okt|ott|nov|dec|dez|déc|dic|ene|giu|lug';
/** Months that are words as well: `Set 1` and `gen 2` are no dates, `1-set` is one. */
const MONTH_WORDS = 'set|gen|mag';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const DAY_MONTH = new RegExp(`^(?:${DAY}(?:[-. ]|\\. )(?:${MONTHS})|${DAY}-(?:${MONTH_WORDS}))\\.?$`, 'i');
const MONTH_NUMBER = new RegExp(`^(?:${MONTHS})[- ]\\d{1,2}$`, 'i');
const FULL_DATE =
  /^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/(\d{2}|\d{4})|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}-\d{1,2}-\d{4})( 0?0:00(:00)?)?$/;
const SCIENTIFIC = /^[+-]?\d([.,]\d+)?E\+(\d{1,3})$/i;
const CONTROLS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
/** The ideographic blank belongs to how some languages are written. */
const OTHER_BLANKS = `${CONTROLS}${UNSEEN}\\u00a0\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f`;
const BLANKS = new RegExp(`[${OTHER_BLANKS}]`);
const INVISIBLE = new RegExp(`[${UNSEEN}]|(?!\\s)\\p{Cc}`, 'gu');
/** A line break in a cell is its owner's. */
const BLANK = /[^\S\r\n]/g;
const PLAIN_QUOTES: [typographic: string, plain: string][] = [
  ['\\u2018-\\u201b\\u2032\\u2039\\u203a', "'"],
  ['\\u201c-\\u201f\\u2033', '"'],
];
const QUOTE_MARKS = PLAIN_QUOTES.map(([marks]) => marks).join('');
const QUOTES = new RegExp(`[${QUOTE_MARKS}]`);
/** What windows-1252 makes of the bytes behind the first one of a character in UTF-8. */
const FURTHER =
  '[\\u0080-\\u00bf\\u20ac\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u017d\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u017e\\u0178]';
/** UTF-8 that was read as windows-1252: accented letters, Greek, Cyrillic; signs and all of three bytes. */
const MOJIBAKE = new RegExp(`[\\u00c2-\\u00c5\\u00ce-\\u00d1]${FURTHER}|[\\u00e2-\\u00ef]${FURTHER}{2}|\\ufffd`);
/** No language writes these, even where not all of the value was read so. */
const SURELY_MOJIBAKE = /Ã[\u0080-\u00bf]|Â[\u00a0-\u00bf]|â€|ï»¿|\ufffd/;

const cellOf = (letter: string, digits: string): string =>
  `(?:^|\\t)(?:\\d{1,2}[-. ] ?${letter}{3,5}\\.?|${letter}{3,5}[- ]\\d{1,2}|[+-]?\\d(?:[.,]\\d+)?[Ee]\\+\\d+|${digits})(?=\\t|$)`;
const ANYWHERE = '#[A-Za-z#]|Err:';
const ASCII_CELL = cellOf('[A-Za-z]', '\\d{15,21}0');
/** Of a row of ASCII without what is damage anywhere: 0.6 µs for 250 characters where the next takes 1.0. */
const MAYBE_CELL = new RegExp(ASCII_CELL);
/** Of a row of ASCII, which most are, and a little too often. */
const MAYBE_SUSPECT = new RegExp(`[\\u0080-\\uffff]|${ANYWHERE}|${ASCII_CELL}`);
const SUSPECT = new RegExp(
  `[${OTHER_BLANKS}${QUOTE_MARKS}\\ufffd]|[\\u00c2-\\u00c5\\u00ce-\\u00d1\\u00e2-\\u00ef]${FURTHER}|${ANYWHERE}|${cellOf('[A-Za-zÀ-ÿ]', '\\d{15,17}0{1,5}')}`,
);

/**
 * Cheap test of a row, its cells parted by TABs: true where a value is damaged by itself. A control character of ASCII alone is left to the rows that
 * are looked at anyhow: to look for those in every row costs as much as for all else.
 */
export const isSuspect = (text: string): boolean => MAYBE_SUSPECT.test(text) && SUSPECT.test(text);

/** `isSuspect` for the rows of a text, of which much is seen at once: three searches at the speed of memory. */
export function suspectsIn(text: string): (row: string) => boolean {
  const isPlain = Buffer.byteLength(text) === text.length && !text.includes('#') && !text.includes('Err:');
  return isPlain ? (row) => MAYBE_CELL.test(row) && SUSPECT.test(row) : isSuspect;
}

/** The first damage that the value shows, or undefined. */
export function damageOf(value: string, column: ColumnNature): Damage | undefined {
  return (
    standsFor(value) ??
    brokenText(value) ??
    errorValue(value) ??
    turnedIntoDate(value, column) ??
    otherForm(value, column) ??
    serialDate(value, column) ??
    scientific(value, column) ??
    shortened(value, column) ??
    imprecise(value, column)
  );
}

function standsFor(value: string): Damage | undefined {
  if (DITTO.test(value)) return { code: 'suspect.ditto', what: 'stands for the value above it; write that itself' };
  if (UNCHOSEN.test(value))
    return {
      code: 'suspect.unchosen',
      what: 'is what a list says before somebody has chosen from it; choose the value, or empty the cell',
    };
  const kept = KEPT_TEXT.exec(value);
  const suggestion = kept?.[1]?.replaceAll('""', '"') ?? kept?.[2];
  if (suggestion !== undefined) {
    const what = `is written so that a spreadsheet leaves it as it is, and is stored with the signs for that; ${suggestion}?`;
    return { code: 'suspect.formula', what, suggestion };
  }
  if (!FORMULA.test(value)) return undefined;
  return { code: 'suspect.formula', what: 'is a formula and not what comes of it; enter the value itself' };
}

function errorValue(value: string): Damage | undefined {
  if (isAwaited(value))
    return {
      code: 'suspect.error-value',
      what: 'is what a spreadsheet shows until a formula has its result; wait for that and save the sheet anew, or enter the value itself',
    };
  if (!isErrorValue(value)) return undefined;
  return {
    code: 'suspect.error-value',
    what: 'is what a spreadsheet shows when a formula failed or a column is too narrow; enter the value itself',
  };
}

function turnedIntoDate(value: string, column: ColumnNature): Damage | undefined {
  if (DAY_MONTH.test(value) || MONTH_NUMBER.test(value)) {
    if (column.monthDays) return undefined;
    const what = column.dates
      ? 'is a date without its year; write it whole, such as 2024-09-02'
      : 'looks like an id or a gene name that the spreadsheet took for a date (SEPT2 becomes 2-Sep); enter it again in a column formatted as text';
    return { code: 'suspect.date', what };
  }
  if (!column.codes || !FULL_DATE.test(value)) return undefined;
  return {
    code: 'suspect.date',
    what: 'is a date among values that are none; did the spreadsheet turn an id into it? Enter it again in a column formatted as text',
  };
}

function otherForm(value: string, column: ColumnNature): Damage | undefined {
  if (!column.isoDays || !OTHER_DAY.test(value)) return undefined;
  const read = parseDateTime(value.split(/[ T]/, 1)[0] as string);
  const suggestion = typeof read === 'number' ? undefined : read.suggestion;
  const what =
    'is a date in another form than most of its column, as a spreadsheet leaves those that do not fit its own order of day and month; are the two swapped in others';
  return { code: 'suspect.date-form', what: `${what}?`, suggestion };
}

function serialDate(value: string, column: ColumnNature): Damage | undefined {
  if (!column.dates || !/^\d{5}([.,]\d+)?$/.test(value)) return undefined;
  const { suggestion } = serialDay(Math.floor(Number(value.replace(',', '.'))));
  if (suggestion === undefined) return undefined;
  return {
    code: 'suspect.serial-date',
    what: `is the number by which a spreadsheet keeps a date; ${suggestion}?`,
    suggestion,
  };
}

function scientific(value: string, column: ColumnNature): Damage | undefined {
  const parts = SCIENTIFIC.exec(value);
  if (!parts) return undefined;
  // Spreadsheets change numbers of 12 digits and more by themselves; smaller ones only where text such as 1E5 was meant.
  if (Number(parts[2]) < 11 && (column.scientific || column.numbers)) return undefined;
  return {
    code: 'suspect.scientific',
    what: 'is a long number or an id that the spreadsheet wrote in scientific notation, which lost its last digits; enter it again in a column formatted as text',
  };
}

function shortened(value: string, column: ColumnNature): Damage | undefined {
  const { paddedTo } = column;
  if (paddedTo === undefined || value.length >= paddedTo || !/^\d+$/.test(value)) return undefined;
  const suggestion = value.padStart(paddedTo, '0');
  return {
    code: 'suspect.leading-zeros',
    what: `is shorter than the other numbers of its column; a spreadsheet drops leading zeros: ${suggestion}?`,
    suggestion,
  };
}

function imprecise(value: string, column: ColumnNature): Damage | undefined {
  if (!CUT_NUMBER.test(value) || column.numbers) return undefined;
  // One number of 16 digits in ten ends with a zero of its own, as one of 17 in a hundred ends with two.
  if (!value.endsWith('000') && !column.cutNumbers) return undefined;
  return {
    code: 'suspect.precision',
    what: 'has more than the 15 digits that a spreadsheet keeps and ends in zeros; its last digits may be lost',
  };
}

function brokenText(value: string): Damage | undefined {
  return misread(value) ?? otherBlanks(value) ?? typographicQuotes(value);
}

function misread(value: string): Damage | undefined {
  if (!MOJIBAKE.test(value)) return undefined;
  const suggestion = redecoded(value);
  const what = 'was read in another encoding than it was written in at some point';
  if (suggestion !== undefined) return { code: 'suspect.encoding', what: `${what}; ${suggestion}?`, suggestion };
  return SURELY_MOJIBAKE.test(value) ? { code: 'suspect.encoding', what } : undefined;
}

function otherBlanks(value: string): Damage | undefined {
  if (!BLANKS.test(value)) return undefined;
  return {
    code: 'suspect.blanks',
    what: 'holds a blank or an invisible character of another kind than the space bar gives',
    suggestion: value.replace(INVISIBLE, '').replace(BLANK, ' ').trim(),
  };
}

function typographicQuotes(value: string): Damage | undefined {
  if (!QUOTES.test(value)) return undefined;
  return {
    code: 'suspect.quotes',
    what: 'holds typographic quotes, which a spreadsheet puts in place of plain ones',
    suggestion: PLAIN_QUOTES.reduce(
      (text, [marks, plain]) => text.replace(new RegExp(`[${marks}]`, 'g'), plain),
      value,
    ),
  };
}

/** UTF-8 that was read as windows-1252, once or more often, read again; undefined when that gives no clean text. */
function redecoded(value: string): string | undefined {
  const text = decodedOnce(value);
  return text !== undefined && MOJIBAKE.test(text) ? (redecoded(text) ?? text) : text;
}

function decodedOnce(value: string): string | undefined {
  const bytes: number[] = [];
  for (const char of value) {
    const code = char.codePointAt(0) as number;
    const byte = code < 256 ? code : WINDOWS_1252.get(char);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

const WINDOWS_1252 = new Map(
  Array.from({ length: 32 }, (_, i) => [decodingOf('windows-1252').decode(Buffer.of(128 + i)) ?? '', 128 + i]),
);
