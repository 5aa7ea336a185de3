/** Units and terms of a foreign sheet, in headers and in columns of their own. */
import { describe, expect, it } from 'vitest';
import { proposeColumn, taken, targets, whys } from './propose-text.js';

describe('units', () => {
  it.each([
    ['depth (m)', 'depth unit m, high'],
    ['depth [m]', 'depth unit m, high'],
    ['depth_cm', 'depth unit cm, middle'],
  ])('in the header %s are those of its numbers', (header, expected) => {
    expect(taken(header, '1', '2.5')).toBe(`characteristic ${expected}`);
    expect(proposeColumn(header, ['1']).why).toMatch(/^Its header names the unit c?m, and its values are numbers\.$/);
  });

  it.each(['1', '+1', '-1.5', '.5', '1e5', '1.5E-7', '12.345.6'])('%s is a number', (text) => {
    expect(taken('depth (m)', text)).toBe('characteristic depth unit m, high');
  });

  it.each(['1 m', 'x1', '1-2', '1e', 'e5', '1.'])('%s is none, so the header stays whole', (text) => {
    expect(taken('depth (m)', text)).toBe('characteristic depth (m), low');
  });

  it.each([
    ['Collection Year', '1934', '2001'],
    ['year_of_birth_year', '1934', '2001'],
    ['study year', '2019', '2020'],
    ['sampling_month', '7', '12'],
    ['Birth Month', '1', '2'],
    ['Harvest week', '31', '53'],
    ['collection hour', '0', '23'],
  ])('are none of a part of a date: %s', (header, ...values) => {
    expect(taken(header, ...values)).toBe(`characteristic ${header}, low`);
  });

  it.each([
    ['age_year', 'age unit year', '34', '7'],
    ['duration_month', 'duration unit month', '1', '7'],
    ['Collection Month', 'Collection unit month', '1', '13'],
    ['harvest hour', 'harvest unit hour', '0.5', '2'],
    ['age of the layer (years)', 'age of the layer unit year', '1600', '1700'],
  ])('are those of a span of time: %s', (header, expected, ...values) => {
    expect(taken(header, ...values)).toMatch(`characteristic ${expected}, `);
  });

  it('of two parts of one date each keeps its header', () => {
    const rows = ['sample|Collection Year|Collection Month', 'a|1934|7', 'b|1935|8'];
    expect(targets(...rows).slice(1)).toEqual([
      'characteristic Collection Year, low',
      'characteristic Collection Month, low',
    ]);
  });

  it('of an empty column are taken from its header, with less confidence', () => {
    expect(taken('depth (m)', '', '')).toBe('characteristic depth unit m, middle');
    expect(proposeColumn('depth (m)', ['']).why).toBe('Its header names the unit m.');
  });

  it.each([
    ['sample|mass|mass unit', 'a|1|kg', 'unit mass, high'],
    ['sample|mass|unit of mass', 'a|1|kg', 'unit mass, high'],
    ['sample|mass|Units', 'a|1|kg', 'unit, high'],
    ['sample|mass|Einheit', 'a|1|Stück', 'unit, middle'],
    ['sample|mass|mass unit', 'a|1|pieces of twenty chars', 'characteristic mass unit, low'],
    ['sample|mass|mass unit', 'a|1|pieces of 20 letters', 'unit mass, middle'],
    ['sample|mass|mass unit', 'a|1|12 pieces', 'characteristic mass unit, low'],
    ['sample|colour|colour unit', 'a|red|kg', 'characteristic colour unit, low'],
    ['sample|mass|depth unit', 'a|1|kg', 'characteristic depth unit, low'],
  ])('in a column of their own, %s: %s', (header, row, expected) => {
    expect(targets(header, row)[2]).toBe(expected);
  });

  it('in a column of their own say of what they are', () => {
    expect(whys('sample|mass|Units', 'a|1|kg')[2]).toBe(
      'The header speaks of the unit of mass, whose values are numbers.',
    );
  });

  it.each([
    ['mass|Unit|sample', '1|kg|a', 1, 'unit, high'],
    ['sample|mass|Unit|Unit', 'a|1|kg|g', 3, 'unit, high'],
    ['sample|mass|Term Source REF|Unit', 'a|1|UO|g', 3, 'unit, high'],
    ['sample|organ|remark|Unit', 'a|1|x|g', 3, 'characteristic Unit, low'],
    ['sample||Unit', 'a|1|g', 2, 'characteristic Unit, low'],
    ['sample||Term Accession Number', 'a|x|UO:1', 2, 'characteristic Term Accession Number, low'],
    ['sample|organ||Unit', 'a|x|1|g', 3, 'characteristic Unit, low'],
    ['sample|mass|Unit|Term Accession Number', 'a|1|g|UO:1', 3, 'term, high'],
  ])(
    'without a name are of the nearest characteristic on the left, past other units and terms: %s',
    (header, row, at, expected) => {
      expect(targets(header, row)[at]).toBe(expected);
    },
  );

  it('are of what stands on the left, not of a column whose header has no words', () => {
    expect(targets('#|sample|mass|Units', '1|a|5|kg', '2|b|6|kg')[3]).toBe('unit, high');
  });

  it('of what is no characteristic are kept under their header', () => {
    expect(targets('Unit|sample|w', 'kg|a|x')[0]).toBe('characteristic Unit, low');
    expect(whys('Unit|sample|w', 'kg|a|x')[0]).toBe(
      'It speaks of a unit of something that is no characteristic: kept under its header.',
    );
  });
});

