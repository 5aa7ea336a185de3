/** What the values of a column have in common, learned from the first few hundred different ones. */

export interface ColumnNature {
  /** Dates, by its header or most of its values. */
  dates: boolean;
  /** Most values are of the form 2-Sep, as in a list of days. */
  monthDays: boolean;
  /** Ids, names or words: hardly any value is a date or a measured number. */
  codes: boolean;
  /** Mostly numbers of various sizes: measurements. */
  numbers: boolean;
  /** Several small numbers in scientific notation: it is how they were written. */
  scientific: boolean;
  /** Long numbers ending in zeros are usual here. */
  roundNumbers: boolean;
  /** Numbers written with leading zeros up to this many digits. */
  paddedTo?: number;
}

const MAX_DISTINCT = 400;
const MAX_LENGTH = 100;
const DATE_HEADER = /\b(date|time|day|datum|birth)\b|_(date|time)\b/i;
const ISO_DATE = /^\d{4}-\d\d(-\d\d.*)?$/;
const OTHER_DATE = /^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b/;

/** `1E10` is rather a well of a plate than a number. */
const NUMBER = /^[+-]?((\d+([.,]\d+)?|[.,]\d+)(e[+-]\d+)?|\d+[.,]\d+e\d+)$/i;
const SCIENTIFIC = /^[+-]?(\d[.,]\d+E[+-]?|\dE[+-])\d{1,2}$/i;

/** Collects different values with their counts, bounded. */
export class ColumnSample {
  readonly counts = new Map<string, number>();
  rows = 0;
  full = false;

  constructor(readonly header: string) {}

  add(value: string): void {
    this.rows++;
    const count = this.counts.get(value);
    if (count !== undefined) this.counts.set(value, count + 1);
    else if (this.counts.size >= MAX_DISTINCT) this.full = true;
    else if (value.length <= MAX_LENGTH) this.counts.set(value, 1);
  }

  /** Whether case can differ in more than the odd value. */
  hasWords(): boolean {
    let words = 0;
    for (const value of this.counts.keys()) if (/\p{L}{2}/u.test(value)) words++;
    return words * 10 > this.counts.size;
  }

  nature(): ColumnNature {
    const values = [...this.counts.keys()];
    const share = (test: (value: string) => boolean): number =>
      values.length === 0 ? 0 : values.filter(test).length / values.length;
    const isDate = (value: string): boolean => ISO_DATE.test(value) || OTHER_DATE.test(value);
    const dateShare = share(isDate);
    const numberShare = share((value) => NUMBER.test(value));
    const paddedTo = paddedWidth(values);
    const varied = new Set(values.filter((value) => /^\d+$/.test(value)).map((value) => value.length)).size > 1;
    const decimals = share((value) => /^[+-]?\d*[.,]\d+$/.test(value));
    const nature: ColumnNature = {
      dates: dateShare >= 0.6 || (DATE_HEADER.test(this.header) && !/date ?format/i.test(this.header)),
      monthDays: values.length > 2 && share((value) => /^\d{1,2}[- ][A-Za-z]{3}$/.test(value)) > 0.6,
      codes: values.length >= 3 && dateShare <= 0.2 && !DATE_HEADER.test(this.header),
      numbers: numberShare >= 0.6 && paddedTo === undefined && (decimals > 0.2 || varied) && !longIntegers(values),
      scientific: share((value) => SCIENTIFIC.test(value)) > 0.5,
      roundNumbers: share((value) => /^\d+0$/.test(value)) > 0.5,
    };
    if (paddedTo !== undefined) nature.paddedTo = paddedTo;
    return nature;
  }
}

/** Ids of 11 and more digits are no measurements. */
const longIntegers = (values: string[]): boolean =>
  values.filter((value) => /^\d{11,}$/.test(value)).length * 5 > values.length;

/** The common width of a column of zero-padded numbers: most have it, some begin with 0, hardly any is no number. */
function paddedWidth(values: string[]): number | undefined {
  const digits = values.filter((value) => /^\d{2,}$/.test(value) || /^\d$/.test(value));
  if (digits.length < 3 || digits.length < values.length * 0.8) return undefined;
  const widths = new Map<number, number>();
  for (const { length } of digits) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [width, count] = [...widths].reduce((best, each) => (each[1] > best[1] ? each : best));
  const padded = digits.filter((value) => value.length === width && value.startsWith('0')).length;
  return width > 1 && count >= digits.length * 0.6 && padded >= 1 && padded >= count * 0.1 ? width : undefined;
}
