/** Which headers are taken for misspelt ones, and which are left as they are. */
import { expect, it } from 'vitest';
import { meantHeader, meantHeaders } from '../../../src/tsv/header/meant-header.js';

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
  ['Charateristics[age]*', 'Characteristics[age]'],
  ['Charactristic[age]', 'Characteristics[age]'],
  ['sampelName', 'Sample Name'],
  ['samplname', 'Sample Name'],
  ['Sample-Name', 'Sample Name'],
  ['Attribute[organism part]', 'Characteristics[organism part]'],
  ['Sample Properties [x]', 'Characteristics[x]'],
  ['Relationship[derived from]', 'Comment[bsd_relationship:derived from]'],
  ['relation: child of ', 'Comment[bsd_relationship:child of]'],
  ['bsd_relationship:same as', 'Comment[bsd_relationship:same as]'],
  ['Comment[relationship: child of]', 'Comment[bsd_relationship:child of]'],
  ['Coment[bsd relation:child of]', 'Comment[bsd_relationship:child of]'],
  ['Comment[bsd_relashionship:child of]', 'Comment[bsd_relationship:child of]'],
  ['Comment[external DB REFs]', 'Comment[external DB REF]'],
  ['Comment[Submission Organisation: name]', 'Comment[submission_organization:name]'],
  ['Comment[publications:doi]', 'Comment[publication:doi]'],
  // Known, or words of their own.
  ['Sample Date', undefined],
  ['Sample Age', undefined],
  ['sampledate', undefined],
  ['Relapse Date', undefined],
  ['Content[x]', undefined],
  ['Attribute [kg]', undefined],
  ['Relationship to patient', undefined],
  ['Relationship:', undefined],
  ['Comment[relationship]', undefined],
  ['Comment[publication]', undefined],
  ['Comment[ENA_SAMPLE]', undefined],
  ['Comment[lab:note]', undefined],
  ['Comment[publicaton:]', undefined],
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

it('what a sheet has once is meant by no second column', () => {
  const meantOf = (...header: string[]) => meantHeaders(header).map(({ column, meant }) => [column, meant]);
  expect(meantOf('Sampel Name', 'Relase Date', 'Coment[x]')).toEqual([
    [0, 'Sample Name'],
    [1, 'Release Date'],
    [2, 'Comment[x]'],
  ]);
  expect(meantOf('Sample Name*', 'Sampel Name', 'Release Date', 'Relase Date', 'Charateristics[x]')).toEqual([
    [4, 'Characteristics[x]'],
  ]);
});
