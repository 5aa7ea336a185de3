/** What an import profile makes of the columns of a sheet, and what it says of them. */
import { describe, expect, it } from 'vitest';
import type { ImportProfile, KnownProfile } from '../../../src/tsv/header/profile.js';
import { codes, planOf, type ReadSheet, readSheet, refusal, rowsOf, type SheetSettings, table } from '../read-sheet.js';

const D = '2024-05-01';
type Columns = ImportProfile['columns'];

const known = (columns: Columns, more: Partial<ImportProfile> = {}, of: Partial<KnownProfile> = {}): KnownProfile => ({
  name: 'lab',
  rank: 'own',
  version: 3,
  document: { profile: 1, title: 'Freezers of the lab', columns, ...more },
  ...of,
});
const by = (profile: KnownProfile, more: SheetSettings['header'] = {}): SheetSettings => ({
  header: { profiles: [profile], releaseDate: 0, ...more },
});
const contents = ({ samples }: ReadSheet) =>
  samples.map(({ name, content }) => ({ name, ...(JSON.parse(JSON.stringify(content.characteristics)) as object) }));
const say = (plan: ReadSheet['plan'] | undefined) => plan?.meanings;

describe('the columns of a profile', () => {
  const ALL = known([
    { header: 'tube', as: 'name' },
    { header: 'acc', as: 'identifier' },
    { header: 'public', as: 'release', date: 'DD.MM.YYYY' },
    { header: 'organ', as: 'characteristic', name: 'tissue', values: { L: 'liver', '-': '' } },
    { header: 'mass', as: 'characteristic', unit: 'kg', decimal: ',' },
    { header: 'what mass', as: 'unit', of: 'length' },
    { header: 'length', as: 'characteristic' },
    { header: 'organ id', as: 'term', of: 'organ' },
    { header: 'unit id', as: 'term', of: 'what mass' },
    { header: 'taxon', as: 'term', of: 'organism' },
    { header: 'mother', as: 'relationship', type: 'child of' },
    { header: 'link', as: 'reference' },
    { header: 'who', as: 'contact', member: 'name' },
    { header: 'where', as: 'organization', member: 'name' },
    { header: 'paper', as: 'publication', member: 'doi' },
    { header: 'remark', as: 'comment' },
    { header: 'box', as: 'ignored' },
  ]);
  const HEADER = ALL.document.columns.map(({ header }) => header.toUpperCase());
  const ROW = ['T1', 'SAMR5', '01.05.2024', 'l', '1.234,5', 'cm', '7', 'UBERON:1', 'UO:2', '9606', 'SAMEA1'];
  const REST = ['https://x.org', 'Ada', 'Lab', '10.1/x', 'thawed', 'B7'];

  it('become what it says of each, with its cells read as it says', async () => {
    const sheet = await readSheet(table(HEADER, [...ROW, ...REST]), by(ALL));
    expect(sheet.rejected).toEqual([]);
    expect(sheet.samples[0]).toMatchObject({ name: 'T1', id: 5, release: `${D}T00:00:00.000Z` });
    expect(JSON.parse(JSON.stringify(sheet.samples[0]?.content))).toEqual({
      characteristics: {
        tissue: [{ text: 'liver', ontologyTerms: ['UBERON:1'] }],
        mass: [{ text: '1234.5', unit: 'kg' }],
        length: [{ text: '7', unit: 'cm', unitOntologyTerms: ['UO:2'] }],
        organism: [{ text: '9606', ontologyTerms: ['9606'] }],
      },
      relationships: [{ type: 'child of', target: 'SAMEA1' }],
      externalReferences: [{ url: 'https://x.org' }],
      contact: [{ name: 'Ada' }],
      organization: [{ name: 'Lab' }],
      publications: [{ doi: '10.1/x' }],
    });
  });

  describe('that are terms or units of a name', () => {
    const MORE: SheetSettings['header'] = { profile: 'lab', unknownColumns: 'characteristics' };
    const profile = known(
      [
        { header: 'tube', as: 'name' },
        { header: 'taxon', as: 'term', of: 'host organism' },
        { header: 'mass unit', as: 'unit', of: 'mass' },
      ],
      { otherColumns: 'characteristics' },
    );
    const read = async (header: string[], row: string[]) =>
      contents(
        await readSheet(
          table(['tube', 'taxon', 'mass unit', ...header], ['T1', '9606', 'kg', ...row]),
          by(profile, MORE),
        ),
      )[0];

    it.each(['host organism', 'Host Organism', 'host_organism', 'HOST__ORGANISM'])(
      'find it however its header is written: %s',
      async (header) => {
        expect(await read([header], ['H. sapiens'])).toEqual({
          name: 'T1',
          [header]: [{ text: 'H. sapiens', ontologyTerms: ['9606'] }],
        });
      },
    );

    it('are those of the one that is written so, where there are several', async () => {
      expect(await read(['MASS', 'mass', 'Host organism', 'host ORGANISM'], ['1', '2', 'x', 'y'])).toEqual({
        name: 'T1',
        MASS: [{ text: '1' }],
        mass: [{ text: '2', unit: 'kg' }],
        'Host organism': [{ text: 'x', ontologyTerms: ['9606'] }],
        'host ORGANISM': [{ text: 'y' }],
      });
    });
  });

  it('are one sample per name where its date and its accession agree, too, or are left out', async () => {
    const profile = known(
      [
        { header: 'tube', as: 'name' },
        { header: 'mass', as: 'characteristic' },
      ],
      { sameName: 'one-sample' },
    );
    const one = ['T1', '1', D, 'SAMR1'];
    const two = ['T2', '2', '2024-06-01', 'SAMR2'];
    const header = ['tube', 'mass', 'Release Date', 'Sample Identifier'];
    const rows = [
      one,
      two,
      two,
      one,
      ['T1', '1'],
      ['T2', '2', '', 'SAMR2'],
      ['T2', '2', D, 'SAMR2'],
      [...two.slice(0, 3), 'SAMR1'],
    ];
    const { samples, rejected } = await readSheet(table(header, ...rows), by(profile));
    expect(samples.map(({ line, id }) => [line, id])).toEqual([
      [2, 1],
      [3, 2],
    ]);
    expect(rejected.map(({ line }) => line)).toEqual([8, 9]);
  });

  describe('that are terms of another', () => {
    const HEADER = ['scientific_name', 'alias', 'title', 'tax_id', 'taxon_id'];
    const read = async (row: string[], more: SheetSettings = {}) =>
      await readSheet(table(HEADER, row), {
        ...more,
        header: { releaseDate: 0, unknownColumns: 'characteristics', ...more.header },
      });
    const organism = async (row: string[], more?: SheetSettings) =>
      (await read(row, more)).samples.map(({ content }) => content.characteristics.organism);

    it.each([
      ['beside the value', ['Homo sapiens', 'a', 't', '9606'], 'Homo sapiens', ['9606']],
      ['alone', ['', 'a', 't', '9606'], '9606', ['9606']],
      ['alone beside blanks', ['  ', 'a', 't', ' 9606 '], '9606', ['9606']],
      ['alone in the last of their columns', ['', 'a', 't', '', '9606'], '9606', ['9606']],
      ['alone, two of them', ['', 'a', 't', '9606', '10090'], '9606', ['9606', '10090']],
    ])('are the value, too, where a row says no other: %s', async (_, row, text, ontologyTerms) => {
      expect(await organism(row)).toEqual([[{ text, ontologyTerms }]]);
      expect(await organism(row, { header: { clearMarker: '[clear]' } })).toEqual([[{ text, ontologyTerms }]]);
    });

    it('are none where there is neither, and none by a cell that takes a value away', async () => {
      expect(await organism(['', 'a', 't'])).toEqual([undefined]);
      const header = { clearMarker: '[clear]' };
      expect(await organism(['', 'a', 't', '[Clear]'], { header })).toEqual([undefined]);
      const { batches } = await read(['[clear]', 'a', 't', '9606'], { header });
      expect(batches[0]?.cleared?.get(0)?.characteristics).toEqual(['organism']);
    });

    it('are none of a sample into which the row is merged: that may have a value, which stays', async () => {
      const header = ['alias', 'title', 'tax_id', 'scientific_name', 'Sample Identifier'];
      const sheet = table(header, ['a', 't', '9606', '', 'SAMR1'], ['b', 't', '9606']);
      const texts = async (merges: boolean, key?: string) => {
        const options = { releaseDate: 0, ...(key === undefined ? {} : { key }) };
        const { samples } = await readSheet(sheet, { header: options, read: { merges } });
        return samples.map(({ content }) => content.characteristics.organism?.[0]?.text);
      };
      expect(await texts(false)).toEqual(['9606', '9606']);
      expect(await texts(true)).toEqual([undefined, '9606']);
      expect(await texts(true, 'alias')).toEqual([undefined, undefined]);
      expect(await texts(false, 'alias')).toEqual(['9606', '9606']);
    });

    it('are the value of a row that ends before its column', async () => {
      const sheet = table(['alias', 'tax_id', 'title', 'scientific_name'], ['a', '9606'], ['b']);
      const { samples, rejected } = await readSheet(sheet, { header: { releaseDate: 0 } });
      expect(rejected).toEqual([]);
      expect(samples.map(({ content }) => content.characteristics.organism?.[0]?.text)).toEqual(['9606', undefined]);
    });

    it('leave the row as it was written in what comes back, and a cell too many an error', async () => {
      const sheet = table(HEADER, ['', 'a', 't', '9606']);
      const rows = await rowsOf(sheet, planOf(sheet, { releaseDate: 0 }));
      expect(rows.map(({ cells }) => cells)).toEqual([['', 'a', 't', '9606']]);
      const { rejected } = await read(['', 'a', 't', '9606', '', 'x']);
      expect(codes(rejected)).toEqual(['2 row.extra-cells']);
    });

    it('are what their own column says of them, and of the first of several columns of a header', async () => {
      const profile = known([
        { header: 'tube', as: 'name' },
        { header: 'organ', as: 'characteristic' },
        { header: 'organ id', as: 'term', of: 'organ', values: { '-': '', L: 'UBERON:1' } },
      ]);
      const header = ['tube', 'organ', 'organ', 'organ id'];
      const rows = [
        ['T1', '', '', '-'],
        ['T2', '', 'heart', 'l'],
      ];
      expect(contents(await readSheet(table(header, ...rows), by(profile)))).toEqual([
        { name: 'T1' },
        { name: 'T2', organ: [{ text: 'UBERON:1', ontologyTerms: ['UBERON:1'] }, { text: 'heart' }] },
      ]);
    });

    it('are no value of what is the same in every row, nor of a unit', async () => {
      const fixed = [{ characteristic: 'site', value: 'Kiel', unit: 'm', term: 'GAZ:1' }];
      const profile = known(
        [
          { header: 'tube', as: 'name' },
          { header: 'mass', as: 'characteristic' },
          { header: 'mass unit', as: 'unit', of: 'mass' },
          { header: 'unit id', as: 'term', of: 'mass unit' },
        ],
        { fixed },
      );
      const sheet = await readSheet(
        table(['tube', 'mass', 'mass unit', 'unit id'], ['T1', '', '', 'UO:9']),
        by(profile),
      );
      expect(contents(sheet)).toEqual([{ name: 'T1', site: [{ text: 'Kiel', unit: 'm', ontologyTerms: ['GAZ:1'] }] }]);
      expect(sheet.plan).not.toHaveProperty('standIns');
    });
  });

  it.each([
    ['0,5', '0.5'],
    ['1.234.567,8', '1234567.8'],
    ['-12.345', '-12345'],
    ['1234', '1234'],
    ['0.125', '0.125'],
    ['-0.125', '-0.125'],
    ['012.345', '012.345'],
    ['1.25', '1.25'],
    ['1,234.5', '1,234.5'],
  ])('with the comma as decimal sign are read so: %s', async (text, read) => {
    const profile = known([
      { header: 'tube', as: 'name' },
      { header: 'mass', as: 'characteristic', decimal: ',' },
    ]);
    const { samples } = await readSheet(table(['tube', 'mass'], ['T1', text]), by(profile));
    expect(samples[0]?.content.characteristics.mass).toEqual([{ text: read }]);
  });

  it('are said in the words of the sheet, none is passed over', () => {
    const plan = planOf(table(HEADER, [...ROW, ...REST]), by(ALL).header);
    expect(say(plan)).toEqual([
      'TUBE: Sample Name',
      'ACC: Sample Identifier',
      'PUBLIC: Release Date',
      'ORGAN: Characteristics[tissue]',
      'MASS: Characteristics[mass], unit kg',
      'WHAT MASS: unit of LENGTH',
      'LENGTH: Characteristics[length]',
      'ORGAN ID: term of ORGAN',
      'UNIT ID: term of WHAT MASS',
      'TAXON: term of organism',
      'MOTHER: Comment[bsd_relationship:child of]',
      'LINK: Comment[external DB REF]',
      'WHO: name of the contact',
      'WHERE: name of the organization',
      'PAPER: doi of the publications',
    ]);
    expect(plan.notStored).toEqual(['REMARK', 'BOX']);
    expect(plan.profile).toEqual({
      name: 'lab',
      rank: 'own',
      version: 3,
      title: 'Freezers of the lab',
      named: false,
    });
  });

  it('of a sheet of ours are said by what their headers say, once each', () => {
    const plan = planOf(
      table(
        [
          'Sample Name',
          'Release Date',
          'Characteristics[a]',
          'Term Source REF',
          'Term Accession Number',
          'Unit',
          'Factor Value[f]',
          'Unit',
          'Characteristics[a]',
          'Error Line',
          'Comment[external DB REF]',
          'plain',
        ],
        ['a'],
      ),
      { unknownColumns: 'characteristics' },
    );
    expect(say(plan)).toEqual([
      'Sample Name',
      'Release Date',
      'Characteristics[a]',
      'Term Source REF: source of the term beside it',
      'Term Accession Number: term of the column before',
      'Unit: unit of the column before',
      'Error Line: not read: of an earlier result',
      'Comment[external DB REF]',
    ]);
  });

  it('have their units and terms of what stands on their left where the profile names nothing', async () => {
    const profile = known([
      { header: 'tube', as: 'name' },
      { header: 'mass', as: 'characteristic' },
      { header: 'u', as: 'unit' },
      { header: 'species', as: 'characteristic' },
      { header: 't', as: 'term' },
    ]);
    const sheet = await readSheet(
      table(['tube', 'mass', 'u', 'species', 't'], ['a', '3', 'kg', 'man', '9606']),
      by(profile),
    );
    expect(contents(sheet)).toEqual([
      { name: 'a', mass: [{ text: '3', unit: 'kg' }], species: [{ text: 'man', ontologyTerms: ['9606'] }] },
    ]);
  });

  it('have the ontology of their terms beside these, before or behind, by whatever name the profile knows it', async () => {
    const profile = known([
      { header: 'tube', as: 'name' },
      { header: 'species', as: 'characteristic' },
      { header: 'onto', as: 'source', values: { taxonomy: 'NCBITaxon' } },
      { header: 'id', as: 'term' },
      { header: 'mass', as: 'characteristic' },
      { header: 'u', as: 'unit' },
      { header: 'uid', as: 'term' },
      { header: 'uonto', as: 'source' },
    ]);
    const sheet = await readSheet(
      table(
        ['tube', 'species', 'onto', 'id', 'mass', 'u', 'uid', 'uonto'],
        ['a', 'man', 'Taxonomy', '9606', '3', 'kg', '0000009', 'UO'],
        ['b', 'mouse', 'NCBITaxon', 'NCBITaxon_10090', '4', 'kg', 'UO:0000009', ''],
        ['c', 'rat', '', 'NCBITaxon:10116', '', '', '', ''],
      ),
      by(profile),
    );
    const of = (text: string, term: string) => [{ text, ontologyTerms: [term] }];
    const kg = { unit: 'kg', unitOntologyTerms: ['UO:0000009'] };
    expect(contents(sheet)).toEqual([
      { name: 'a', species: of('man', 'NCBITaxon:9606'), mass: [{ text: '3', ...kg }] },
      { name: 'b', species: of('mouse', 'NCBITaxon:10090'), mass: [{ text: '4', ...kg }] },
      { name: 'c', species: of('rat', 'NCBITaxon:10116') },
    ]);
    expect(say(sheet.plan)).toContain('onto: source of the term beside it');
  });

  it('may be a unit of a characteristic that no column is called after', async () => {
    const profile = known(
      [
        { header: 'tube', as: 'name' },
        { header: 'm', as: 'characteristic', name: 'mass' },
        { header: 'u', as: 'unit', of: 'mass' },
        { header: 'v', as: 'unit', of: 'nothing' },
      ],
      {},
    );
    const sheet = await readSheet(table(['tube', 'm', 'u', 'v'], ['a', '3', 'kg', 'l']), by(profile));
    expect(contents(sheet)).toEqual([{ name: 'a', mass: [{ text: '3', unit: 'kg' }] }]);
    expect(say(sheet.plan)).toEqual([
      'tube: Sample Name',
      'm: Characteristics[mass]',
      'u: unit of mass',
      'v: unit of nothing',
    ]);
  });

  it('of one header differ by their number', async () => {
    const profile = known([
      { header: 'tube', as: 'name' },
      { header: 'value', as: 'characteristic', name: 'first' },
      { header: 'value', nth: 2, as: 'characteristic', name: 'second' },
      { header: 'note', nth: 1, as: 'ignored' },
    ]);
    const header = ['tube', 'value', 'VALUE', 'note'];
    const sheet = await readSheet(table(header, ['a', '1', '2', '3']), by(profile));
    expect(contents(sheet)).toEqual([{ name: 'a', first: [{ text: '1' }], second: [{ text: '2' }] }]);
    expect(
      (
        await refusal(
          table(['tube', 'value', 'note', 'x'], ['a']),
          by(profile, { profile: 'lab', unknownColumns: 'characteristics' }),
        )
      ).message,
    ).toContain('it lacks value and has beside them x.');
  });
});

