/** Which rows stand between a header and its samples, and which row of a head is the header. */
import { describe, expect, it } from 'vitest';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { topRows } from '../../../src/tsv/print/top-rows.js';
import { proposeText } from '../propose/propose-text.js';
import { planOf, readSheet, refusal, type SheetSettings, table } from '../read-sheet.js';

const READ = { releaseDate: Date.UTC(2024, 0, 1), unknownColumns: 'characteristics' } as const;
const plan = (rows: string[][], more: SheetSettings['header'] = {}) => planOf(table(...rows), { ...READ, ...more });
const samplesOf = async (rows: string[][], more: SheetSettings['header'] = {}) => {
  const { samples, rejected } = await readSheet(table(...rows), { header: { ...READ, ...more } });
  return [...samples.map(({ line, name }) => `${line} ${name}`), ...rejected.map(({ line }) => `${line} refused`)];
};
const lab = (columns: KnownProfile['document']['columns'], more: object = {}): KnownProfile => ({
  name: 'lab',
  rank: 'own',
  version: 3,
  document: { profile: 1, title: 'Lab', columns, ...more },
});
const LAB = lab([
  { header: 'tube', as: 'name' },
  ...['organ', 'box', 'shelf'].map((header) => ({ header, as: 'characteristic' as const })),
]);

describe('a row that says that the samples stand below it', () => {
  const HEADER = ['Sample Name', 'age', 'sex'];
  const NOTES = [
    ['The unique name of the sample', 'The age of the donor', ''],
    ['For example: donor_1', 'For example: 34', 'For example: f'],
    ['sample.id', 'sample.age', 'sample.sex'],
  ];
  const SAMPLES = [
    ['S1', '34', 'f'],
    ['S2', '35', 'm'],
  ];

  it.each([
    'FILL OUT INFORMATION BELOW THIS ROW',
    'Please enter your data below this line:',
    '*** Do not edit above this row ***',
    '>>> Data below the line',
  ])('%s: what is between it and the header is no sample, in its result neither', async (said) => {
    for (const row of [[said], ['', said, '']]) {
      const sheet = [HEADER, ...NOTES, row, ...SAMPLES];
      expect(await samplesOf(sheet)).toEqual(['6 S1', '7 S2']);
      const head = topRows(plan(sheet), []);
      expect(head).toEqual([HEADER, ...NOTES, row]);
      expect(await samplesOf([...head, ...SAMPLES])).toEqual(['6 S1', '7 S2']);
    }
  });

  it.each<[string, string[]]>([
    ['of which a sample is called so', ['found below this line', '34', 'f']],
    ['that says where a sample was', ['taken below the line']],
    ['with a value beside it', ['Enter your data below this line', '34']],
  ])('%s does not', async (_, row) => {
    expect(await samplesOf([HEADER, ['S0', '1', 'f'], row, ...SAMPLES])).toHaveLength(4);
  });

  it('is looked for among the ten rows below the header', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, at) => [`N${at}`, '1', 'f']);
    const said = ['Enter your data below this row'];
    expect(await samplesOf([HEADER, ...rows(9), said, ...SAMPLES])).toHaveLength(2);
    expect(await samplesOf([HEADER, ...rows(10), said, ...SAMPLES])).toHaveLength(13);
  });
});

