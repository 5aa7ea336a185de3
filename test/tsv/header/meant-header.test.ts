/** Which headers are taken for misspelt ones, and which are left as they are. */
import { expect, it } from 'vitest';
import { meantHeader } from '../../../src/tsv/header/meant-header.js';

it.each([
  ['Charateristics[organism part]', 'Characteristics[organism part]'],
  ['characteristic s[age]', undefined],
  ['Caracteristics [age]', 'Characteristics[age]'],
  ['Coment[note]', 'Comment[note]'],
  ['Sampel Name', 'Sample Name'],
  ['Relase Date', 'Release Date'],
  ['Term Acession Number', 'Term Accession Number'],
  [' Sampel Name ', 'Sample Name'],
  ['Smple Nme', 'Sample Name'],
  [`Coment[${'x'.repeat(192)}]`, `Comment[${'x'.repeat(192)}]`],
  // Known, or words of their own.
  [`Coment[${'x'.repeat(193)}]`, undefined],
  ['[age]', undefined],
  ['Characteristics[organism part]', undefined],
  ['Sample Name', undefined],
  ['tissue', undefined],
  ['Source[age]', undefined],
  ['x'.repeat(300), undefined],
])('%s: %s', (header, meant) => {
  expect(meantHeader(header)).toBe(meant);
});