describe('the name of a sample', () => {
  const joined = known(
    [
      { header: 'donor', as: 'name' },
      { header: 'tube', as: 'name' },
      { header: 'x', as: 'characteristic' },
    ],
    { joinNames: '/' },
  );

  it('may be joined from several columns in the order of the profile, which stay columns of their own', async () => {
    const sheet = await readSheet(
      table(['tube', 'donor', 'x'], [' 1 ', 'D', 'v'], ['', 'D', 'v'], ['2', 'D'], ['# note'], ['3']),
      by(joined, { unknownColumns: 'characteristics' }),
    );
    expect(contents(sheet)).toEqual([
      { name: 'D/1', tube: [{ text: '1' }], donor: [{ text: 'D' }], x: [{ text: 'v' }] },
      { name: 'D/2', tube: [{ text: '2' }], donor: [{ text: 'D' }] },
    ]);
    expect(codes(sheet.rejected)).toEqual(['3 name.missing', '6 name.missing']);
    expect(sheet.rejected[0]?.issues[0]).toMatchObject({ column: 'donor and tube', columnLetter: 'D' });
    expect(say(sheet.plan)).toContain('donor and tube: Sample Name');
  });

  it('is that of the first of several columns that is there', async () => {
    const profile = known([
      { header: 'alias', as: 'name', optional: true },
      { header: 'tube', as: 'name', optional: true },
      { header: 'x', as: 'characteristic' },
    ]);
    const settings = by(profile, { unknownColumns: 'characteristics' });
    expect(
      (await readSheet(table(['tube', 'alias', 'x'], ['t', 'a', 'v']), settings)).samples.map(({ name }) => name),
    ).toEqual(['a']);
    expect((await readSheet(table(['tube', 'x'], ['t', 'v']), settings)).samples.map(({ name }) => name)).toEqual([
      't',
    ]);
  });
});

