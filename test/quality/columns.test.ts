/** What is damage in one column is right in another: the values around it say which. */
import { expect, it } from 'vitest';
import { warningsOf } from './sheet.js';

/** Values of one column, those in `warned` with what is said of them; nothing is said of the others. */
interface Case {
  rule: string;
  header?: string;
  values: readonly string[];
  warned?: readonly (readonly [value: string, code: string, suggestion?: string])[];
}

const each = (count: number, value: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => value(at));

const ZEROS: Case[] = [
  { rule: 'the first number may be the short one', values: ['7', '001', '012', '123'], warned: zeros('7', '007') },
  { rule: 'no number begins with 0', values: ['101', '112', '123', '7'] },
  { rule: 'two of three numbers and a code', values: ['001', '012', 'A12', '7'] },
  { rule: 'two of three numbers and a code with a letter', values: ['001', '012', '12A', '7'] },
  { rule: 'digits of which one is 0 are measured', values: ['0', '1', '2', '3', '10', '1E+05'] },
  {
    rule: 'padded numbers are not measured',
    values: ['001', '012', '123', '124', '7', '1E+05'],
    warned: [...zeros('7', '007'), ['1E+05', 'suspect.scientific']],
  },
  { rule: 'two numbers show no width', values: ['007', '7'] },
  { rule: 'one word among five values', values: ['001', '002', '010', '7', 'none'], warned: zeros('7', '007') },
  { rule: 'one word among four values', values: ['001', '002', '7', 'none'] },
  {
    rule: 'three of five have the width',
    values: ['001', '012', '123', '7', '45'],
    warned: zeros('7', '007', '45', '045'),
  },
  { rule: 'two of four have a width', values: ['001', '012', '7', '8'] },
  { rule: 'a tenth begins with 0', values: ['012', ...each(9, (at) => `11${at}`), '7'], warned: zeros('7', '007') },
  { rule: 'less than a tenth begins with 0', values: ['012', ...each(10, (at) => `${110 + at}`), '7'] },
  { rule: 'a longer number than the padded ones', values: ['001', '012', '123', '1234'] },
  ...['a1', '1a', 'ab'].map((word) => ({
    rule: 'a word shorter than the padded numbers',
    values: ['00001', '00012', '00123', '00124', word],
  })),
];

const DATES: Case[] = [
  { rule: 'days of two digits', values: ['12-Sep', '13-Sep', '14-Sep', 'later'] },
  { rule: 'days in longer texts', values: ['A 2-Sep', 'B 3-Sep', 'C 4-Oct', '5-Oct'], warned: [date('5-Oct')] },
  { rule: 'days before more text', values: ['2-Sep a', '3-Sep b', '4-Oct c', '5-Oct'], warned: [date('5-Oct')] },
  { rule: 'days of years with dashes', values: ['2-9-2024', '13-9-2024', '4-10-2024', 'later'] },
  { rule: 'days of years without zeros', values: ['2024-9-2', '2024-9-13', '2024-10-4', 'later'] },
  { rule: 'most are days of months', values: ['2-Sep', '3-Sep', '4 Oct', 'later'] },
  { rule: 'two days of months', values: ['2-Sep', '3-Sep'], warned: [date('2-Sep'), date('3-Sep')] },
  {
    rule: 'three days of months in five values',
    values: ['2-Sep', '3-Sep', '4-Oct', 'TP53', 'MYC'],
    warned: [date('2-Sep'), date('3-Sep'), date('4-Oct')],
  },
  {
    rule: 'one full date in five words',
    values: ['TP53', 'MYC', 'KRAS', 'EGFR', '2024-09-02'],
    warned: [date('2024-09-02')],
  },
  { rule: 'one full date in four values', values: ['TP53', 'MYC', 'KRAS', '2024-09-02'] },
  { rule: 'a full date in a column of the day', header: 'day of birth', values: ['a', 'b', 'c', 'd', '2024-09-02'] },
  { rule: 'a full date in a column of the date', header: 'date', values: ['a', 'b', 'c', 'd', '2024-09-02'] },
  { rule: 'a full date in a column of formats', header: 'date format', values: ['a', 'b', 'c', 'd', '2024-09-02'] },
];