describe('below a header', () => {
  const HEADER = ['Sample Name', 'depth', 'heat'];
  const UNITS = ['', 'm', '°C'];

  it.each<[string, string[][], number]>([
    ['a row of units', [UNITS], 2],
    ['a row of units after a remark', [['# ours', '', ''], UNITS], 3],
    ['a row of units after a remark with blanks behind it', [['# ours', ' ', '  '], UNITS], 3],
    ['a row of units after a remark of one cell', [['# ours'], UNITS], 3],
    ['a row of units with blanks below the name', [['  ', ' m ', ' °C ']], 2],
    ['a row of units that says so', [[' Units ', 'm', '°C']], 2],
  ])('%s is no sample', async (_, rows, headerEnd) => {
    const sheet = [HEADER, ...rows, ['S1', '1', '2']];
    expect(plan(sheet).headerEnd).toBe(headerEnd);
    expect(await samplesOf(sheet)).toEqual([`${headerEnd + 1} S1`]);
  });

  it.each<[string, string[][], number]>([
    ['whether they are required', [['required', 'optional', 'Recommended']], 2],
    ['that all are required', [['mandatory', 'mandatory', 'mandatory']], 2],
    ['what they hold', [['text', 'number', '']], 2],
    ['which form they have', [['string', '', 'YYYY-MM-DD']], 2],
    ['what they hold, as MIxS writes it', [['{text}', '{float} {unit}', '{timestamp}']], 2],
    ['what they hold, a choice of words among it', [['{text}', '[O horizon|A horizon]', '{timestamp}']], 2],
    [
      'both, in two rows',
      [
        ['required', 'optional', '-'],
        ['text', 'number', 'float'],
      ],
      3,
    ],
    [
      'both, and their units',
      [
        ['text', 'number', 'float'],
        ['required', 'optional', ''],
        ['n/a', 'm', '°C'],
      ],
      4,
    ],
    ['their units, with a dash for none', [['-', 'm', '°C']], 2],
    ['their units, and that a name is a text', [['text', 'm', '°C']], 2],
    ['their units, as servers of oceanographers write them', [['UTC', 'degrees_north', 'degree_C']], 2],
    ['what their values are to a program', [['str', 'int', 'Boolean']], 2],
    ['their numbers in a dictionary', [['DICT:', 'DICT:2003301', 'DICT:']], 2],
  ])('a row that says %s is no sample', async (_, rows, headerEnd) => {
    const sheet = [HEADER, ...rows, ['S1', '1', '2'], ['S2', '1', '2']];
    expect(await samplesOf(sheet)).toEqual([`${headerEnd + 1} S1`, `${headerEnd + 2} S2`]);
    expect(plan(sheet).below).toEqual(rows);
    // The column that names the samples may be any, and a profile's.
    const behind = sheet.map(([name, ...cells], at) => [...cells, at === 0 ? 'samp_name' : (name as string)]);
    expect(plan(behind).headerEnd).toBe(headerEnd);
    const tubes = sheet.map(([name, ...cells], at) => [at === 0 ? 'Tube' : (name as string), ...cells]);
    expect(plan(tubes, { nameColumn: 'Tube' }).headerEnd).toBe(headerEnd);
    expect(proposeText(table(...tubes)).columns[0]?.examples).toEqual(['S1', 'S2']);
  });

  it.each<[string, string[]]>([
    ['has a value beside such words', ['optional', 'number', '4']],
    ['has the same word of a form in each cell', ['text', 'text', 'text']],
    ['has one word alone', ['required', '', '']],
    ['has one word, and what stands for nothing', ['Required', '', 'n/a']],
    ['is called by none of them', ['S0', 'required', 'optional']],
    ['is called by a dash', ['-', 'required', 'optional']],
    ['has brackets around all that it says', ['[S0]', '[a]', '[b]']],
    ['has a dash for a name, and a value', ['-', 'm', '4.5']],
    ['has nothing beside what stands for nothing', ['none', 'n/a', '-']],
    ['has terms of one ontology', ['S0', 'BTO:1', 'BTO:2']],
    ['has terms of several', ['BTO:1', 'BTO:2', 'UO:3']],
    ['has two terms alone', ['BTO:1', 'BTO:2', '']],
  ])('a row that %s is a sample', async (_, row) => {
    expect(await samplesOf([HEADER, row, ['S1', '1', '2']])).toEqual([`2 ${row[0]}`, '3 S1']);
  });

  it('a row about the columns stands above the samples: what looks like one further down is a sample', async () => {
    const row = ['required', 'optional', 'optional'];
    expect(await samplesOf([HEADER, ['S1', '1', '2'], row])).toEqual(['2 S1', '3 required']);
  });

  it.each<[string, string[], string[][]]>([
    [
      'our own',
      HEADER,
      [
        ['#template', '3', '4'],
        ['#units', 'm', '°C'],
      ],
    ],
    [
      'an ENA sheet',
      ['sample_alias', 'tax_id', 'depth'],
      [
        ['#template', '9606', '4'],
        ['#units', '', 'm'],
      ],
    ],
    [
      'one with the names behind',
      ['tax_id', 'sample_alias', 'depth'],
      [
        ['#template', '', '4'],
        ['#units', '', 'm'],
      ],
    ],
  ])('values for all samples are none, in %s; further down it is one', async (_, header, below) => {
    const sheet = [header, ...below, ['S1', 'S1', '1'], ['#template', '#template', '1']];
    expect(await samplesOf(sheet)).toEqual(['4 S1', '5 #template']);
    expect(plan(sheet).below).toEqual(below);
    const depth = header.indexOf('depth');
    expect(plan(sheet).layout.characteristics.find(({ name }) => name === 'depth')?.fixedUnit).toBe(below[1]?.[depth]);
  });

  it('a row that ends before the column of names is one of units, too', async () => {
    const sheet = [
      ['depth', 'heat', 'Sample Name'],
      ['m', '°C'],
      ['1', '2', 'S1'],
    ];
    expect(await samplesOf(sheet)).toEqual(['3 S1']);
  });

  it.each<[string, string[], string[]]>([
    ['without a name', ['', 'x', ''], ['2 refused', '3 refused']],
    ['that says in another column what its header says', ['S0', 'depth', '1'], ['2 S0', '3 refused']],
    ['whose name is a unit', ['m', 'm', '°C'], ['2 m', '3 refused']],
  ])('a row %s is one of the samples, and so is all below it', async (_, row, expected) => {
    const read = await samplesOf([HEADER, row, UNITS, ['S1', '1', '2']]);
    expect(read.sort()).toEqual([...expected, '4 S1'].sort());
  });

  it('a row without a name in a column without a header is refused as any row without one', async () => {
    const sheet = [
      ['', 'organ', 'site'],
      ['', 'liver', 'x'],
      ['S1', 'heart', 'y'],
    ];
    expect(await samplesOf(sheet, { nameColumn: 'A (no header)' })).toEqual(['3 S1', '2 refused']);
  });

  it('of a column that is said to name the samples the same is so', async () => {
    const read = (...rows: string[][]) => samplesOf([['Tube', 'heat'], ...rows, ['T1', '1']], { nameColumn: 'tube' });
    expect(await read(['', '°C'])).toEqual(['3 T1']);
    expect(await read(['Tube', 'of water'])).toEqual(['3 T1']);
    expect(await read(['kg', '°C'])).toEqual(['2 kg', '3 T1']);
  });

  it('labels stand below the names that a profile reads, and nowhere else', async () => {
    const labelled = lab(LAB.document.columns, { labels: ['Name of the tube'] });
    const read = (row: string[]) =>
      samplesOf([['tube', 'organ', 'box', 'shelf'], row, ['T1', 'liver', '1', '2']], { profiles: [labelled] });
    expect(await read(['name of the tube', 'Where from', '', ''])).toEqual(['3 T1']);
    expect(await read(['T0', 'Name of the tube', '1', '2'])).toEqual(['2 T0', '3 T1']);
    expect(await read(['', '', '', 'x'])).toEqual(['3 T1', '2 refused']);
  });
});