describe('what a sheet lacks', () => {
  it('is given to every sample, with its unit and term', async () => {
    const profile = known(
      [
        { header: 'tube', as: 'name' },
        { header: 'x', as: 'characteristic' },
      ],
      {
        fixed: [
          { characteristic: 'organism', value: 'Bos taurus', term: 'NCBITaxon:9913' },
          { characteristic: 'dose', value: '5', unit: 'mg' },
        ],
      },
    );
    const sheet = await readSheet(table(['tube', 'x'], ['a', '1'], ['b'], ['', ''], ['c', '2', 'extra']), by(profile));
    const fixed = {
      organism: [{ text: 'Bos taurus', ontologyTerms: ['NCBITaxon:9913'] }],
      dose: [{ text: '5', unit: 'mg' }],
    };
    expect(contents(sheet)).toEqual([
      { name: 'a', x: [{ text: '1' }], ...fixed },
      { name: 'b', ...fixed },
    ]);
    expect(codes(sheet.rejected)).toEqual(['5 row.extra-cells']);
    expect(sheet.rejected[0]?.issues[0]).toMatchObject({ columnLetter: 'C', value: 'extra' });
    expect(say(sheet.plan)).toEqual([
      'tube: Sample Name',
      'organism: Characteristics[organism] = Bos taurus',
      'term of organism: term of organism = NCBITaxon:9913',
      'dose: Characteristics[dose] = 5',
      'unit of dose: unit of dose = mg',
    ]);
  });
});

