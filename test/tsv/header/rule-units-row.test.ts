/** A row of units below the header of a sheet: it gives the columns their units and is no sample. */
import { describe, expect, it } from 'vitest';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { isUnitsRow, saysNoUnit, unitInHeader, unitOf } from '../../../src/tsv/header/units.js';
import { topRows } from '../../../src/tsv/print/top-rows.js';
import { readSheet, refusal, table } from '../read-sheet.js';

const BUOY: KnownProfile = {
  name: 'buoy',
  rank: 'own',
  version: 1,
  document: {
    profile: 1,
    title: 'Buoy',
    columns: [
      { header: 'station', as: 'name' },
      ...['depth', 'temperature', 'sex'].map((header) => ({ header, as: 'characteristic' as const })),
    ],
  },
};
const HEADER = ['station', 'depth', 'temperature', 'sex'];
const read = (...rows: string[][]) =>
  readSheet(table(HEADER, ...rows), { header: { profiles: [BUOY], releaseDate: 0 } });

describe('a row of units right above the header', () => {
  const KEPT = { header: { unknownColumns: 'characteristics' } } as const;
  const OURS = ['Sample Name', 'Release Date', 'depth', 'temperature', 'sex'];
  const ROW = ['S1', '2024-05-01', '10', '4.5', 'female'];
  const characteristicsOf = async (...rows: string[][]) =>
    (await readSheet(table(...rows), KEPT)).samples.map(({ content }) => ({ ...content.characteristics }));

  it.each([
    ['under nothing', ['', '', 'm', '°C', '']],
    ['led by a word for them', ['Units:', '', 'm', '°C', 'text']],
    ['in brackets', ['', '', '[m]', '(°C)', '-']],
    ['shorter than the header', ['', '', 'metres', 'degC']],
  ])('%s gives the columns their units, and its result gives them again', async (_, units) => {
    const wanted = {
      depth: [{ text: '10', unit: 'm' }],
      temperature: [{ text: '4.5', unit: '°C' }],
      sex: [{ text: 'female' }],
    };
    expect(await characteristicsOf(['Buoys of 2024'], units, OURS, ROW)).toEqual([wanted]);
    const { plan } = await readSheet(table(units, OURS, ROW), KEPT);
    expect(await characteristicsOf(...topRows(plan, []), ROW)).toEqual([wanted]);
  });

  it.each([
    ['a title stands between them', [['', '', 'm', '°C', ''], ['Buoys of 2024']]],
    ['a cell is no unit', [['', '', 'm', 'warm', '']]],
    ['the name has one', [['m', '', 'm', '°C', '']]],
  ])('%s: none', async (_, above) => {
    expect(await characteristicsOf(...above, OURS, ROW)).toEqual([
      { depth: [{ text: '10' }], temperature: [{ text: '4.5' }], sex: [{ text: 'female' }] },
    ]);
  });
});

