/** What is reported of a bad row: where, which value, what is wrong and what to do. */
import { describe, expect, it } from 'vitest';
import { issuesOf, readSheet, type SheetSettings, table } from './read-sheet.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]'];
const X = { column: 'Characteristics[x]', columnLetter: 'C' };
const NAME = { column: 'Sample Name', columnLetter: 'A' };
const RELEASE = { column: 'Release Date', columnLetter: 'B' };
const KEYED: SheetSettings = { header: { key: 'barcode' } };
const BARCODE = { column: 'barcode', columnLetter: 'D' };
const LATER = { read: { idOfRow: (ordinal: number) => 100 + ordinal } };
const PARENT = { column: 'Comment[bsd_relationship:derived from]', columnLetter: 'C' };
const RELATED = ['Sample Name', 'Release Date', PARENT.column, 'Sample Identifier'];

const CASES: [what: string, sheet: string, issue: object, settings?: SheetSettings][] = [
  [
    'a cell beyond the header',
    table(HEADER, ['a', D, 'v', '', 'extra']),
    {
      column: 'column E',
      columnLetter: 'E',
      code: 'row.extra-cells',
      value: 'extra',
      message:
        'The row has a cell in column E, beyond the last header (column C). Remove it, or give the column a header; a cell further left may hold a tab too many.',
    },
  ],
  [
    'a cell that is too long',
    table(HEADER, ['a', D, 'x'.repeat(100_001)]),
    {
      ...X,
      code: 'cell.too-long',
      value: 'x'.repeat(100),
      message: 'The cell has 100001 characters; at most 100000 are taken. Shorten it, or link to the text instead.',
    },
  ],
  [
    'a NUL character',
    table(HEADER, ['a', D, 'v\0w\0']),
    {
      ...X,
      code: 'cell.control-character',
      value: 'v␀w␀',
      message: 'The cell holds a NUL character, which no text has. Type the cell anew.',
    },
  ],
  [
    'a quote that closes further down',
    `${table(HEADER)}a\t${D}\t"open\nb\t${D}\ty\nc\t${D}\tz"\n`,
    {
      ...X,
      code: 'cell.quote-swallows-rows',
      value: `open\nb\t${D}\ty\nc\t${D}\tz`,
      message:
        'A quote opens this cell and closes it on line 4 only, with what look like whole rows between. Take the quote away, or close it where the cell ends.',
    },
  ],
  [
    'a name that is missing',
    table(HEADER, [' ', D, 'v']),
    {
      ...NAME,
      code: 'name.missing',
      message: 'The row has no Sample Name. Give it one, or empty the whole row.',
    },
  ],
  [
    'the example row of a template',
    table(HEADER, ['Example sample (replace this row)', D, 'v']),
    {
      ...NAME,
      code: 'name.example',
      value: 'Example sample (replace this row)',
      message:
        'This is the example row of the template, not a sample. Replace it by a sample of your own, or delete the row.',
    },
  ],
  [
    'a date that can mean one day only',
    table(HEADER, ['a', '21.11.2024', 'v']),
    {
      ...RELEASE,
      code: 'release.invalid',
      value: '21.11.2024',
      suggestion: '2024-11-21',
      message: '"21.11.2024" is not an ISO 8601 date that the calendar has; write 2024-11-21.',
    },
  ],
  [
    'a date that means none',
    table(HEADER, ['a', ' soon ', 'v']),
    {
      ...RELEASE,
      code: 'release.invalid',
      value: 'soon',
      message:
        '"soon" is not an ISO 8601 date that the calendar has; write a date such as 2024-11-21 or 2024-11-21T09:30:00Z.',
    },
  ],
  [
    'a date that is missing',
    table(HEADER, ['a', '', 'v']),
    {
      ...RELEASE,
      code: 'release.missing',
      message:
        'The row has no Release Date. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.',
    },
  ],
  [
    'a date that is missing, by what its column is called',
    table(['Sample Name', 'RELEASE_DATE'], ['a']),
    {
      column: 'RELEASE_DATE',
      columnLetter: 'B',
      code: 'release.missing',
      message:
        'The row has no RELEASE_DATE. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.',
    },
  ],
  [
    'a new row where only others say which sample they are',
    table(['Sample Name', 'Sample Identifier'], ['a', '']),
    {
      ...NAME,
      code: 'release.missing',
      message:
        'The row has no Release Date. Give it a date such as 2024-11-21, or give one date for all with the option releaseDate.',
    },
  ],
  [
    'a word for no name that comes again',
    table(HEADER, ['n/a', D, 'v'], ['b', D, 'v'], ['n/a', D, 'w']),
    {
      ...NAME,
      line: 4,
      code: 'name.repeated',
      value: 'n/a',
      message:
        '"n/a" is what programs and people write where there is no name, here as on line 2. Give each sample a name of its own, or delete the rows that are no samples.',
    },
  ],
  [
    'a key that is missing',
    table([...HEADER, 'barcode'], ['a', D, 'v', ' ']),
    { ...BARCODE, code: 'key.missing', message: 'The row has no barcode, by which the rows are known again. Fill it.' },
    KEYED,
  ],
  [
    'a key that is a word for none',
    table([...HEADER, 'barcode'], ['a', D, 'v', ' NULL ']),
    {
      ...BARCODE,
      code: 'key.missing',
      value: 'NULL',
      message:
        '"NULL" in barcode is what programs and people write where there is no value; another file may have it for another sample. Give the row a key of its own.',
    },
    KEYED,
  ],
  [
    'a key in a row that is too short for one',
    table([...HEADER, 'barcode'], ['a', D]),
    { ...BARCODE, code: 'key.missing', message: 'The row has no barcode, by which the rows are known again. Fill it.' },
    KEYED,
  ],
  [
    'a key that is too long',
    table([...HEADER, 'barcode'], ['a', D, 'v', ` ${'k'.repeat(501)} `], ['b', D, 'v', 'k'.repeat(500)]),
    {
      ...BARCODE,
      code: 'key.too-long',
      value: 'k'.repeat(100),
      message: 'The key has 501 characters; at most 500 are taken. Choose another column.',
    },
    KEYED,
  ],
  [
    'a target that nothing is',
    table(RELATED, ['a', D, 'nobody']),
    {
      ...PARENT,
      code: 'relationship.unknown',
      value: 'nobody',
      message:
        'No row of this file has the Sample Name nobody, and it is no accession. Add the row, or correct the name; the option relationships=later lets another file bring it.',
    },
    LATER,
  ],
];

