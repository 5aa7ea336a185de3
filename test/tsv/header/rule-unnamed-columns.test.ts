/** Columns without a name of their own: the unit beside a value under one merged header, and the numbers of rows that pandas read back. */
import { describe, expect, it } from 'vitest';

import { planOf, readSheet } from '../read-sheet.js';
import { numbered, resultOf } from '../result-of.js';

const read = async (csv: string, nameColumn?: string) => {
  const header = { releaseDate: 0, unknownColumns: 'characteristics', ...(nameColumn && { nameColumn }) } as const;
  const lines = (text: string) => text.replaceAll(',', '\t');
  const { plan, samples, rejected } = await readSheet(lines(csv), { header });
  const again = await readSheet(await resultOf(lines(csv), { ...numbered, header }), { header });
  expect(again.samples.map(({ content }) => content)).toEqual(samples.map(({ content }) => content));
  expect(rejected).toEqual([]);
  return { notStored: plan.notStored, stored: samples.map(({ content }) => ({ ...content.characteristics })) };
};

describe('a column of units without a header', () => {
  it.each([
    ['in the midst', 'Sample Name,age,,sex\nS1,3,years,f\nS2,NA,months,f\nS3,4.5,,m\n'],
    ['at the end', 'Sample Name,sex,age,\nS1,f,3,years\nS2,f,NA,months\nS3,m,4.5,\n'],
    ['beyond the header', 'Sample Name,sex,age\nS1,f,3,years\nS2,f,NA,months\nS3,m,4.5,\n'],
    ['with remarks between', 'Sample Name,sex,age\nS1,f,3,years\n# the others by hand\nS2,f,NA,months\nS3,m,4.5,\n'],
  ])('%s is that of the numbers on its left, and so it is in the result', async (_, csv) => {
    const { stored, notStored } = await read(csv);
    expect(notStored).toEqual([]);
    expect(stored.map(({ age }) => age)).toEqual([
      [{ text: '3', unit: 'years' }],
      [{ text: 'NA', unit: 'months' }],
      [{ text: '4.5' }],
    ]);
  });

  it.each([
    ['words on its left', 'Sample Name,tissue,\nS1,blood,ml\nS2,serum,ml\n'],
    ['no units', 'Sample Name,age,\nS1,3,old\nS2,4,years\n'],
    ['one letter, which is a sex, too', 'Sample Name,age,\nS1,3,m\nS2,4,m\n'],
    ['nothing in it', 'Sample Name,age,\nS1,3,\nS2,4,\n'],
    ['a date on its left', 'Sample Name,Release Date,\nS1,2024-05-01,kg\n'],
  ])('%s: it is none', async (_, csv) => {
    expect((await read(csv)).notStored).toEqual(['C (no header)']);
  });
});

describe('a column that pandas called Unnamed: 0', () => {
  it.each([
    ['from nought', ['0', '1', '2']],
    ['of a table that was sorted and filtered', ['17', '3', '4']],
  ])('numbers the rows %s: it is no characteristic', async (_, [one, two, three]) => {
    const { stored, notStored } = await read(
      `Unnamed: 0.1,Unnamed: 0,Sample Name,age\n${one},${one},S1,3\n${two},${two},S2,4\n${three},${three},S3,4\n`,
    );
    expect(notStored).toEqual(['Unnamed: 0.1', 'Unnamed: 0']);
    expect(stored).toEqual([{ age: [{ text: '3' }] }, { age: [{ text: '4' }] }, { age: [{ text: '4' }] }]);
  });

  it.each([
    ['words', 'Unnamed: 0,Sample Name\nblood,S1\nserum,S2\n', 'Unnamed: 0', ['blood', 'serum']],
    ['numbers that come again', 'Unnamed: 0,Sample Name\n5,S1\n5,S2\n', 'Unnamed: 0', ['5', '5']],
    ['numbers of another column', 'Sample Name,Unnamed: 1\nS1,5\nS2,6\n', 'Unnamed: 1', ['5', '6']],
  ])('with %s is kept', async (_, csv, name, texts) => {
    const { stored, notStored } = await read(csv);
    expect(notStored).toEqual([]);
    expect(stored.map((each) => each[name]?.[0]?.text)).toEqual(texts);
  });

  it('names the samples where that is said', async () => {
    expect(await read('Unnamed: 0,age\n0,3\n1,4\n', 'Unnamed: 0')).toEqual({
      notStored: [],
      stored: [{ age: [{ text: '3' }] }, { age: [{ text: '4' }] }],
    });
  });
});

describe('values of a column without a header', () => {
  const lost = (csv: string, more: { nameColumn?: string } = {}) =>
    planOf(csv.replaceAll(',', '\t'), { releaseDate: 0, unknownColumns: 'characteristics', ...more }).headless;

  it.each([
    ['remarks at the end', 'Sample Name,age,\nS1,3,\nS2,4,thawed\nS3,4,lost\n', [{ column: 2, value: 'thawed' }]],
    [
      'cells moved by a comma in one of them',
      'Sample Name,place,by,\nS1,Rome,IT,Ann\nS2,Bonn,DE,Bo\n',
      [{ column: 3, value: 'Ann' }],
    ],
    [
      'several',
      'Sample Name,,age, \nS1,a,3,b\n',
      [
        { column: 1, value: 'a' },
        { column: 3, value: 'b' },
      ],
    ],
    ['names in front of rows', ',Sample Name,age\nx1,S1,3\ny2,S2,4\n', [{ column: 0, value: 'x1' }]],
    ['of a sheet that a profile reads', 'Sample ID,age,\nS1,3,thawed\n', [{ column: 2, value: 'thawed' }]],
    [
      'in a section of a file',
      '[Data],,\nSample ID,age,\nS1,3,thawed\n,,\n[More],,\nx,y,z\n',
      [{ column: 2, value: 'thawed' }],
    ],
  ])('are known: %s', (_, csv, found) => {
    expect(lost(csv)).toEqual(found);
  });

  it.each<[string, string, { nameColumn?: string }?]>([
    ['nothing in it', 'Sample Name,age,\nS1,3,\nS2,4, \n'],
    ['numbers of the rows', ',Sample Name,age\n1,S1,3\n2,S2,4\n'],
    ['units', 'Sample Name,age,\nS1,3,years\nS2,4,months\n'],
    ['the names themselves', ',age\nS1,3\nS2,4\n', { nameColumn: 'A (no header)' }],
    [
      'a receipt',
      'Sample Name,age,\nS1,3,\n\n********RECEIPT START********\nColumns kept,age,sex\n********RECEIPT END********\n',
    ],
    ['a remark', 'Sample Name,age,\nS1,3,\n# old,3,thawed\n'],
    ['another section', '[Data],,\nSample Name,age,\nS1,3,\n,,\n[More],,\nx,y,z\n'],
  ])('are none: %s', (_, csv, more) => {
    expect(lost(csv, more)).toBeUndefined();
  });
});
