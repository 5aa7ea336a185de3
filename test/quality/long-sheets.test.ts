/** Of a long sheet the first rows show what its columns are like; each later row is held to that. */
import { expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { Warnings } from '../../src/tsv/quality/warnings.js';
import { batchOf, warningsOf } from './sheet.js';

const HEADERS = ['Sample Name', 'tissue', 'plate', 'collection date', 'note', 'weight'];
const TISSUES = ['blood', 'liver', 'brain'];

const rowsOf = (count: number, from = 0): string[][] =>
  Array.from({ length: count }, (_, i) => {
    const at = from + i;
    const day = `20${10 + (at % 14)}-0${1 + (at % 9)}-1${at % 10}`;
    return [
      `S${at}`,
      TISSUES[at % 3] as string,
      String(at % 400).padStart(5, '0'),
      day,
      `kept ${at} nights`,
      `${at}.5`,
    ];
  });

/** A row of the sheet with this value in this column. */
function rowWith(at: number, header: string, value: string): string[] {
  const [row = []] = rowsOf(1, at);
  row[HEADERS.indexOf(header)] = value;
  return row;
}

const said = (issues: readonly Issue[]) => issues.map(({ line, column, value, code }) => [line, column, value, code]);

const LATE = [
  ['tissue', 'Blood', 'suspect.case'],
  ['tissue', 'blo\u00a0od', 'suspect.blanks'],
  ['plate', '77', 'suspect.leading-zeros'],
  ['plate', '1234', 'suspect.leading-zeros'],
  ['collection date', '45294', 'suspect.serial-date'],
  ['collection date', '45294.25', 'suspect.serial-date'],
  ['collection date', '2-Sep', 'suspect.date'],
  ['note', '#REF!', 'suspect.error-value'],
  ['weight', '#DIV/0!', 'suspect.error-value'],
  ['Sample Name', '3-Mar', 'suspect.date'],
] as const;

it.each([2_000, 2_001, 19_000])('damage behind %i rows is held to what the first 2 000 showed', (before) => {
  const late = LATE.map(([header, value], at) => rowWith(before + at, header, value));
  const expected = LATE.map(([header, value, code], at) => [before + 2 + at, header, value, code]);
  expect(said(warningsOf(HEADERS, [...rowsOf(before), ...late, ...rowsOf(5, before + 10)]))).toEqual(expected);
});

it('behind row 20 000 damage that a value shows by itself is found in each row, what its column says in every fourth', () => {
  const alone = [
    ...Array.from({ length: 4 }, (_, at) => rowWith(at, 'note', '#REF!')),
    ...Array.from({ length: 4 }, (_, at) => rowWith(at, 'Sample Name', `${at + 1}-Sep`)),
  ];
  const byColumn = ['plate', 'tissue'].flatMap((header) =>
    Array.from({ length: 4 }, (_, at) => rowWith(at, header, header === 'plate' ? '77' : 'Blood')),
  );
  const found = said(warningsOf(HEADERS, [...rowsOf(20_000), ...alone, ...byColumn]));
  expect(found.slice(0, 8).map(([line]) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((at) => 20_001 + at));
  expect(found.slice(8)).toEqual([
    [20_013, 'plate', '77', 'suspect.leading-zeros'],
    [20_017, 'tissue', 'Blood', 'suspect.case'],
  ]);
});

it('what a value is among others is learned from all of the first 2 000 rows, and from none behind them', () => {
  const rows = (count: number, value: string) => Array.from({ length: count }, (_, at) => [`S${at}`, value]);
  const sheet = [
    ...rows(500, 'Blood'),
    ...rows(500, 'liver'),
    ...rows(999, 'blood'),
    ['S', 'Blood'],
    ...rows(900, 'Blood'),
  ];
  expect(said(warningsOf(['Sample Name', 'tissue'], sheet, 1_000)).map(([line]) => line)).toEqual(
    Array.from({ length: 901 }, (_, at) => 2_001 + at),
  );
});

it('a sheet in small batches has words compared that come behind ids and numbers', () => {
  const rows = ['7', '8', '9', ...Array.from({ length: 9 }, () => 'blood'), 'Blood'].map((value, at) => [
    `S${at}`,
    value,
  ]);
  expect(said(warningsOf(['Sample Name', 'tissue'], rows, 3))).toEqual([[14, 'tissue', 'Blood', 'suspect.case']]);
});

it('a value of more than 100 characters is shown by its beginning and named on every row that has it', () => {
  const value = `${'long '.repeat(20)}patient’s`;
  const issues = warningsOf(
    ['Sample Name', 'note'],
    [
      ['A', value],
      ['B', value],
    ],
  );
  expect(said(issues)).toEqual([2, 3].map((line) => [line, 'note', value.slice(0, 100), 'suspect.quotes']));
  expect(issues[0]?.suggestion).toBe(`${'long '.repeat(20)}patient's`);
});

it('of 500 values some differ in case by error, of more it means something', () => {
  const sheet = (values: number) => [
    ...Array.from({ length: values - 1 }, (_, at) => `tissue ${at}`).flatMap((value) => [value, value, value]),
    'Tissue 7',
  ];
  const found = (values: number) =>
    said(
      warningsOf(
        ['Sample Name', 'tissue'],
        sheet(values).map((value, at) => [`S${at}`, value]),
        2_000,
      ),
    );
  expect(found(500)).toEqual([[1_499, 'tissue', 'Tissue 7', 'suspect.case']]);
  expect(found(501)).toEqual([]);
});

it('a row that came as a document has its name looked at, and no cells', () => {
  const batch = batchOf([
    ['2-Sep', '#REF!'],
    ['B', '#REF!'],
    ['C', 'liver'],
  ]);
  batch.documents.set(0, '{}');
  const warnings = new Warnings([{ column: 'note', columnLetter: 'B' }], { column: 'Sample Name', columnLetter: 'A' });
  const issues = warnings.inspect(batch);
  expect(issues.map(({ line, name }) => [line, name])).toEqual([
    [2, '2-Sep'],
    [3, 'B'],
  ]);
  expect(said(issues.flatMap((row) => row.issues))).toEqual([
    [2, 'Sample Name', '2-Sep', 'suspect.date'],
    [3, 'note', '#REF!', 'suspect.error-value'],
  ]);
});
