/** Values that were filled down: which rows of a column go on a series, and from which value. */
import { expect, it } from 'vitest';
import { inWords, saidOf } from './sensed.js';

const from = (first: number, value: (at: number) => string): string[] =>
  Array.from({ length: 3 }, (_, at) => value(first + at));

const COVID = 'note';
/** A column that should stay unless it counts from 0 or 1. */
const KIT = 'kit';

const SERIES: readonly (readonly [header: string, ...values: string[]])[] = [
  ['disease', ...from(19, (at) => `COVID-${at}`)],
  ['country', ...from(0, (at) => `Germany ${at}`)],
  ['tax id', ...from(9606, String)],
  ['Characteristics[ growth_medium ]', ...from(1640, (at) => `RPMI ${at}`)],
  ['libraryKit', ...from(7, (at) => `kit ${at}`)],
  [COVID, ...from(9, (at) => `COVID-${at}`)],
  [COVID, ...from(99, (at) => `COVID-${at}`)],
  [KIT, ...from(2, (at) => `kit ${at}`)],
  [KIT, ...from(2, (at) => `kit ${at} b`)],
  [KIT, ...from(8, (at) => `${at}th kit`)],
  [KIT, ...from(8, (at) => `${at} kits of 3 b`)],
  [KIT, ...from(8, (at) => `kits of 3, ${at}`)],
  [KIT, ...from(999_999_999_990, (at) => `${at} kits`)],
  [KIT, ...from(123_456_789_010, (at) => `kit ${at}`)],
  [KIT, ...from(9_123_456_789_010, (at) => `kit ${at}`)],
  [KIT, ...from(7, (at) => `kit 0${at}`)],
  [KIT, ...from(7, (at) => `${'k'.repeat(99)}${at}`)],
];

const NO_SERIES: readonly (readonly [header: string, ...values: string[]])[] = [
  [COVID, 'COVID-19', 'COVID-20'],
  [COVID, 'COVID-19', 'COVID-20', 'x', 'COVID-21'],
  [COVID, 'COVID-19', 'COVID-20', '', 'COVID-21'],
  [COVID, 'COVID-19', 'COVID-21', 'COVID-23'],
  [COVID, 'COVID-21', 'COVID-20', 'COVID-19'],
  [COVID, ...from(7, (at) => `kit ${at}`)],
  [KIT, ...from(0, (at) => `kit ${at}`)],
  [KIT, ...from(1, (at) => `kit ${at}`)],
  [KIT, ...from(2, (at) => `kit ${at} mg`)],
  ['country', ...from(2, (at) => `Germany ${at} mg`)],
  [KIT, ...from(999_999_999_998, (at) => `${at} kits`)],
  [KIT, 'kit 7', 'kit 8a', 'kit 9'],
  [KIT, 'kit 7', 'kit 8', 'kit 9a'],
  [KIT, 'kit 7', 'kit 8', 'bit 9'],
  [KIT, 'kit 7 a', 'kit 8 a', 'kit 9 b'],
  [KIT, 'kit', 'kit', 'kit'],
  [KIT, ...from(7, (at) => `${'k'.repeat(100)}${at}`)],
  ['kit label', ...from(7, (at) => `kit ${at}`)],
  ['Comment[external DB REF]', ...from(7, (at) => `https://db.example.org/${at}`)],
];

it.each(SERIES)('in %s a series begins with %s', async (header, ...values) => {
  const [first = '', ...others] = values;
  const said = others.map(
    (value, at) =>
      `${at + 3}: "${value.slice(0, 100)}" in ${header} goes on a series that begins on line 2 with "${first}", as when a cell is filled down; ${first}? -> ${first}`,
  );
  expect(inWords(await saidOf([header, ...values]))).toEqual(said);
});

it.each(NO_SERIES)('in %s nothing is filled down: %s, %s, %s', async (header, ...values) => {
  expect(await saidOf([header, ...values])).toEqual([]);
});

const linesOf = async (sheet: readonly string[], batchRows?: number): Promise<number[]> =>
  (await saidOf(sheet, batchRows)).map(({ line }) => line);

it('a series goes on over one line that is no sample, not over two', async () => {
  expect(await linesOf(['Sample Name|kit', 'A|kit 7', '', 'B|kit 8', 'C|kit 9'])).toEqual([4, 5]);
  expect(await linesOf(['Sample Name|kit', 'A|kit 7', '', '', 'B|kit 8', 'C|kit 9', 'D|x'])).toEqual([]);
});

it('a column may have several series, each with its own first value', async () => {
  const issues = await saidOf(['disease', ...from(19, (at) => `COVID-${at}`), ...from(30, (at) => `COVID-${at}`)]);
  expect(issues.map(({ line, suggestion }) => [line, suggestion])).toEqual([
    [3, 'COVID-19'],
    [4, 'COVID-19'],
    [6, 'COVID-30'],
    [7, 'COVID-30'],
  ]);
});

it('a series over the end of a batch is found from its third row on', async () => {
  const sheet = ['disease', 'x', ...from(19, (at) => `COVID-${at}`), 'COVID-22'];
  expect(await linesOf(sheet, 1)).toEqual([5, 6]);
  expect(await linesOf(sheet, 3)).toEqual([5, 6]);
  expect(await linesOf(sheet, 4)).toEqual([4, 5, 6]);
});

it('a column whose header says nothing is left alone behind 2 000 rows, unless it had a series', async () => {
  const rows = Array.from({ length: 2_000 }, () => 'x');
  const series = from(19, (at) => `COVID-${at}`);
  expect(await linesOf(['note', ...rows, ...series])).toEqual([]);
  expect(await linesOf(['disease', ...rows, ...series])).toEqual([2_003, 2_004]);
  expect(await linesOf(['note', ...series, ...rows, ...series])).toEqual([3, 4, 2_006, 2_007]);
  expect(await linesOf(['note', ...rows.slice(5), ...series])).toEqual([1_998, 1_999]);
});