describe('a row of units below the header', () => {
  it.each([
    ['under no name', ['', 'm', '°C', '']],
    ['under the word unit', ['Units', 'm', '°C', 'text']],
    ['under the name of its column, merged over both rows', ['station', 'm', '°C', 'sex']],
    ['with words for what has none', ['', 'metres', 'degC', 'n/a']],
    ['in brackets', ['Units:', '[m]', '(°C)', '-']],
  ])('%s is no sample, and its units are those of the columns', async (_, units) => {
    const { plan, samples, rejected } = await read(units, ['S1', '10', '4.5', 'female']);
    expect(rejected).toEqual([]);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([[3, 'S1']]);
    expect(samples[0]?.content.characteristics).toEqual({
      depth: [{ text: '10', unit: 'm' }],
      temperature: [{ text: '4.5', unit: '°C' }],
      sex: [{ text: 'female' }],
    });
    const below = units.map((unit, at) => (unit === HEADER[at] ? '' : unit));
    expect(plan).toMatchObject({ headerLine: 1, headerEnd: 2, below: [below] });
  });

  it('may have the unit of one column alone, which is more than a letter', async () => {
    const { samples, rejected } = await read(['', '', '°C', ''], ['S1', '10', '4.5', 'female']);
    expect(rejected).toEqual([]);
    expect(samples.map(({ name, content }) => [name, content.characteristics.temperature])).toEqual([
      ['S1', [{ text: '4.5', unit: '°C' }]],
    ]);
  });

  it.each([
    ['in its first cell', [['# buoys of 2024']]],
    ['in another cell', [['', '', '# of 2024']]],
    ['in several lines and cells', [['# buoys'], ['', '# read', 'by eye']]],
  ])('stands below remarks, too: %s', async (_, remarks) => {
    const units = ['', 'm', '°C', ''];
    const { plan, samples, rejected } = await read(...remarks, units, ['S1', '10', '4.5', 'female']);
    expect(rejected).toEqual([]);
    expect(samples[0]?.content.characteristics.depth).toEqual([{ text: '10', unit: 'm' }]);
    expect(plan).toMatchObject({ headerEnd: remarks.length + 2, below: [units] });
  });

  it('stands above the samples: what looks like one below them is a row, and remarks alone are none', async () => {
    const below = await read(['# x'], ['S1', '10', '4.5', 'f'], ['', 'm', '°C', '']);
    expect(below.plan.headerEnd).toBe(1);
    expect(below.rejected.map(({ line }) => line)).toEqual([4]);
    const named = await read(['#1', '10', '4.5', 'f'], ['', 'm', '°C', '']);
    expect(named.plan.headerEnd).toBe(1);
    expect(named.samples.map(({ name }) => name)).toEqual(['#1']);
    const alone = await read(['# x'], ['# y'], ['S1', '10', '4.5', 'f']);
    expect(alone.plan).toMatchObject({ headerEnd: 1 });
    expect(alone.plan.below).toBeUndefined();
  });

  it.each([
    ['that names a sample', ['S0', 'm', '°C', '']],
    ['of which one cell is a value', ['', 'm', '4.5', '']],
    ['with one unit alone, which may be a sex', ['', '', '', 'm']],
  ])('a row %s is a row like any other', async (_, row) => {
    const { plan, samples, rejected } = await read(row, ['S1', '10', '4.5', 'female']);
    expect(plan.headerEnd).toBe(1);
    expect(samples.length + rejected.length).toBe(2);
  });

  it('marked as one gives no unit by its mark, nor by what says that there is none', async () => {
    const { samples } = await readSheet(
      table(['title', 'alias', 'depth', 'site', 'kind'], ['#Units', '', ' m ', '-', 'n/a'], ['t', 'S1', '5', '8', 'x']),
      { header: { releaseDate: 0, unknownColumns: 'characteristics' } },
    );
    expect({ ...samples[0]?.content.characteristics }).toEqual({
      title: [{ text: 't' }],
      depth: [{ text: '5', unit: 'm' }],
      site: [{ text: '8' }],
      kind: [{ text: 'x' }],
    });
  });

  it('has units that look like a form of dates', async () => {
    const { samples } = await read(['', 'm/s', 'mm/d', 'h:m'], ['S1', '10', '4.5', '1']);
    expect(samples[0]?.content.characteristics).toMatchObject({
      depth: [{ text: '10', unit: 'm/s' }],
      temperature: [{ text: '4.5', unit: 'mm/d' }],
      sex: [{ text: '1' }],
    });
  });

  it.each([
    ['Sample Name', undefined, ['', 'm', '°C']],
    ['Sample Name', undefined, ['#units', 'm', '°C']],
    ['sample_name', undefined, ['Unit', 'm', '°C']],
    ['Tube', 'Tube', ['', 'm', '°C']],
  ])('gives a sheet with the names in %s its units, and comes back', async (name, nameColumn, units) => {
    const sheet = table([name, 'depth', 'temperature'], units, ['S1', '10', '4.5']);
    const header = { unknownColumns: 'characteristics' as const, releaseDate: 0 };
    const options = nameColumn === undefined ? header : { ...header, nameColumn };
    for (const text of [sheet, sheet.replaceAll('\t', ';')]) {
      const { plan, samples, rejected } = await readSheet(text, { header: options });
      expect(rejected).toEqual([]);
      expect(samples.map(({ line, content }) => [line, { ...content.characteristics }])).toEqual([
        [3, { depth: [{ text: '10', unit: 'm' }], temperature: [{ text: '4.5', unit: '°C' }] }],
      ]);
      expect(topRows(plan, []).slice(nameColumn === undefined ? 0 : 1)).toEqual([plan.header, units]);
    }
  });

  it('is none where it names a sample, and a quote that is never closed below the header is reported as ever', async () => {
    const { samples } = await readSheet('Sample Name\tdepth\twidth\nm\tm\tm\n', { header: { releaseDate: 0 } });
    expect(samples.map(({ name }) => name)).toEqual(['m']);
    expect(await refusal('Sample Name\tdepth\na\t"m\n', { header: { releaseDate: 0 } })).toMatchObject({
      code: 'file.quote-unclosed',
      line: 2,
    });
  });

  it('is one only right below the header', async () => {
    const { samples, rejected } = await read(['S1', '10', '4.5', 'female'], ['', 'm', '°C', '']);
    expect(samples).toHaveLength(1);
    expect(rejected.map(({ line }) => line)).toEqual([3]);
  });

  it('is known by its cells alone', () => {
    expect(isUnitsRow(['', 'yyyy-mm-dd', 'm', '°C'])).toBe(true);
    expect(isUnitsRow(['', 'yyyy-mm-dd', 'decimal degrees', '°C', 'pmol/l', 'g'])).toBe(true);
    expect(isUnitsRow(['', '2024-05-01', 'm', '°C'])).toBe(false);
    expect(isUnitsRow(['', 'text', 'date', ''])).toBe(false);
    expect(isUnitsRow(['', 'm', 'kg', 'liver'])).toBe(false);
  });
});

