import { describe, expect, it } from 'vitest';
import {
  type CharacteristicCells,
  emptyLayout,
  type SampleLayout,
  unpackSample,
} from '../../../src/registry/samples/packed-sample.js';
import { placesOf, withRelationships } from '../../../src/registry/samples/placed-relationships.js';
import { emptyContent } from '../../../src/registry/samples/sample.js';

const unpack = (layout: Partial<SampleLayout>, ...cells: string[]) =>
  unpackSample({ ...emptyLayout(), cells: cells.length, ...layout }, cells.join('\t'));

describe('a packed row', () => {
  it('of a sheet that keeps nothing is an empty sample', () => {
    expect(unpack({})).toEqual(emptyContent());
    const nothing = { characteristics: [], relationships: [], externalReferences: [] };
    expect(emptyLayout()).toEqual({ cells: 0, ...nothing, contact: [], organization: [], publications: [] });
  });

  const terms = { name: 'a', text: 0, terms: [{ source: 1, accession: 2 }, { accession: 3 }, { source: 4 }] };
  it.each([
    [
      ['x', 'EFO', '1', '2', 's'],
      ['EFO:1', '2'],
    ],
    [['x', 'EFO', 'EFO:1', '', ''], ['EFO:1']],
    [
      ['x', '', '1', 'http://e.org/T_1'],
      ['1', 'http://e.org/T_1'],
    ],
    [['x', 'EFO', '', '2'], ['2']],
    [['x', 'EFO'], undefined],
  ])('names its terms, a bare one with its source: %j', (cells, ontologyTerms) => {
    const entry = { text: 'x', ...(ontologyTerms ? { ontologyTerms } : {}) };
    expect(unpack({ characteristics: [terms] }, ...cells).characteristics).toEqual({ a: [entry] });
  });

  it.each([
    ['NCBITaxon', 'NCBITaxon_10090', 'NCBITaxon:10090'],
    ['NCBITAXON', 'NCBITaxon_10090', 'NCBITaxon:10090'],
    ['NCBI Taxonomy', 'NCBITaxon_10090', 'NCBITaxon:10090'],
    ['NCIT', 'NCIT_C12345', 'NCIT:C12345'],
    ['My_Lab', 'My_Lab_7', 'My_Lab:7'],
    ['My.Lab', 'my.lab_7_b', 'my.lab:7_b'],
    ['EFO', 'UBERON_0002107', 'UBERON:0002107'],
    ['EFO', 'UBERON_2107', 'EFO:UBERON_2107'],
    ['MyLab', 'ABC_123', 'MyLab:ABC_123'],
    ['EFO', 'EFO_', 'EFO:EFO_'],
    ['EFO', 'EFO', 'EFO:EFO'],
    ['NCBITaxon', '10090', 'NCBITaxon:10090'],
    ['NCBITaxon', 'NCBITaxon:10090', 'NCBITaxon:10090'],
    ['NCBITaxon', 'http://e.org/NCBITaxon_10090', 'http://e.org/NCBITaxon_10090'],
    ['', 'NCBITaxon_10090', 'NCBITaxon_10090'],
  ])('does not give the source %j to an accession %j that names it itself, but in layouts from before', (...cells) => {
    const [source, accession, term] = cells;
    const of = (plan: Partial<CharacteristicCells>) =>
      unpack({ characteristics: [{ name: 'a', text: 0, ...plan }] }, 'x', source, accession).characteristics.a;
    const terms = [{ source: 1, accession: 2 }];
    const unit = { unit: 0, unitTerms: terms };
    expect(of({ terms, prefixes: true })).toEqual([{ text: 'x', ontologyTerms: [term] }]);
    expect(of({ ...unit, prefixes: true })).toEqual([{ text: 'x', unit: 'x', unitOntologyTerms: [term] }]);
    const asBefore = source === '' || accession.includes(':') ? accession : `${source}:${accession}`;
    expect(of({ terms })).toEqual([{ text: 'x', ontologyTerms: [asBefore] }]);
    expect(of(unit)).toEqual([{ text: 'x', unit: 'x', unitOntologyTerms: [asBefore] }]);
  });

  const measured = { name: 'a', text: 0, unit: 1, fixedUnit: 'kg', unitTerms: [{ accession: 2 }] };
  it.each([
    [['5', 'g', 'UO:1'], { text: '5', unit: 'g', unitOntologyTerms: ['UO:1'] }],
    [['5', 'g', ''], { text: '5', unit: 'g' }],
    [['5'], { text: '5', unit: 'kg' }],
    [['5', '', 'UO:1'], { text: '5', unit: 'kg', unitOntologyTerms: ['UO:1'] }],
  ])('has the unit of its cell, else that of the column: %j', (cells, entry) => {
    expect(unpack({ characteristics: [measured] }, ...cells).characteristics).toEqual({ a: [entry] });
  });

  it('has no terms of a unit that it lacks, and nothing where the text is empty', () => {
    const { fixedUnit: _, ...unfixed } = measured;
    expect(unpack({ characteristics: [unfixed] }, '5', '', 'UO:1').characteristics).toEqual({ a: [{ text: '5' }] });
    expect(unpack({ characteristics: [measured, terms] }, '', 'g', 'UO:1').characteristics).toEqual({});
    expect(unpack({ characteristics: [measured] }).characteristics).toEqual({});
  });

  it('joins columns of one name, whatever the name', () => {
    const characteristics = ['__proto__', 'constructor', '__proto__'].map((name, text) => ({ name, text }));
    expect(Object.entries(unpack({ characteristics }, 'x', 'y', 'z').characteristics)).toEqual([
      ['__proto__', [{ text: 'x' }, { text: 'z' }]],
      ['constructor', [{ text: 'y' }]],
    ]);
  });

  it('has relationships, references and records where their cells are filled', () => {
    const layout = {
      relationships: [
        { type: 't', target: 0 },
        { type: 'u', target: 1 },
      ],
      externalReferences: [2, 3],
      contact: [
        { Name: 4, Email: 5 },
        { Name: 6, Email: 7 },
      ],
      organization: [{ Name: 8 }],
      publications: [{ doi: 9 }],
    };
    expect(unpack(layout, 'SAMR1', '', '', 'http://e.org', 'Ada', '', '', '', 'Lab', '10.1/x')).toEqual({
      ...emptyContent(),
      relationships: [{ type: 't', target: 'SAMR1' }],
      externalReferences: [{ url: 'http://e.org' }],
      contact: [{ Name: 'Ada' }],
      organization: [{ Name: 'Lab' }],
      publications: [{ doi: '10.1/x' }],
    });
    expect(unpack(layout)).toEqual(emptyContent());
  });
});