describe('columns that a profile does not list', () => {
  const HEADER = ['tube', '*depth', 'Performer', 'Comment[n]', 'Characteristics[y]', 'Sample Name', 'assay', 'late'];
  const ROW = ['a', '1', 'P', 'c', '2', 'other', 'A1', '9'];
  const columns: Columns = [{ header: 'tube', as: 'name' }];
  const settings = (more: Partial<ImportProfile>, unknownColumns: 'ignore' | 'characteristics' | 'reject') =>
    by(known(columns, { recognise: [{ anyOf: ['tube'] }], ...more }), { profile: 'lab', unknownColumns });

  it.each([
    [
      'characteristics',
      'characteristics',
      {},
      ['*depth', 'Performer', 'y', 'Sample Name', 'assay', 'late'],
      ['Comment[n]'],
    ],
    [
      'characteristics',
      'characteristics',
      { mark: '*' },
      ['depth', 'Performer', 'y', 'Sample Name', 'assay', 'late'],
      ['Comment[n]'],
    ],
    [
      'characteristics',
      'characteristics',
      { otherColumnsUntil: ['ASSAY'] },
      ['*depth', 'Performer', 'y', 'Sample Name'],
      ['Comment[n]', 'assay', 'late'],
    ],
    ['characteristics', 'ignore', {}, ['y'], ['*depth', 'Performer', 'Comment[n]', 'Sample Name', 'assay', 'late']],
    ['ignore', 'characteristics', {}, ['y'], ['*depth', 'Performer', 'Comment[n]', 'Sample Name', 'assay', 'late']],
    ['ask', 'ignore', {}, ['y'], ['*depth', 'Performer', 'Comment[n]', 'Sample Name', 'assay', 'late']],
  ] as const)('with %s of %s (%j)', async (otherColumns, unknownColumns, more, kept, notStored) => {
    const { plan, samples } = await readSheet(table(HEADER, ROW), settings({ otherColumns, ...more }, unknownColumns));
    expect(Object.keys(samples[0]?.content.characteristics ?? {})).toEqual(kept);
    expect(plan.notStored).toEqual(notStored);
    expect(samples[0]?.name).toBe('a');
  });

  it.each([{}, { otherColumns: 'ask' } as const])('are asked about otherwise (%j)', async (more) => {
    const { message } = await refusal(table(HEADER, ROW), settings(more, 'characteristics'));
    expect(message).toContain(
      'it has beside them *depth, Performer, Comment[n], Characteristics[y], Sample Name, assay, late.',
    );
  });

  it('are not those of our own results', async () => {
    const own = [...['Sample Identifier', 'Release Date', 'Error Line', 'Error Code'], ''];
    const { plan } = await readSheet(table(['tube', ...own], ['a', '', D]), settings({}, 'characteristics'));
    expect([plan.identifierColumn, plan.releaseColumn, plan.errorColumns]).toEqual([1, 2, [3, 4]]);
  });
});