describe('the header', () => {
  it('is looked for below the head of a SampleTab file, whatever that holds', () => {
    const sheet = [
      ['[MSI]'],
      ['Title', 'x'],
      ['Sample Name', 'none'],
      ['[SCD]'],
      ['Sample Name', 'organ'],
      ['S1', 'a'],
    ];
    expect(plan(sheet)).toMatchObject({ headerLine: 5, header: ['Sample Name', 'organ'] });
  });

  it('stands below at most 19 titles', async () => {
    const below = (titles: number) => [
      ...Array.from({ length: titles }, (_, at) => [`Title ${at}`, 'x']),
      ['Sample Name', 'organ'],
      ['S1', 'liver'],
    ];
    expect(plan(below(19)).headerLine).toBe(20);
    expect((await refusal(table(...below(20)), { header: READ })).code).toBe('file.header');
  });

  it.each<[string, string[][], string]>([
    [
      'the first row',
      [
        ['tube', 'organ'],
        ['T1', 'liver'],
      ],
      'tube, organ',
    ],
    [
      'a comment of several cells above it',
      [
        ['# tube', 'organ'],
        ['T1', 'liver'],
      ],
      '# tube, organ',
    ],
    [
      'the first such comment',
      [
        ['# tube', 'organ'],
        ['# x', 'y'],
        ['T1', 'liver'],
      ],
      '# tube, organ',
    ],
    [
      'no comment of one cell',
      [
        ['# ours', ' ', ''],
        ['tube', 'organ'],
        ['T1', 'liver'],
      ],
      'tube, organ',
    ],
    ['no comment of one cell alone', [['# ours'], ['tube', 'organ'], ['T1', 'liver']], 'tube, organ'],
  ])('that names no samples is reported as %s', async (_, rows, found) => {
    expect((await refusal(table(...rows), { header: READ })).message).toContain(` Found: ${found}.`);
  });

  it('that nearly is what a kept profile reads is refused with what is missing, unless its column of names is said', async () => {
    for (const header of [
      ['tube', 'organ', 'box', 'rack'],
      ['Sample Name', 'tube', 'organ', 'box'],
    ]) {
      const sheet = [header, header.map((_, at) => `v${at}`)];
      const { code, message } = await refusal(table(...sheet), { header: { ...READ, profiles: [LAB] } });
      expect([code, message]).toEqual(['file.header', expect.stringContaining('shelf')]);
      expect(plan(sheet, { profiles: [LAB], nameColumn: 'organ' }).namedBy).toBe('organ');
    }
  });

  it('that a row of types below it makes one of another format keeps that row', () => {
    const sheet = [
      ['id', 'organ'],
      ['#q2:types', 'categorical'],
      ['S1', 'liver'],
    ];
    expect(plan(sheet)).toMatchObject({ headerLine: 1, headerEnd: 2, below: [['#q2:types', 'categorical']] });
    expect(plan([['of 2023'], ...sheet])).toMatchObject({ headerLine: 2, headerEnd: 3, above: [['of 2023']] });
  });
});