describe('relationships that come later', () => {
  const of = (...targets: string[]) => targets.map((target) => ({ type: 't', target }));
  it.each([
    [of('a', 'c'), [{ type: 't', target: 'b', at: 1 }], of('a', 'b', 'c')],
    [of('a'), [{ type: 't', target: 'b', at: 9 }], of('a', 'b')],
    [of('a'), [{ type: 't', target: 'a', at: 0 }], of('a')],
    [of('a', 'b'), [{ type: 't', target: 'b', at: 0 }], of('a', 'b')],
    [
      of('c'),
      [
        { type: 't', target: 'a', at: 0 },
        { type: 't', target: 'b', at: 1 },
      ],
      of('a', 'b', 'c'),
    ],
    [of('a'), [{ type: 'u', target: 'a', at: 1 }], [...of('a'), { type: 'u', target: 'a' }]],
    [
      [{ source: 's', type: 't', target: 'a' }],
      [{ type: 't', target: 'a', at: 1 }],
      [{ source: 's', type: 't', target: 'a' }, ...of('a')],
    ],
  ])('are put in at their places, none twice: %#', (present, added, all) => {
    const before = structuredClone(present);
    expect(withRelationships(present, added)).toEqual(all);
    expect(present).toEqual(before);
  });

  it('have places among those that are there, without the ones that stay open', () => {
    expect(placesOf([1, 4], [0, 2, 5])).toEqual([0, 2]);
    expect(placesOf([0], [0])).toEqual([0]);
    expect(placesOf([3], [])).toEqual([3]);
  });
});