const FORMS: Case[] = [
  ...[
    ['13/04/2024', '2024-04-13'],
    ['04/13/2024', '2024-04-13'],
    ['13.04.2024', '2024-04-13'],
    ['13.04.2024 08:30', '2024-04-13'],
    ['2024/04/13', '2024-04-13'],
    ['03/04/2024'],
    ['13.04.24'],
  ].map(([value = '', suggestion]) => ({
    rule: 'a day in another form than most',
    values: ['2024-03-04', '2024-04-05', value, 'not collected'],
    warned: [
      suggestion === undefined
        ? ([value, 'suspect.date-form'] as const)
        : ([value, 'suspect.date-form', suggestion] as const),
    ],
  })),
  { rule: 'as many days in another form', values: ['2024-03-04', '13/04/2024', '2024-04-05', '14/04/2024'] },
  { rule: 'one day beside one in another form', values: ['2024-03-04', '13/04/2024'] },
  {
    rule: 'years, months and spans beside days',
    values: ['2024-03-04', '2024-04-05', '2024', '2024-05', '2024-03/2024-04'],
  },
  { rule: 'numbers with points beside days', values: ['2024-03-04', '2024-04-05', '1.2.3', '10.1.255', '10.0.0.1'] },
];

const SERIALS: Case[] = [
  ...[
    ...['collection date', 'harvest_date', 'Datum', 'date of birth', 'sampling day', 'sampling_time'],
    ...['collectionDate', 'Characteristics[Entnahmedatum]', 'DOB', 'Collected', 'Received on', 'Fecha de toma'],
  ].map((header) => ({
    rule: `a day's number in ${header}`,
    header,
    values: ['soon', '45294'],
    warned: [serial('45294', '2024-01-03')],
  })),
  {
    rule: 'three dates in five values',
    values: ['2024-01-02', '3/1/2024', '2024-01', 'later', '45294,5'],
    warned: [serial('45294,5', '2024-01-03')],
  },
  { rule: 'two dates in four values', values: ['2024-01-02', '3.1.2024', 'later', '45294'] },
  {
    rule: 'the first and last day that may be meant',
    header: 'date',
    values: ['17999', '18000', '73050', '73051', '452940'],
    warned: [serial('18000', '1949-04-12'), serial('73050', '2099-12-31')],
  },
  {
    rule: 'days that are all numbers',
    header: 'time',
    values: ['45294', '45295'],
    warned: [serial('45294', '2024-01-03'), serial('45295', '2024-01-04')],
  },
  { rule: 'forms of dates', header: 'date format', values: ['45294'] },
  { rule: 'durations', header: 'exposure time', values: ['360', '7200', '36000', '43200'] },
  { rule: 'ids that hold five digits', header: 'date', values: ['A45294', '45294B', '45294.5.1'] },
  { rule: 'a day and its time', header: 'date', values: ['45294.75'], warned: [serial('45294.75', '2024-01-03')] },
];

