/** Dates and decimal signs of a column, learned from its values; what can be read in two ways is asked, not chosen. */
import { parseDateTime } from '../../registry/date-time.js';
import { dateReader } from '../rows/date-form.js';
import type { ColumnValues } from './column-values.js';

export type DateForm =
  /** As they are stored. */
  | { kind: 'iso' }
  /** `certain`: a day above 12 says which number is the day. */
  | { kind: 'form'; form: string; certain: boolean }
  /** 03/04/2024: either number may be the day. */
  | { kind: 'either'; forms: [string, string] };

const BY_POINTS = 'DD.MM.YYYY';
const DAYS = [
  BY_POINTS,
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'DD-MMM-YYYY',
  'DD MMM YYYY',
  'DD. MMM YYYY',
  'MMM DD, YYYY',
  'MMM DD YYYY',
];
const FORMS = [...DAYS, ...DAYS.map((form) => `${form} hh:mm`), ...DAYS.map((form) => `${form} hh:mm:ss`)];
const COMPACT = 'YYYYMMDD';
const READERS = [...FORMS, COMPACT].flatMap((form) => {
  const read = dateReader(form);
  return read ? [{ form, read }] : [];
});
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Undefined when not every value is a date. `saysDate`: its header does; only then are eight digits one. */
export function dateForm(column: ColumnValues, saysDate: boolean): DateForm | undefined {
  const iso = (text: string): boolean => typeof parseDateTime(text) === 'number' || MONTH.test(text);
  if (column.all(iso)) return { kind: 'iso' };
  // Most columns have no date in their first value.
  if (!/\d{4}/.test(column.values[0] ?? '')) return undefined;
  const forms = READERS.filter(
    ({ form, read }) => (form !== COMPACT || saysDate) && column.all((text) => read(text) !== undefined),
  ).map(({ form }) => form);
  const [form, other] = forms;
  if (form === undefined || isOtherCalendar(column, form)) return undefined;
  if (other !== undefined) return { kind: 'either', forms: [form, other] };
  // A point between the numbers is written by those who write the day first; a day above 12 proves it.
  const certain = !form.startsWith(BY_POINTS) || column.values.some((text) => Number.parseInt(text, 10) > 12);
  return { kind: 'form', form, certain };
}

/** Years in which samples were taken, as most of the world counts them. */
const COUNTED = /^(?:1[5-9]|2[01])/;

/** Most of its years are those of Thailand (2567), Iran (1402) or Israel (5784): a date of ours with such a year is another day. */
function isOtherCalendar(column: ColumnValues, form: string): boolean {
  const read = dateReader(form);
  const others = column.values.filter((text) => !COUNTED.test(read?.(text) ?? ''));
  return others.length > column.values.length / 2;
}

const COMMA = /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+),\d+$/;
const WHOLE = /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;

/** `comma`: it is the decimal sign. `either`: 1,234 may be a thousand or a little more than one; 1,234,567 is no decimal. */
export function decimalSign(column: ColumnValues): 'comma' | 'either' | undefined {
  const commas = column.values.filter((text) => text.includes(','));
  if (commas.length === 0 || !column.all((text) => COMMA.test(text) || WHOLE.test(text) || THOUSANDS.test(text)))
    return undefined;
  if (!commas.every((text) => COMMA.test(text))) return undefined;
  return commas.every((text) => THOUSANDS.test(text)) ? 'either' : 'comma';
}
