/** Longer than others: what is said of each kind of header that cannot be read, the line, what was found there, and what to do. */
import { describe, expect, it } from 'vitest';
import type { KnownProfile } from '../../src/tsv/header/profile.js';
import { type Refused, refusal, type SheetSettings, table } from './read-sheet.js';

const D = '2024-05-01';
const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]'];
const FOUND = 'Found: Sample Name, Release Date, Characteristics[x].';

type Case = [what: string, sheet: string, refused: Refused, settings?: SheetSettings];

const OWN: KnownProfile = {
  name: 'lab',
  rank: 'own',
  document: {
    profile: 1,
    title: 'Lab',
    joinNames: '-',
    columns: [
      { header: 'donor', as: 'name' },
      { header: 'tube', as: 'name' },
      ...['a', 'b', 'c'].map((header) => ({ header, as: 'characteristic' as const })),
    ],
  },
};
const ALIKE: KnownProfile = { ...OWN, name: 'alike' };
const CHANGE =
  'Change the profile (its columns, "optional", "otherColumns"), rename the columns, or read the sheet without it by profile=none.';

const BAD_HEADERS: Case[] = [
  [
    'a column that is there twice',
    table(['# note'], ['Sample Name', 'Release Date', 'sample name'], ['a', D, 'b']),
    {
      line: 2,
      column: 'Sample Name',
      message:
        'Line 2: the column Sample Name is there 2 times, in columns A and C; keep one of them, or give the others another header, under which they are kept.',
    },
  ],
  [
    'two lists side by side',
    table(['Sample Name', 'Release Date', '', 'Sample Name', 'Release Date'], ['a', D, '', 'b', D], ['c', D]),
    {
      line: 1,
      column: 'Sample Name',
      message:
        'Line 1: 2 lists of samples stand side by side (the column Sample Name is there 2 times, in columns A, D), and a row is one sample. Put them below each other, under one header.',
    },
  ],
  [
    'one list whose columns are there twice',
    table(['Sample Name', 'Release Date', 'Sample Name', 'Release Date'], ['a', D, 'a', D], ['c', D, 'c', D]),
    {
      line: 1,
      column: 'Sample Name',
      message:
        'Line 1: the column Sample Name is there 2 times, in columns A and C; keep one of them, or give the others another header, under which they are kept.',
    },
  ],
  [
    'an identifier that is there three times',
    table([...HEADER, ...Array(3).fill('Sample Identifier')], ['a', D]),
    {
      line: 1,
      column: 'Sample Identifier',
      message:
        'Line 1: the column Sample Identifier is there 3 times, in columns D and E and F; keep one of them, or give the others another header, under which they are kept.',
    },
  ],
  [
    'a name that is there a hundred times',
    table([...HEADER, ...Array(99).fill('Sample Name')], ['a', D]),
    {
      line: 1,
      column: 'Sample Name',
      message:
        'Line 1: the column Sample Name is there 100 times, in columns A, D, E, F, G, H, I, J, K, L, M, N and 88 more; keep one of them, or give the others another header, under which they are kept.',
    },
  ],
  [
    'two columns of the header that the option nameColumn names',
    table(['Strain ', 'Release Date', 'strain'], ['a', D, 'b']),
    {
      line: 1,
      column: 'Sample Name',
      message:
        'Line 1: 2 columns are read as Sample Name: Strain (A), strain (C); keep one of them, or give the others another header, under which they are kept.',
    },
    { header: { nameColumn: 'strain' } },
  ],
  [
    'a bracket that is forgotten',
    table(['Sample Name', 'Release Date', ' Characteristics '], ['a', D, 'b']),
    {
      line: 1,
      column: 'Characteristics',
      message:
        'Line 1, column C: the header "Characteristics" should look like Characteristics[name]; write the name between square brackets.',
    },
  ],
  [
    'a comment that is never closed',
    table(['Sample Name', 'Release Date', 'Comment[note'], ['a', D, 'b']),
    {
      line: 1,
      column: 'Comment[note',
      message:
        'Line 1, column C: the header "Comment[note" should look like Comment[name]; write the name between square brackets.',
    },
  ],
  [
    'columns that nobody knows',
    table(['Sample Name', 'Release Date', ...Array.from({ length: 14 }, (_, at) => `c${at}`)], ['a', D]),
    {
      line: 1,
      message: `Line 1: unknown columns: ${[...'CDEFGHIJKLMN'].map((letter, at) => `c${at} (column ${letter})`).join(', ')} and 2 more. Write them as Characteristics[name] or Comment[name], or upload without unknownColumns=reject.`,
    },
    { header: { unknownColumns: 'reject' } },
  ],
  [
    'neither a name nor a date',
    table(['id', 'tissue'], ['a', 'b']),
    {
      line: 1,
      column: 'Sample Name',
      message:
        'Line 1: there is neither a Sample Name nor a Release Date column; add both, with a name and a date such as 2024-11-21 for each sample. If a column names the samples already, say which with the option nameColumn: id, tissue. Found: id, tissue.',
    },
  ],
  [
    'no name, where the rows are dated',
    table(['id', 'Release Date'], ['a', D], ['a', D]),
    {
      line: 1,
      column: 'Sample Name',
      message: 'Line 1: there is no Sample Name column; add one with a name for each sample. Found: id, Release Date.',
    },
  ],
  [
    'no name, where the upload is dated',
    table(['x'.repeat(61), ' '], ['a', D], ['a', D]),
    {
      line: 1,
      column: 'Sample Name',
      message: `Line 1: there is no Sample Name column; add one with a name for each sample. Found: ${'x'.repeat(60)}.`,
    },
    { header: { releaseDate: 0 } },
  ],
  [
    'no date',
    table(['Sample Name', 'x'], ['a', 'v']),
    {
      line: 1,
      column: 'Release Date',
      message:
        'Line 1: there is no Release Date column; add one with dates such as 2024-11-21, or give one date for all rows with the option releaseDate. Found: Sample Name, x.',
    },
  ],
  [
    'a name column that it does not have',
    table(HEADER, ['a', D]),
    {
      line: 1,
      column: 't'.repeat(100),
      message: `Line 1: there is no column ${'t'.repeat(100)}, which the option nameColumn names; write one of its headers. ${FOUND}`,
    },
    { header: { nameColumn: 't'.repeat(101) } },
  ],
  [
    'a key column that it does not have',
    table(HEADER, ['a', D]),
    {
      line: 1,
      column: 'nokey',
      message: `Line 1: there is no column nokey, which the option key names; write one of the headers, or Sample Name for the name. ${FOUND}`,
    },
    { header: { key: 'nokey' } },
  ],
  [
    'a key column that it has twice',
    table([...HEADER, 'k', 'K'], ['a', D]),
    {
      line: 1,
      column: 'k',
      message:
        'Line 1: the column k, which the option key names, is there 2 times, in columns D and E; keep one of them.',
    },
    { header: { key: 'k' } },
  ],
  [
    'a profile that is not there',
    table(['a', 'b'], ['a', D]),
    {
      line: 1,
      message:
        'There is no import profile nosuch; there are: lab, ena, ncbi, geo, mixs, sampletab, sdrf, nextstrain, qiime, terra, by-sample-id. Write one of these, or none.',
    },
    { header: { profile: 'nosuch', profiles: [OWN] } },
  ],
  [
    'a profile whose name columns it lacks',
    table(['a', 'b'], ['a', D]),
    {
      line: 1,
      message:
        'Line 1: there is no column alias or sample_alias, by which the import profile ena names the samples. Found: a, b.',
    },
    { header: { profile: 'ena' } },
  ],
  [
    'a profile of which it lacks one of two names',
    table(['donor', 'b'], ['a', D]),
    {
      line: 1,
      message:
        'Line 1: there is no column donor and tube, by which the import profile lab names the samples. Found: donor, b.',
    },
    { header: { profile: 'lab', profiles: [OWN] } },
  ],
  [
    'a profile that it nearly fits',
    table(['tube', 'donor', 'a', 'b', 'd'], ['1', '2']),
    {
      line: 1,
      message: `Line 1: the sheet has nearly the columns of the import profile lab; it lacks c and has beside them d. ${CHANGE}`,
    },
    { header: { profiles: [OWN], releaseDate: 0 } },
  ],
  [
    'a profile of which it lacks columns',
    table(['tube', 'donor', 'a'], ['1', '2']),
    {
      line: 1,
      message: `Line 1: the sheet has nearly the columns of the import profile lab; it lacks b, c. ${CHANGE}`,
    },
    { header: { profiles: [OWN], releaseDate: 0 } },
  ],
  [
    'two profiles that it fits',
    table(['tube', 'donor', 'a', 'b', 'c'], ['1', '2']),
    {
      line: 1,
      message:
        'Line 1: these columns are those of 2 import profiles: lab, alike. Say which with the option profile, or profile=none to read the sheet without.',
    },
    { header: { profiles: [OWN, ALIKE], releaseDate: 0 } },
  ],
  [
    'more columns than are read',
    table(Array.from({ length: 16_385 }, (_, at) => (at === 0 ? 'Sample Name' : 'c'))),
    { line: 1, message: 'Line 1: the row has 16385 columns; at most 16384 are read. Remove some.' },
  ],
];

const UNCLOSED: Case[] = [
  [
    'a quote that is never closed',
    table(HEADER, ['a', D], ['b', `"${D}`]),
    {
      code: 'file.quote-unclosed',
      line: 3,
      column: 'B',
      message: `Line 3, column B: the quoted cell "${D} is never closed. Close it with a quote before the next cell begins, or take the first quote away.`,
    },
  ],
];

describe('a sheet is refused that', () => {
  it.each([...BAD_HEADERS, ...UNCLOSED])('has %s', async (_, file, refused, settings) => {
    const { code = 'file.header', ...said } = refused;
    const none = { line: undefined, column: undefined, offset: undefined };
    expect(await refusal(file, settings)).toEqual({ ...none, code, ...said });
  });
});