const NUMBERS: Case[] = [
  { rule: 'three of five are measured', values: ['1.5', '22.7', '1E+05', 'A', 'B'] },
  ...[
    ['1.5', '1E+05', 'A', 'B'],
    ['12', '13', '14', '1.5', '1E+05'],
    ['12', '13', 'A1.5', 'B1.5', '1E+05'],
    ['12', '13', '1.5 mg', '2.5 mg', '1E+05'],
  ].map((values) => ({
    rule: 'too few are measured',
    values,
    warned: [['1E+05', 'suspect.scientific'] as const],
  })),
  { rule: 'signs and bare decimals', values: ['-1.25', '+2.5', '.5', '1E+05'] },
  { rule: 'measurements', values: ['1.5', '22.7', '1.0E+05', '3,1', '.5'] },
  { rule: 'whole numbers of several sizes', values: ['7', '12', '1E+05'] },
  {
    rule: 'whole numbers of one size are ids',
    values: ['12', '13', '1E+05'],
    warned: [['1E+05', 'suspect.scientific']],
  },
  { rule: 'most are written so', values: ['1.0E+05', '2E+6', 'none'] },
  {
    rule: 'half are written so',
    values: ['1.0E+05', '2E+6', 'A', 'B'],
    warned: [
      ['1.0E+05', 'suspect.scientific'],
      ['2E+6', 'suspect.scientific'],
    ],
  },
  { rule: 'wells', values: ['1E10', '2E11', '3E5', '1E+05'], warned: [['1E+05', 'suspect.scientific']] },
  {
    rule: 'a number of 12 digits among measurements',
    values: ['1.5', '22.7', '2.31E+11', '2.31E+10'],
    warned: [['2.31E+11', 'suspect.scientific']],
  },
  { rule: 'a long number among measurements', values: ['1.5', '22.7', '300', '4.25', '123456789012345000'] },
  {
    rule: 'a long number among long ids',
    values: ['23100000007919', '2310000000791', '123456789012345000'],
    warned: [['123456789012345000', 'suspect.precision']],
  },
  {
    rule: 'one id of 16 digits in four ends with zero',
    values: ['1234567890123451', '1234567890123452', '1234567890123453', '1234567890123450'],
  },
  {
    rule: 'most ids of 16 and 17 digits end with zeros',
    values: ['1234567890123450', '1234567890123460', '12345678901234500', '1234567890123453'],
    warned: ['1234567890123450', '1234567890123460', '12345678901234500'].map(
      (value) => [value, 'suspect.precision'] as const,
    ),
  },
  {
    rule: 'ids of 19 and 20 digits of which a program kept 17',
    values: ['1234567890123456800', '9876543210987655000', '4567890123456789000', '12345678901234567000'],
    warned: ['1234567890123456800', '9876543210987655000', '4567890123456789000', '12345678901234567000'].map(
      (value) => [value, 'suspect.precision'] as const,
    ),
  },
  { rule: 'two ids of 16 digits', values: ['1234567890123450', '1234567890123460'] },
  {
    rule: 'half of the ids of 16 digits',
    values: ['1234567890123450', '1234567890123460', '1234567890123451', '1234567890123452'],
  },
];

const SPELLINGS: Case[] = [
  { rule: 'a word in ten values', values: [...each(18, (at) => `${at * 7}`), 'ab', 'ab', 'AB'] },
  { rule: 'letters with digits are codes', values: ['A1', 'A1', 'B2', 'a1'] },
  { rule: 'words of two letters', values: ['IL', 'il', 'il'], warned: [['IL', 'suspect.case', 'il']] },
  {
    rule: 'the rarer spelling',
    values: ['Blood', 'blood', 'blood', 'liver'],
    warned: [['Blood', 'suspect.case', 'blood']],
  },
  {
    rule: 'the rarest of three spellings',
    values: ['BLOOD', 'Blood', 'Blood', 'blood', 'blood', 'blood'],
    warned: ['BLOOD', 'Blood', 'Blood'].map((value) => [value, 'suspect.case', 'blood'] as const),
  },
  { rule: 'two spellings equally often', values: ['Blood', 'blood', 'blood', 'Blood'] },
  { rule: 'letters are codes', values: ['A', 'a', 'a', 'liver'] },
  { rule: 'ids that are all different', values: [...each(31, (at) => `ab${at}`), 'AB5'] },
  { rule: 'hardly a word', values: [...each(20, (at) => `${at * 7}`), 'ab', 'ab', 'AB'] },
];

function zeros(...pairs: string[]): [string, string, string][] {
  return pairs.flatMap((value, at) => (at % 2 ? [] : [[value, 'suspect.leading-zeros', pairs[at + 1] as string]]));
}

function date(value: string): [string, string] {
  return [value, 'suspect.date'];
}
function serial(value: string, day: string): [string, string, string] {
  return [value, 'suspect.serial-date', day];
}

const CASES = [...ZEROS, ...DATES, ...FORMS, ...SERIALS, ...NUMBERS, ...SPELLINGS];

it.each(CASES)('$rule: $values', ({ header = 'note', values, warned = [] }) => {
  const said = warningsOf(
    ['Sample Name', header],
    values.map((value, at) => [`S${at}`, value]),
  );
  expect(said.map(({ code, value, suggestion }) => [value, code, suggestion])).toEqual(
    warned.map(([value, code, suggestion]) => [value, code, suggestion]),
  );
});