describe('what a profile reads out of cells', () => {
  const read = async (column: Columns[number], ...cells: string[]): Promise<(string | undefined)[]> => {
    const columns: Columns = [{ header: 'tube', as: 'name' }, column];
    const rows = cells.map((cell, at) => [`s${at}`, cell]);
    const { samples } = await readSheet(table(['tube', 'x'], ...rows), by(known(columns)));
    return samples.map(({ content }) => content.characteristics.x?.[0]?.text);
  };
  const x = { header: 'x', as: 'characteristic' } as const;

  it.each([
    [
      'words for codes, whatever their case',
      { values: { ' M ': 'male', f: 'female', x: '' } },
      ['m', 'F', 'X', 'other', ''],
      ['male', 'female', undefined, 'other', undefined],
    ],
    ['dates of its form', { date: 'DD.MM.YYYY' }, ['01.05.2024', '2024-05-01', 'soon'], [D, D, 'soon']],
    [
      'decimal commas, and points between thousands',
      { decimal: ',' },
      ['1,5', '1.234', '1.234,5', '-1.234.567', '+2,25', '12', 'a,b', '1.23', '1,2,3'],
      ['1.5', '1234', '1234.5', '-1234567', '+2.25', '12', 'a,b', '1.23', '1,2,3'],
    ],
    [
      'a word before a date before a number',
      { values: { '1,5': 'word' }, date: 'DD.MM.YYYY', decimal: ',' },
      ['1,5', '01.05.2024', '2,5'],
      ['word', D, '2.5'],
    ],
  ] as const)('%s', async (_, reading, cells, stored) => {
    expect(await read({ ...x, ...(reading as object) }, ...cells)).toEqual(stored);
  });

  it('leaves cells alone that stand behind the end of a short row', async () => {
    const profile = known([
      { header: 'tube', as: 'name' },
      { ...x, decimal: ',' },
    ]);
    const { samples, plan } = await readSheet(table(['tube', 'x'], ['a'], ['b', '1,5']), by(profile));
    expect(samples.map(({ packed }) => packed)).toEqual(['', '1.5']);
    expect(plan.readings).toEqual([{ column: 1, decimal: ',' }]);
    expect(plan).not.toHaveProperty('added');
  });
});