describe('a unit', () => {
  it.each([
    ['kg', 'kg'],
    [' kg ', 'kg'],
    ['Years', 'year'],
    ['deg C', '°C'],
    ['Year', 'year'],
    ['MMOL', 'mmol'],
    ['pg/ml', 'pg/ml'],
    ['µmol/kg', 'µmol/kg'],
    ['copies/ng', 'copies/ng'],
    ['Decimal degrees', 'decimal degrees'],
    ['d/m', undefined],
    ['M/F', undefined],
    ['g/l/h', undefined],
    ['cells', undefined],
    // Capitals tell these apart from others.
    ['MOL', undefined],
    ['KG', undefined],
    ['MMHG', undefined],
    ['constructor', undefined],
    ['liver', undefined],
  ])('%j is stored as %s', (text, unit) => {
    expect(unitOf(text)).toBe(unit);
  });

  it.each([
    ['age (years)', 'age', 'year', true],
    [' Depth  [m] ', 'Depth', 'm', true],
    ['Weight , g', 'Weight', 'g', true],
    ['height in cm', 'height', 'cm', true],
    ['height_in_cm', 'height', 'cm', true],
    ['dose / mg', 'dose', 'mg', true],
    ['weight_kg', 'weight', 'kg', false],
    ['depth  cm', 'depth', 'cm', false],
    ['size (of body) kg', 'size (of body)', 'kg', false],
  ])('%j names %s in %s', (header, name, unit, marked) => {
    expect(unitInHeader(header)).toEqual({ name, unit, marked });
  });

  it.each(['age', 'kg', 'temp_min', 'group_a', 'organ (left)', 'site [x]', '(kg)', 'weight (kg) dry'])(
    '%j names none',
    (header) => {
      expect(unitInHeader(header)).toBeUndefined();
    },
  );

  it.each(['-', ' - ', 'n/a', ' NA\t', 'None', ' no unit ', 'yyyy-mm-dd'])('%j is said to be none', (text) => {
    expect(saysNoUnit(text)).toBe(true);
  });
});
