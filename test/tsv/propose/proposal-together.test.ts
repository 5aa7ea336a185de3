/** Columns of a foreign sheet of which each is understood by itself, and which together could not be read so. */
import { describe, expect, it } from 'vitest';
import { IMPORT_PROFILE } from '../../../src/profiles/schema.js';
import type { ImportProfile, KnownProfile } from '../../../src/tsv/header/profile.js';
import { proposeRows, targetOf } from './propose-text.js';

const targets = (...args: Parameters<typeof proposeRows>): string[] => {
  const { columns, document } = proposeRows(...args);
  expect(IMPORT_PROFILE.safeParse(document).error?.issues).toBeUndefined();
  return columns.map((column) => `${targetOf(column)}, ${column.confidence}`);
};
const kept = (document: Partial<ImportProfile>): KnownProfile => ({
  name: 'mine',
  rank: 'own',
  version: 1,
  document: { profile: 1, title: 'Mine', columns: [], ...document },
});

describe('of several columns for what a sheet has one of', () => {
  it.each([
    [
      'dates of release, our own header is it',
      ['sample|embargo until|Release Date', 'a|2031-01-01|2030-01-01', 'b|2031-01-01|2030-01-01'],
      ['name, high', 'characteristic embargo until, low', 'release, high'],
    ],
    [
      'dates of release that are equally sure, the first is it',
      ['sample|hold until|embargo until', 'a|2031-01-01|2030-01-01', 'b|2031-01-01|2030-01-01'],
      ['name, high', 'release, middle', 'characteristic embargo until, low'],
    ],
    [
      'dates of release beside a joined name, the one that is there is it',
      ['Donor|Visit|Release Date', 'D1|1|2030-01-01', 'D1|2|2030-01-01', 'D2|1|2030-01-01'],
      ['name, low', 'name, low', 'release, high'],
    ],
    [
      'accessions, our own header is it',
      ['tube|biosample accession|Sample Identifier', 'a|SAMR2|SAMR2', 'b|SAMR3|SAMR3'],
      ['name, low', 'characteristic biosample accession, low', 'identifier, high'],
    ],
    [
      'names, the first is it',
      ['Sample Name|sample_name|organ', 'a|x|liver', 'b|y|lung'],
      ['name, high', 'characteristic sample_name, low', 'characteristic organ, low'],
    ],
  ])('%s; what the others hold is kept under their headers', (_, rows, expected) => {
    expect(targets(rows)).toEqual(expected);
  });

  it('the one that is not taken is read like any characteristic, and says why', () => {
    const { columns } = proposeRows(['sample|Release Date|hold until', 'a|2030-01-01|31.01.2031']);
    expect(columns[2]).toMatchObject({
      meaning: { as: 'characteristic', date: 'DD.MM.YYYY' },
      why: 'A sheet has one column for dates of release, which another one is: kept under its header.',
    });
  });

  it('that of the profile that reads most of the sheet is it', () => {
    const columns: ImportProfile['columns'] = [
      { header: 'Tube', as: 'name' },
      { header: 'W', as: 'characteristic' },
      { header: 'V', as: 'characteristic' },
      { header: 'public', as: 'release' },
    ];
    const rows = ['Release Date|Sample Name|Tube|W|V|public', '2030-01-01|a|t1|1|2|2031-01-01'];
    expect(targets(rows, [kept({ columns })])).toEqual([
      'characteristic Release Date, low',
      'characteristic Sample Name, low',
      'name, high',
      'characteristic W, high',
      'characteristic V, high',
      'release, high',
    ]);
  });

  it('several that a profile joins stay, and a further one is no part of the name', () => {
    const columns: ImportProfile['columns'] = [
      { header: 'Plate', as: 'name' },
      { header: 'Well', as: 'name' },
    ];
    const { document, columns: proposed } = proposeRows(
      ['Plate|Well|Sample Name', 'P1|A1|x', 'P1|A2|y'],
      [kept({ columns, joinNames: '/' })],
    );
    expect(proposed.map(targetOf)).toEqual(['name', 'name', 'characteristic Sample Name']);
    expect(document.joinNames).toBe('/');
  });

  it.each([
    [
      ['#SampleID|id|organ', 's1|1|liver', 's2|2|lung'],
      ['name', 'characteristic id', 'characteristic organ'],
    ],
    [
      ['virus_name|strain|country|date', 'v1|s1|Norway|2020-01-01'],
      ['characteristic virus_name', 'name', 'characteristic country', 'characteristic date'],
    ],
  ])('a format that knows several headers for names names samples by one: %j', (rows, expected) => {
    const { columns, document } = proposeRows(rows);
    expect(columns.map(targetOf)).toEqual(expected);
    expect(document.joinNames).toBeUndefined();
  });
});