const SECOND: [what: string, sheet: string, line: number, issue: object, settings?: SheetSettings][] = [
  [
    'a key that another row has',
    table([...HEADER, 'barcode'], ['a', D, 'v', 'k1'], ['b', D, 'v', ' k1 ']),
    3,
    {
      ...BARCODE,
      code: 'key.repeated',
      value: 'k1',
      message: 'The row on line 2 has the key "k1" already. Keep one of the two rows, or correct the key of one.',
    },
    KEYED,
  ],
  [
    'a target that is rejected',
    table(RELATED, ['', D], ['b', 'soon'], ['c', D, ' b ']),
    4,
    {
      ...PARENT,
      code: 'relationship.target-rejected',
      value: 'b',
      message: 'The row on line 3, which has this Sample Name, is rejected; fix that one and send both.',
    },
    LATER,
  ],
  [
    'a target that several rows may be',
    table(RELATED, ['c', D, '', 'SAMR1'], ['c', D, '', 'SAMR2'], ['d', D, 'c']),
    4,
    {
      ...PARENT,
      code: 'relationship.ambiguous',
      value: 'c',
      message: 'Several rows are named c; name the one you mean by its accession.',
    },
    LATER,
  ],
  [
    'an accession of ours that no sample has',
    table(RELATED, ['a', D], ['b', D, 'SAMR9']),
    3,
    {
      ...PARENT,
      code: 'relationship.unknown',
      value: 'SAMR9',
      message: 'There is no sample SAMR9 here, nor a row of this file with that name. Correct the accession.',
    },
    { ...LATER, survey: { ownersOf: async () => new Map() } },
  ],
  [
    'rows of one name that differ, of a sheet with a row for each assay',
    table(['Source Name', 'Characteristics[x]', 'assay name'], ['a', 'v', '1'], ['a', 'w', '2'], ['a', 'v', '3']),
    3,
    {
      column: 'Source Name',
      columnLetter: 'A',
      code: 'name.repeated',
      value: 'a',
      message:
        'This row and the one on line 2 have this name, but they differ in what is stored of the sample. Make them agree, or give each sample a name of its own.',
    },
    { header: { releaseDate: 0 } },
  ],
];

describe('of a bad row is reported', () => {
  it.each(CASES)('%s', async (_, sheet, issue, settings) => {
    const { rejected } = await readSheet(sheet, settings);
    expect(issuesOf(rejected)).toEqual([{ line: 2, severity: 'error', ...issue }]);
  });

  it.each(SECOND)('%s', async (_, sheet, line, issue, settings) => {
    const { rejected } = await readSheet(sheet, settings);
    expect(issuesOf(rejected).filter((each) => each.line === line)).toEqual([{ line, severity: 'error', ...issue }]);
  });
});
