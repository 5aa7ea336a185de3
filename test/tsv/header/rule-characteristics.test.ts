import { describe, expect, it } from 'vitest';
import type { Characteristic } from '../../../src/registry/samples/sample.js';
import { planOf, readSheet, table } from '../read-sheet.js';

/** The characteristics of one row under these headers. */
async function characteristics(header: string[], row: string[]): Promise<Record<string, Characteristic[]>> {
  const { samples, rejected } = await readSheet(
    table(['Sample Name', 'Release Date', ...header], ['a', '2024-05-01', ...row]),
  );
  expect(rejected).toEqual([]);
  return { ...samples[0]?.content.characteristics };
}

const TSR = 'Term Source REF';
const TAN = 'Term Accession Number';

describe('characteristics', () => {
  it('a repeated header gives several entries, an empty cell none', async () => {
    const header = ['Characteristics[x]', 'Characteristics[y]', 'Characteristics[x]', 'Characteristics[x]'];
    expect(await characteristics(header, ['1', '', '', '3'])).toEqual({ x: [{ text: '1' }, { text: '3' }] });
  });

  it('a unit belongs to the nearest one on its left, and its terms to the unit', async () => {
    const header = ['Characteristics[age]', TSR, TAN, 'Unit', TSR, TAN, 'Characteristics[sex]', TSR, TAN];
    const row = ['34', 'PATO', '0000011', 'year', 'UO', '0000036', 'female', 'PATO', 'PATO:0000383'];
    expect(await characteristics(header, row)).toEqual({
      age: [{ text: '34', ontologyTerms: ['PATO:0000011'], unit: 'year', unitOntologyTerms: ['UO:0000036'] }],
      sex: [{ text: 'female', ontologyTerms: ['PATO:0000383'] }],
    });
  });

  it('a bare id gets its source, addresses and CURIEs stay, a source alone says nothing', async () => {
    const header = [
      'Characteristics[a]',
      TSR,
      TAN,
      'Characteristics[b]',
      TSR,
      TAN,
      'Characteristics[c]',
      TAN,
      'Characteristics[d]',
      TSR,
    ];
    const row = ['1', 'NCBITaxon', '9606', '2', 'EFO', 'http://x.org/EFO_2', '3', '77', '4', 'EFO'];
    expect(await characteristics(header, row)).toEqual({
      a: [{ text: '1', ontologyTerms: ['NCBITaxon:9606'] }],
      b: [{ text: '2', ontologyTerms: ['http://x.org/EFO_2'] }],
      c: [{ text: '3', ontologyTerms: ['77'] }],
      d: [{ text: '4' }],
    });
  });

  it('several terms in a row, in either order of source and accession', async () => {
    expect(await characteristics(['Characteristics[a]', TSR, TAN, TSR, TAN], ['v', 'A', '1', 'B', '2'])).toEqual({
      a: [{ text: 'v', ontologyTerms: ['A:1', 'B:2'] }],
    });
    expect(
      await characteristics(['Characteristics[a]', TAN, TSR, 'Unit', TAN, TSR], ['v', '1', 'A', 'g', '2', 'B']),
    ).toEqual({
      a: [{ text: 'v', ontologyTerms: ['A:1'], unit: 'g', unitOntologyTerms: ['B:2'] }],
    });
  });

  it('a comment or a known column between does not part them', async () => {
    const header = ['Characteristics[age]', 'Comment[note]', 'Sample Identifier', 'Unit'];
    expect(await characteristics(header, ['34', 'n', '', 'year'])).toEqual({ age: [{ text: '34', unit: 'year' }] });
  });

  it.each(['Factor Value[dose]', 'Parameter Value[dose]', 'Protocol REF', 'Material Type'])(
    '%s keeps its own unit and terms, which are not stored',
    async (owner) => {
      const header = ['Characteristics[age]', owner, 'Unit', TSR, TAN];
      expect(await characteristics(header, ['34', '5', 'mg', 'UO', '22'])).toEqual({ age: [{ text: '34' }] });
      expect(planOf(table(['Sample Name', 'Release Date', ...header], ['a', '2024-05-01'])).notStored).toEqual([
        owner,
        'Unit',
        TSR,
        TAN,
      ]);
    },
  );

  it('without a text there is no entry, whatever its unit and terms say', async () => {
    expect(await characteristics(['Characteristics[a]', 'Unit', TSR, TAN], ['', 'g', 'UO', '1'])).toEqual({});
  });

  it('a second unit is not stored, and a unit with nothing on its left neither', async () => {
    const header = ['Unit', 'Characteristics[a]', 'Unit', 'Unit'];
    expect(await characteristics(header, ['x', 'v', 'g', 'kg'])).toEqual({ a: [{ text: 'v', unit: 'g' }] });
    const plan = planOf(table(['Sample Name', 'Release Date', ...header], ['a', '2024-05-01']));
    expect(plan.notStored).toEqual(['Unit', 'Unit']);
  });

  it('equal sheets with columns in the same order share one layout', () => {
    const layout = (name: string) =>
      planOf(table([name, 'Release Date', 'Characteristics[a]', 'Unit'], ['a', '2024-05-01'])).layout;
    expect(JSON.stringify(layout('Sample Name'))).toBe(JSON.stringify(layout('sample_name')));
  });
});
