/** Headers that speak of becoming public and are not Release Date: the refusal without a date names the column. */
import { expect, it } from 'vitest';
import { meantRelease } from '../../../src/tsv/header/meant-header.js';
import { refusal, table } from '../read-sheet.js';

const MEANT = [
  'Release date (YYYY-MM-DD)',
  'Release_Date [yyyy-mm-dd]',
  'Date of release*',
  'Date of release',
  'Public release date',
  'Hold until',
  'Embargo end',
  'Relase Date',
];
const OTHER = [
  'Release Date',
  'release_date',
  'Release',
  'Embargo',
  'Software release date',
  'Release date of the dam',
  'Release site',
  'Release rate',
  'Collection date (YYYY-MM-DD)',
  'Date',
  'Characteristics[release date (YYYY-MM-DD)]',
  `Release date${' '.repeat(300)}*`,
];

it.each(MEANT)('%s is taken for one that means it', (header) => {
  expect(meantRelease(['Sample Name', header, 'tissue'])).toBe(1);
});

it.each(OTHER)('%s is not', (header) => {
  expect(meantRelease(['Sample Name', header, 'tissue'])).toBeUndefined();
});

it.each(MEANT)('a sheet without a date is refused with what to call %s', async (header) => {
  const sheet = table(['Sample Name', 'tissue', header], ['a', 'liver', '2035-01-01']);
  const { code, message } = await refusal(sheet, { header: { unknownColumns: 'characteristics' } });
  expect(code).toBe('file.header');
  expect(message).toContain(`If "${header}" (column C) is it, call it Release Date. Found:`);
});

it('a sheet that has none is refused without such a proposal', async () => {
  const { message } = await refusal(table(['Sample Name', 'tissue'], ['a', 'liver']));
  expect(message).toContain('option releaseDate. Found:');
});
