/** What the columns of a sheet are called where messages, receipts and checklists name them. */
import { describe, expect, it } from 'vitest';
import { checkedSheet, columnTitle, sheetPlaces } from '../../../src/tsv/header/cell-place.js';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { planOf, table } from '../read-sheet.js';

const HEADER = ['Sample Name', ' Sample Identifier ', 'Release Date', 'barcode', 'Characteristics[x]', ''];
const row = HEADER.map(() => 'a');

describe('the places of a sheet', () => {
  it('are its own headers with their letters, of the columns that it has', () => {
    const plan = planOf(table(HEADER, row), { key: 'barcode' });
    expect(sheetPlaces(plan)).toStrictEqual({
      form: 'sheet',
      name: { column: 'Sample Name', columnLetter: 'A' },
      accession: { column: 'Sample Identifier', columnLetter: 'B' },
      release: { column: 'Release Date', columnLetter: 'C' },
      key: { column: 'barcode', columnLetter: 'D' },
    });
    const bare = planOf(table(['x', 'Sample Name'], ['1', 'a']), { releaseDate: 0 });
    expect(sheetPlaces(bare)).toStrictEqual({ form: 'sheet', name: { column: 'Sample Name', columnLetter: 'B' } });
  });

  it('are what checklists know of it, with what is stored', () => {
    const plan = planOf(table(HEADER, row));
    const sheet = checkedSheet(plan);
    expect(sheet).toMatchObject({
      layout: plan.layout,
      cells: [{ column: 'Characteristics[x]', columnLetter: 'E' }],
      name: { column: 'Sample Name', columnLetter: 'A' },
    });
    expect(sheet.headers?.map(({ column }) => column)).toEqual([
      ...HEADER.slice(0, 5).map((text) => text.trim()),
      'column F',
    ]);
  });
});

describe('a column that a profile adds', () => {
  const profile: KnownProfile = {
    name: 'lab',
    rank: 'own',
    document: {
      profile: 1,
      title: 'Lab',
      columns: [
        { header: 'tube', as: 'name' },
        { header: 'organ', as: 'characteristic' },
        { header: 'mass', as: 'characteristic', unit: 'g' },
        { header: 'site', as: 'characteristic', name: 'tissue' },
      ],
      fixed: [{ characteristic: 'organism', value: 'Zea mays' }],
    },
  };
  const plan = planOf(table(['tube', 'organ', 'mass', 'site'], ['T1', 'leaf', '3', 'x']), {
    releaseDate: 0,
    profiles: [profile],
  });

  it('has the title that it is given, and the letter behind the last', () => {
    expect(columnTitle(plan, 4)).toBe('organism');
    expect(columnTitle(plan, 5)).toBe('column F');
  });

  it('stands in the receipt with its value, beside those that are stored as something else', () => {
    expect(plan.meanings).toEqual([
      'tube: Sample Name',
      'mass: Characteristics[mass], unit g',
      'site: Characteristics[tissue]',
      'organism: Characteristics[organism] = Zea mays',
    ]);
  });
});
