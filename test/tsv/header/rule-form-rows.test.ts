/** A row below a header that says which form or unit the values of each column have, and names no sample. */
import { expect, it } from 'vitest';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { planOf, readSheet, table } from '../read-sheet.js';

const header = { unknownColumns: 'characteristics', releaseDate: 0 } as const;
const HEADER = ['SampleID', 'BarcodeSequence', 'BCS'];
const SAMPLES = [
  ['P1', 'P1.feces', '3'],
  ['P2', 'P2.feces', '2.25'],
];

it.each(['q2:types', 'Type', 'data_types', 'Column Type'])('called %s is no sample', async (name) => {
  for (const forms of [
    [name.replace('_', ' '), 'categorical', 'numeric'],
    [name.replace('_', ' '), 'categorical', 'categorical'],
  ]) {
    const sheet = table(HEADER, forms, ...SAMPLES);
    const { samples, rejected } = await readSheet(sheet, { header });
    expect([samples.map((sample) => sample.name), rejected]).toEqual([['P1', 'P2'], []]);
    expect(planOf(sheet, header).below).toEqual([forms]);
  }
});

it.each([
  ['with a value', ['types', 'categorical', '3']],
  ['with a name of its own', ['P0', 'categorical', 'categorical']],
  ['without a form', ['types', '', '']],
])('is one %s', async (_, row) => {
  const { samples } = await readSheet(table(HEADER, row, ...SAMPLES), { header });
  expect(samples).toHaveLength(3);
});

it('a row of units is one below columns that are joined to a name, too, of which one has its own', async () => {
  const columns = [
    { header: 'station', as: 'name' },
    { header: 'depth', as: 'name' },
    { header: 'temperature', as: 'characteristic' },
    { header: 'sex', as: 'characteristic' },
  ] as const;
  const joined: KnownProfile = {
    name: 'buoy',
    rank: 'own',
    version: 1,
    document: { profile: 1, title: 'Buoy', joinNames: '-', columns: [...columns] },
  };
  const sheet = table(
    ['station', 'depth', 'temperature', 'sex'],
    ['', 'm', '°C', ''],
    ['B1', '0', '4.5', 'f'],
    ['B1', '5', '4.1', 'f'],
  );
  const { samples, rejected } = await readSheet(sheet, { header: { profiles: [joined], releaseDate: 0 } });
  expect([samples.map(({ name }) => name), rejected]).toEqual([['B1-0', 'B1-5'], []]);
  expect(samples[0]?.content.characteristics.temperature).toEqual([{ text: '4.5', unit: '°C' }]);
});