describe('columns that would be one characteristic', () => {
  it.each([
    ['sample|Sex|Gender', 'a|M|male', 'b|F|female'],
    ['sample|Age|Alter', 'a|3|4', 'b|5|6'],
    ['sample|*smoker|smoker', 'a|yes|no', 'b|no|no'],
    ['sample|weight [kg]|weight (g)', 'a|1|1000', 'b|2|2000'],
    ['sample|host_sex|Host Sex', 'a|male|male', 'b|female|male'],
  ])('(%s) keep their headers, and are to be looked at', (...rows) => {
    const { columns } = proposeRows(rows);
    for (const { meaning, confidence, why } of columns.slice(1)) {
      expect(meaning).toMatchObject({ as: 'characteristic' });
      expect(meaning).not.toHaveProperty('name');
      expect(confidence).toBe('low');
      expect(why).toContain('Another column would be called so, too: each keeps its header.');
    }
  });

  it('count those whose headers are our own', () => {
    expect(targets(['sample|Characteristics[Sex]|Gender', 'a|x|y', 'b|x|y'])).toEqual([
      'name, high',
      'characteristic Sex, high',
      'characteristic Gender, low',
    ]);
  });
});

describe('a column that speaks of another sample', () => {
  it('is kept as text where samples have joined names', () => {
    const { columns } = proposeRows(['Donor|Visit|parent', 'D1|1|', 'D1|2|D1', 'D2|1|D1']);
    expect(columns.map(targetOf)).toEqual(['name', 'name', 'characteristic parent']);
    expect(columns[2]?.why).toContain('some of its values are neither names of this sheet nor accessions');
  });

  const parents = (...values: string[]) => {
    const [, column] = proposeRows(['sample|parent', ...values.map((text, at) => `s${at}|${text}`)]).columns;
    return [column && targetOf(column), column?.confidence, column?.why];
  };

  it.each([
    [['', 's0', 's1'], 'names of samples of this sheet'],
    [['SAMR7', 'SAMR8', ''], 'accessions of samples'],
    [['SAMR7', 's0', ''], 'names of samples of this sheet or accessions'],
  ])('%j: relates the samples, and says what its values are', (values, what) => {
    expect(parents(...values)).toEqual(['relationship derived from', 'high', `Its values are ${what}.`]);
  });

  it.each([
    [['s0', 's1', 's2'], 'each of its values is the name of the sample itself'],
    [['HeLa', 's0', ''], 'some of its values are neither names of this sheet nor accessions of this registry'],
  ])('%j: is kept as text', (values, reason) => {
    expect(parents(...values)).toEqual([
      'characteristic parent',
      'low',
      `The header speaks of another sample, but ${reason}: kept as text.`,
    ]);
  });

  it('and in another order names the samples of the sheet', () => {
    expect(parents('s2', 's0', 's1')[0]).toBe('relationship derived from');
    expect(parents('s0', '', '')[0]).toBe('relationship derived from');
    expect(parents('s0', 's2', 's1')[0]).toBe('relationship derived from');
  });
});
