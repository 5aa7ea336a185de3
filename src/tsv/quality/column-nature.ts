/** What the values of a column have in common, learned from the first few hundred different ones. */
import { ownText } from '../../registry/own-text.js';
import { saysDate, wordsOf } from '../propose/header-words.js';

export interface ColumnNature {
  /** Dates, by its header or most of its values. */
  dates: boolean;
  /** Two days as 2024-11-21, and more so than in another form. */
  isoDays: boolean;
  /** Most values are of the form 2-Sep, as in a list of days. */
  monthDays: boolean;
  /** Ids, names or words: hardly any value is a date or a measured number. */
  codes: boolean;
  /** Mostly numbers of various sizes: measurements. */
  numbers: boolean;
  /** Several small numbers in scientific notation: it is how they were written. */
  scientific: boolean;
  /** Most are numbers that a spreadsheet has no room for, and end in zeros: more than do so by chance. */
  cutNumbers: boolean;
  /** Numbers written with leading zeros up to this many digits. */
  paddedTo: number | undefined;
}

const MAX_LENGTH = 100;
const DATE_HEADER = /\bdate\b|datum\b/;
/** Columns that are called so have dates, or durations and other measured numbers. */
const TIME_HEADER = /\b(time|day|birth)\b/;
const FORMAT_HEADER = /date ?format/;
const ISO_DATE = /^\d{4}-\d{1,2}(-\d{1,2}\b.*)?$/;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}\b/;
/** A day in another form: `21/11/2024`, `21.11.24`, `2024/11/21`. */
export const OTHER_DAY = /^(?:\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}([/.])\d{1,2}\2\d{1,2})(?:[ T]\d.*)?$/;
const OTHER_DATE = /^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|^\d{1,2}-\d{1,2}-\d{4}\b/;

/** `1E10` is rather a well of a plate than a number. */
const NUMBER = /^[+-]?((\d+([.,]\d+)?|[.,]\d+)(e[+-]\d+)?|\d+[.,]\d+e\d+)$/i;
/** The 15 digits that a spreadsheet keeps, 17 of some programs, and zeros in place of the others. */
export const CUT_NUMBER = /^[1-9]\d{14,16}0{1,5}$/;
const SCIENTIFIC = /^[+-]?(\d[.,]\d+E[+-]?|\dE[+-])\d{1,2}$/i;

/** Collects different values, bounded. */
export class ColumnSample {
  readonly values = new Set<string>();
  rows = 0;

  /** `mostValues`: different ones that are kept. */
  constructor(
    readonly header: string,
    private readonly mostValues: number,
  ) {}

  add(value: string): void {
    this.rows++;
    if (this.values.size < this.mostValues && value.length <= MAX_LENGTH && !this.values.has(value)) {
      this.values.add(ownText(value));
    }
  }

  /** Whether case can differ in more than the odd value. */
  hasWords(): boolean {
    let words = 0;
    for (const value of this.values) if (/\p{L}{2}/u.test(value)) words++;
    return words * 10 > this.values.size;
  }

  nature(): ColumnNature {
    const values = [...this.values];
    /** No number where there are no values, and so neither most nor few of them. */
    const share = (test: (value: string) => boolean): number => values.filter(test).length / values.length;
    const shareOf = (form: RegExp): number => share((value) => form.test(value));
    const dateShare = share((value) => ISO_DATE.test(value) || OTHER_DATE.test(value));
    const paddedTo = paddedWidth(values);
    const lengths = new Set(values.filter((value) => /^\d+$/.test(value)).map((value) => value.length));
    const numbers =
      shareOf(NUMBER) >= 0.6 &&
      paddedTo === undefined &&
      (shareOf(/^[+-]?\d*[.,]\d+$/) > 0.2 || lengths.size > 1) &&
      !longIntegers(values);
    const isoDays = values.filter((value) => ISO_DAY.test(value)).length;
    const words = wordsOf(this.header);
    const ofDates = DATE_HEADER.test(words);
    const ofTimes = TIME_HEADER.test(words);
    return {
      dates:
        dateShare >= 0.6 ||
        (ofDates && !FORMAT_HEADER.test(words)) ||
        (!ofDates && !numbers && (ofTimes || saysDate(words))),
      isoDays: isoDays > 1 && isoDays > values.filter((value) => OTHER_DAY.test(value)).length,
      monthDays: values.length > 2 && shareOf(/^\d{1,2}[- ][A-Za-z]{3}$/) > 0.6,
      codes: values.length >= 3 && dateShare <= 0.2 && !ofDates && !ofTimes,
      numbers,
      scientific: shareOf(SCIENTIFIC) > 0.5,
      cutNumbers: values.length > 2 && shareOf(CUT_NUMBER) > 0.5,
      paddedTo,
    };
  }
}

/** Ids of 11 and more digits are no measurements. */
const longIntegers = (values: string[]): boolean =>
  values.filter((value) => /^\d{11,}$/.test(value)).length * 5 > values.length;

/** The common width of a column of zero-padded numbers: most have it, some begin with 0, hardly any is no number. */
function paddedWidth(values: string[]): number | undefined {
  const digits = values.filter((value) => /^\d+$/.test(value));
  if (digits.length < 3 || digits.length < values.length * 0.8) return undefined;
  const widths = new Map<number, number>();
  for (const { length } of digits) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [width, count] = [...widths].reduce((best, each) => (each[1] > best[1] ? each : best));
  const padded = digits.filter((value) => value.length === width && value.startsWith('0')).length;
  return width > 1 && count >= digits.length * 0.6 && padded >= count * 0.1 ? width : undefined;
}
