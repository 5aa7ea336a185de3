/** Cells that take a value away: what of a sample each of them means, and what is said of one that means nothing. */
import { describe, expect, it } from 'vitest';
import { codes, type ReadSheet, readSheet, type SheetSettings, table } from '../read-sheet.js';

const D = '2024-05-01';
const HEADER = [
  'Sample Name',
  'Release Date',
  'Sample Identifier',
  'Characteristics[dose]',
  'Term Source REF',
  'Term Accession Number',
  'Unit',
  'Term Accession Number',
  'Characteristics[tissue]',
  'Comment[bsd_relationship:derived from]',
  'Comment[external DB REF]',
  'Comment[submission_contact:name]',
  'Comment[submission_organization:name]',
  'Comment[publication:doi]',
  'Comment[note]',
];
const marked = (...columns: number[]): string[] =>
  HEADER.map((_, at) => (columns.includes(at) ? ' [Clear] ' : (['a', D, 'SAMR1'][at] ?? '')));
const read = (row: string[], more: SheetSettings = {}): Promise<ReadSheet> =>
  readSheet(table(HEADER, ['first', D, 'SAMR9', '5'], row), {
    header: { clearMarker: '[clear]' },
    ...more,
    read: { merges: true, idOfRow: (ordinal) => 100 + ordinal, ...more.read },
  });
const clearedBy = ({ batches }: ReadSheet): unknown => batches[0]?.cleared?.get(1);

describe('a cell that takes its value away', () => {
  it.each([
    ['a characteristic', [3], { characteristics: ['dose'] }],
    ['the last characteristic', [8], { characteristics: ['tissue'] }],
    ['a characteristic with its unit and terms', [3, 4, 5, 6, 7], { characteristics: ['dose'] }],
    ['the relationships of a type', [9], { relationships: ['derived from'] }],
    ['external references', [10], { lists: ['externalReferences'] }],
    ['contacts', [11], { lists: ['contact'] }],
    ['organizations', [12], { lists: ['organization'] }],
    ['publications', [13], { lists: ['publications'] }],
    [
      'all of them at once',
      [3, 8, 9, 10, 11, 12, 13],
      {
        characteristics: ['dose', 'tissue'],
        relationships: ['derived from'],
        lists: ['externalReferences', 'contact', 'organization', 'publications'],
      },
    ],
  ])('may be that of %s', async (_, columns, cleared) => {
    const sheet = await read(marked(...columns));
    expect(sheet.rejected).toEqual([]);
    expect(clearedBy(sheet)).toEqual({ characteristics: [], relationships: [], lists: [], ...cleared });
    expect(sheet.batches[0]?.cleared?.size).toBe(1);
    expect(sheet.batches[0]?.warnings).toBeUndefined();
    // Nothing of it is stored, whatever becomes of the sample.
    expect(JSON.stringify(sheet.samples[1]?.content)).not.toContain('lear');
    expect(sheet.samples[1]).toMatchObject({ name: 'a', id: 1, release: `${D}T00:00:00.000Z` });
  });

  it('in a column that is not stored takes nothing away', async () => {
    const sheet = await read(marked(14));
    expect(sheet.rejected).toEqual([]);
    expect(sheet.batches[0]).not.toHaveProperty('cleared');
  });

  it('leaves the cells beside it as they are', async () => {
    const row = marked(3);
    row[8] = ' liver ';
    const { samples } = await read(row);
    expect({ ...samples[1]?.content.characteristics }).toEqual({ tissue: [{ text: 'liver' }] });
  });

  it.each([
    [0, 'name.missing'],
    [1, 'release.invalid'],
    [2, 'identifier.unknown'],
  ])('is refused in the column of names, dates and identifiers (%i)', async (column, code) => {
    const { rejected } = await read(marked(column));
    expect(codes(rejected)).toEqual([`3 ${code}`]);
  });

  it('is text like any other where no marker is agreed on, or another one', async () => {
    for (const clearMarker of [undefined, '(empty)']) {
      const header = clearMarker === undefined ? {} : { clearMarker };
      const { samples, batches } = await read(marked(8), { header });
      expect({ ...samples[1]?.content.characteristics }).toEqual({ tissue: [{ text: '[Clear]' }] });
      expect(batches[0]).not.toHaveProperty('cleared');
    }
    const other = marked();
    other[8] = '(EMPTY)';
    expect(clearedBy(await read(other, { header: { clearMarker: '(empty)' } }))).toMatchObject({
      characteristics: ['tissue'],
    });
  });

  it('is found in any row, wherever its first character stands before', async () => {
    const rows = ['[', 'x', '[clear]', '[clear', '[CLEAR]', 'C', '[clear]x'].map((cell, at) => [`s${at}`, D, cell]);
    const header = ['Sample Name', 'Release Date', 'Characteristics[x]'];
    for (const letter of ['[clear]', 'clear', 'leer']) {
      const text = table(header, ...rows)
        .replaceAll('[clear]', letter)
        .replaceAll('[CLEAR]', letter.toUpperCase());
      const { batches } = await readSheet(text, { header: { clearMarker: letter } });
      expect([...(batches[0]?.cleared?.keys() ?? [])]).toEqual([2, 4]);
    }
  });
});

describe('a marked unit or term whose value stays', () => {
  const said = {
    line: 3,
    code: 'clear.unit-alone',
    severity: 'warning',
    message:
      'Nothing is taken away: a unit or term goes with its value. Write the value into Characteristics[dose] again to have it without, or put the marker there to take away both.',
  };
  it.each([
    ['term source', 4, { column: 'Term Source REF', columnLetter: 'E' }],
    ['term', 5, { column: 'Term Accession Number', columnLetter: 'F' }],
    ['unit', 6, { column: 'Unit', columnLetter: 'G' }],
    ['term of its unit', 7, { column: 'Term Accession Number', columnLetter: 'H' }],
  ])('is warned about: the %s', async (_, column, place) => {
    const sheet = await read(marked(column));
    expect(sheet.batches[0]?.warnings).toEqual([{ line: 3, name: 'a', issues: [{ ...said, ...place }] }]);
    expect(sheet.batches[0]).not.toHaveProperty('cleared');
    expect(sheet.rejected).toEqual([]);
  });

  it('is not where the row gives the value', async () => {
    const row = marked(6);
    row[3] = '7';
    expect((await read(row)).batches[0]).not.toHaveProperty('warnings');
  });

  it('is not where the sample is new, or replaced', async () => {
    const row = marked(6);
    row[2] = '';
    expect((await read(row)).batches[0]).not.toHaveProperty('warnings');
    expect((await read(marked(6), { read: { merges: false } })).batches[0]).not.toHaveProperty('warnings');
  });

  it('is where the row is known by its key', async () => {
    const row = marked(6);
    row[2] = '';
    const header = { clearMarker: '[clear]', key: 'Sample Name' };
    expect((await read(row, { header })).batches[0]?.warnings).toHaveLength(1);
  });
});
