/** A row below a header that says of each column which form its values have, and names no sample. */
import { expect, it } from 'vitest';
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