describe('terms of an ontology', () => {
  it.each([
    'MONDO:0004979',
    'NCBITaxon_9606',
    'EFO:0000001;EFO:0000002',
    'UO:1 | UO:2',
    'http://purl.obolibrary.org/obo/UBERON_1',
    'https://www.ebi.ac.uk/efo/EFO_1',
    'CVCL_A123',
  ])('such as %s are those of the column that the header names', (term) => {
    expect(targets('sample|disease|disease ontology id', `a|asthma|${term}`)[2]).toBe('term disease, high');
  });

  it.each([
    'asthma',
    '12345',
    'MONDO:x1',
    'M:1',
    'https://example.org/1',
    'MONDO:1 and more',
    'a MONDO:1',
    'MONDO:1; asthma',
  ])('%s is none', (text) => {
    expect(targets('sample|disease|disease ontology id', `a|asthma|${text}`)[2]).toBe(
      'characteristic disease ontology id, low',
    );
  });

  it('are of the column on the left where the header names none, surely where that has words', () => {
    const why = 'Its values are terms of an ontology, and the header speaks of';
    expect(targets('sample|disease|term id', 'a|asthma|MONDO:1')[2]).toBe('term, high');
    expect(targets('sample|disease|term id', 'a|12|MONDO:1')[2]).toBe('term, middle');
    expect(targets('sample|disease|term id', 'a|x1|MONDO:1')[2]).toBe('term, middle');
    expect(targets('sample|disease|term id', 'a|12|MONDO:1', 'b|asthma|MONDO:2')[2]).toBe('term, high');
    expect(whys('sample|disease|term id', 'a|asthma|MONDO:1')[2]).toBe(`${why} the column on its left.`);
    expect(whys('sample|disease|x|disease term', 'a|12|x|MONDO:1')[3]).toBe(`${why} disease.`);
    expect(targets('sample|disease|x|disease term', 'a|12|x|MONDO:1')[3]).toBe('term disease, high');
  });

  it('may stand behind others of the same column, and be of a unit', () => {
    expect(targets('sample|disease|disease term|ontology id', 'a|asthma|MONDO:1|DOID:1')[3]).toBe('term, high');
    expect(targets('sample|mass|unit|unit term', 'a|1|kg|UO:9')[3]).toBe('term unit, high');
  });

  it('of what is no characteristic are kept under their header', () => {
    const rows = ['Sample Name|sample name term|x', 'a|MONDO:1|1'];
    expect(targets(...rows)[1]).toBe('characteristic sample name term, low');
    expect(whys(...rows)[1]).toBe('It speaks of a term of something that is no characteristic: kept under its header.');
    expect(targets('sample|note|term', 'a|free|MONDO:1')[2]).toBe('characteristic term, low');
  });

  it.each(['9606', 'NCBI:9606', 'NCBI_9606', 'NCBITaxon:9606', 'NCBI_taxid:9606', 'ncbitaxon_9606'])(
    '%s under the header of a taxon is of the organism',
    (text) => {
      expect(targets('sample|tax id', `a|${text}`)[1]).toBe('term organism, high');
    },
  );

  it.each(['observed_on', 'basisOfRecord', 'iconic_taxon_name', 'AphiaID'])(
    'of a taxon are those of another taxonomy beside %s, which numbers organisms otherwise',
    (header) => {
      const rows = (id: string) => targets(`sample|${id}|scientific_name|${header}`, 'a|48662|Danaus plexippus|x');
      expect(rows('taxon_id').slice(1, 3)).toEqual(['characteristic taxon_id, low', 'characteristic organism, high']);
      expect(rows('taxonID')[1]).toBe('characteristic taxonID, low');
      expect(rows('NCBI taxon id')[1]).toBe('term organism, high');
    },
  );

  it('of the taxonomy say whether the organism stands beside them', () => {
    expect(whys('sample|tax id', 'a|9606')[1]).toBe('Numbers of the NCBI taxonomy: they say which organism it is.');
    expect(whys('sample|tax id|Species', 'a|9606|Homo sapiens')[1]).toBe(
      'Numbers of the NCBI taxonomy, beside the organism.',
    );
    expect(targets('sample|tax id', 'a|x9606')[1]).toBe('characteristic tax id, low');
    expect(targets('sample|tax id', 'a|NCBI9606')[1]).toBe('characteristic tax id, low');
    expect(targets('sample|tax id', 'a|9606x')[1]).toBe('characteristic tax id, low');
  });
});
