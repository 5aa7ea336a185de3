import { describe, expect, it } from 'vitest';
import { openChecklists } from '../../src/checklists/open.js';
import type { CheckedSheet } from '../../src/registry/checklist.js';
import { type SampleLayout, unpackSample } from '../../src/registry/samples/packed-sample.js';
import { Random } from '../support/random.js';

const none = { relationships: [], externalReferences: [], contact: [], organization: [], publications: [] };

const layout: SampleLayout = {
  cells: 9,
  characteristics: [
    { name: 'organism', text: 0, terms: [{ source: 1, accession: 2 }] },
    { name: 'host sex', text: 3 },
    { name: 'host age', text: 4, unit: 5 },
    { name: 'collection date', text: 6 },
    { name: 'Host Body Site', text: 7 },
    { name: 'checklist', text: 8 },
  ],
  ...none,
};
const headers = [
  'Characteristics[organism]',
  'Term Source REF',
  'Term Accession Number',
  'Characteristics[host sex]',
  'Characteristics[host age]',
  'Unit',
  'Characteristics[collection date]',
  'Characteristics[Host Body Site]',
  'Characteristics[checklist]',
];
const place = (header: string, i: number) => ({ column: header, columnLetter: String.fromCharCode(66 + i) });
const sheet: CheckedSheet = { layout, cells: headers.map(place), name: { column: 'Sample Name', columnLetter: 'A' } };
const row = (cells: Partial<Record<number, string>>) => Array.from({ length: 9 }, (_, i) => cells[i] ?? '').join('\t');

describe('a checklist on a sheet', () => {
  const rules = openChecklists();

  it('is absent when nothing names one', () => {
    const plain = { ...sheet, layout: { ...layout, characteristics: layout.characteristics.slice(0, 5) } };
    expect(rules.rowCheck(plain, {})).toBeUndefined();
    expect(rules.rowCheck(plain, { fallback: 'minimal' })).toBeTypeOf('function');
    expect(() => rules.rowCheck(sheet, { option: 'nosuch' })).toThrow(/no checklist "nosuch"/);
  });

  it('names line, header, letter, value, allowed values and the fix', () => {
    const check = rules.rowCheck(sheet, { option: 'human-associated' });
    const issues = check?.(17, 'S1', 0, row({ 0: 'Homo sapiens', 3: 'F', 4: '12 years', 6: '21.11.2024' })) ?? [];
    const brief = issues.map(({ line, columnLetter, column, code, suggestion }) => [
      line,
      columnLetter,
      column,
      code,
      suggestion,
    ]);
    expect(brief).toEqual(
      expect.arrayContaining([
        [17, 'E', 'Characteristics[host sex]', 'checklist.value', 'female'],
        [17, 'F', 'Characteristics[host age]', 'checklist.form', '12'],
        [17, 'G', 'Unit', 'checklist.unit', 'years'],
        [17, 'H', 'Characteristics[collection date]', 'checklist.form', '2024-11-21'],
        [17, 'I', 'Characteristics[host body site]', 'checklist.missing', undefined],
        [17, undefined, 'Characteristics[geographic location (country and/or sea)]', 'checklist.missing', undefined],
      ]),
    );
    expect(brief).toHaveLength(6);
    const site = issues.find(({ column }) => column === 'Characteristics[host body site]');
    expect(site?.message).toContain(
      'Column I is called Characteristics[Host Body Site]; name it Characteristics[host body site].',
    );
  });

  it('a row that names its own checklist is checked by that one, and an unknown name is an issue of that cell', () => {
    const check = rules.rowCheck(sheet, { option: 'human-associated' });
    expect(check?.(2, 'S1', 0, row({ 0: 'Mus musculus', 8: 'minimal' }))).toEqual([]);
    expect(check?.(3, 'S1', 0, row({ 0: 'Mus musculus', 8: 'minimall' }))).toMatchObject([
      {
        line: 3,
        column: 'Characteristics[checklist]',
        columnLetter: 'J',
        code: 'checklist.unknown',
        suggestion: 'minimal',
      },
    ]);
  });

  it('finds in any row what the same sample has wrong as a JSON document', async () => {
    const random = new Random(4);
    const values = [
      ['', 'Homo sapiens'],
      ['', 'NCBITaxon'],
      ['', '9606'],
      ['', 'male', 'Male', 'x'],
      ['', '3', 'three', '1,5'],
      ['', 'years', 'moons'],
      ['', '2024', '2024-02-30', '1/2/2024', 'not collected'],
      ['', 'gut'],
    ];
    for (const id of ['human-associated', 'pathogen', 'plant', 'minimal']) {
      const check = rules.rowCheck(sheet, { option: id });
      for (let line = 2; line < 150; line++) {
        const packed = row(Object.fromEntries(values.map((list, i) => [i, random.pick(list)])));
        const { characteristics } = unpackSample(layout, packed);
        const problems = await rules.problemsOf({ name: 'S', release: new Date(0).toISOString(), characteristics }, id);
        const issues = check?.(line, 'S', 0, packed) ?? [];
        const brief = (list: readonly { code: string; suggestion?: string }[]) =>
          list.map(({ code, suggestion }) => `${code} ${suggestion}`).sort();
        expect(brief(issues), packed).toEqual(brief(problems));
      }
    }
  });
});
