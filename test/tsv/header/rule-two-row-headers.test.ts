/** Headers in two rows, as merged cells make them: columns, and groups of columns above the columns of each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../src/registry/errors.js';
import { errorsHeader } from '../../../src/tsv/print/write.js';
import { runs } from '../../support/seeds.js';
import { proposeText } from '../propose/propose-text.js';
import { issuesOf, planOf, readSheet, table } from '../read-sheet.js';
import { numbered, resultOf } from '../result-of.js';

const GROUPS = ['Sample Name', 'Patient', '', 'Collection', ''];
const NAMES = ['', 'Age', 'Sex', 'Date', 'Site'];
const ROWS = [
  ['S1', '34', 'male', '2023-05-01', 'Cambridge'],
  ['S2', '41', 'female', '2023-05-02', 'Oxford'],
];
const header = { releaseDate: Date.UTC(2024, 0, 1), unknownColumns: 'characteristics' } as const;
const read = (...rows: string[][]) => readSheet(table(...rows), { ...numbered, header });
const headerOf = (...rows: string[][]): string[] => headerOfText(table(...rows));

describe('a header in two rows', () => {
  it('names each column by its group and by itself, and neither row is a sample', async () => {
    const { plan, samples, rejected } = await read(GROUPS, NAMES, ...ROWS);
    expect(rejected).toEqual([]);
    expect(samples.map(({ line, name, content }) => [line, name, { ...content.characteristics }])).toEqual([
      [3, 'S1', named('34', 'male', '2023-05-01', 'Cambridge')],
      [4, 'S2', named('41', 'female', '2023-05-02', 'Oxford')],
    ]);
    expect(plan).toMatchObject({ headerLine: 1, headerEnd: 2, groups: GROUPS, below: [NAMES], notStored: [] });
  });

  it.each([
    ['Sample', 'Name', undefined],
    ['Sample', 'ID', 'by-sample-id'],
    ['SAMPLE', 'name', undefined],
  ])(
    'may be called %s and %s where the samples are named, and have their units below',
    async (above, below, profile) => {
      const groups = [above, ...GROUPS.slice(1)];
      const names = [below, ...NAMES.slice(1)];
      const { plan, samples, rejected } = await read(groups, names, ['', 'years', '', 'yyyy-mm-dd', ''], ...ROWS);
      expect(rejected).toEqual([]);
      expect(samples.map(({ line, name }) => [line, name])).toEqual([
        [4, 'S1'],
        [5, 'S2'],
      ]);
      expect(samples[0]?.content.characteristics['Patient Age']).toEqual([{ text: '34', unit: 'year' }]);
      expect(plan.profile?.name).toBe(profile);
      const text = table(groups, names, ...ROWS);
      const result = await resultOf(text, { ...numbered, header });
      expect(await resultOf(result, numbered)).toBe(result);
    },
  );

  const measured = async (groups: string[], names: string[]) => {
    const text = table(groups, names, ['S1', '20', 'g', 'liver'], ['S2', '5', 'mg', 'lung']);
    const { samples, rejected } = await readSheet(text, { ...numbered, header });
    expect(rejected).toEqual([]);
    const result = await resultOf(text, { ...numbered, header });
    expect(await resultOf(result, numbered)).toBe(result);
    return { ...samples[1]?.content.characteristics };
  };

  it.each([
    ['value', 'unit'],
    ['Value', 'Units'],
    ['Wert', 'Einheit'],
    ['valeur', 'unité'],
  ])('that has %s and %s below a group gives the characteristic of the group its unit', async (value, unit) => {
    const wanted = { Weight: [{ text: '5', unit: 'mg' }], tissue: [{ text: 'lung' }] };
    expect(await measured(['Sample Name', 'Weight', '', 'tissue'], ['', value, unit, ''])).toEqual(wanted);
    expect(await measured(['Sample Name', 'Weight', 'Weight', 'tissue'], ['', value, unit, ''])).toEqual(wanted);
    expect(await measured(['Sample Name', 'Weight', '', 'tissue'], ['Sample Name', value, unit, 'tissue'])).toEqual(
      wanted,
    );
  });

  it('keeps a unit of something else, or one that stands elsewhere in its group, as a column of its own', async () => {
    const groups = ['Sample Name', 'Stay', '', 'tissue'];
    expect(await measured(groups, ['', 'date', 'unit', ''])).toMatchObject({ 'Stay unit': [{ text: 'mg' }] });
    expect(await measured(groups, ['', 'unit', 'value', ''])).toMatchObject({ 'Stay value': [{ text: 'mg' }] });
    const three = ['Sample Name', 'Stay', '', ''];
    expect(await measured(three, ['', 'value', 'sd', 'unit'])).toMatchObject({ 'Stay unit': [{ text: 'lung' }] });
    // Two columns of one name would be two values of one characteristic.
    expect(await measured(['Sample Name', 'Stay', '', 'stay'], ['', 'value', 'unit', ''])).toMatchObject({
      'Stay unit': [{ text: 'mg' }],
    });
  });

  it.each([
    ['is the name of a sample', ['Sample', ...GROUPS.slice(1)], ['A', ...NAMES.slice(1)]],
    ['completes another column', ['Tube', ...GROUPS.slice(1)], ['Name', ...NAMES.slice(1)]],
    ['has no gap above it', ['Sample', 'Patient'], ['Name', 'Age']],
  ])('is not made by a row whose first cell %s', async (_, first, second) => {
    const said = { ...header, nameColumn: first[0] as string };
    expect(planOf(table(first, second, ...ROWS), said)).toMatchObject({ header: first, headerEnd: 1 });
    const joined = { ...header, nameColumn: `${first[0]} ${second[0]}` };
    expect(() => planOf(table(first, second, ...ROWS), joined)).toThrow('which the option nameColumn names');
  });

  it('may have one group of several columns alone, where the samples are named by both rows', () => {
    const rows = ROWS.map((row) => row.slice(0, 3));
    expect(headerOf(['Sample', 'Patient', ''], ['Name', 'Age', 'Sex'], ...rows)).toEqual([
      'Sample Name',
      'Patient Age',
      'Patient Sex',
    ]);
  });

  it('is none where the first row alone has the column that was said to name the samples', () => {
    const text = table(['Sample', ...GROUPS.slice(1)], ['Name', ...NAMES.slice(1)], ...ROWS);
    expect(planOf(text, { ...header, nameColumn: 'Sample' }).headerEnd).toBe(1);
    expect(planOf(text, { ...header, nameColumn: 'Sample Name' }).headerEnd).toBe(2);
  });

  it('comes back as it went, and changes nothing when it comes again; so does the sheet of its rows to fix', async () => {
    const dated = ROWS.map((row) => [...row, '2024-01-01']);
    const text = table(['Our samples of 2023'], [], [...GROUPS, 'Release Date'], NAMES, ...dated);
    const result = await resultOf(text, { ...numbered, header: { unknownColumns: 'characteristics' } });
    const lines = result.split('\n');
    expect(lines[0]).toBe([...GROUPS, 'Release Date', 'Sample Identifier'].join('\t'));
    expect(lines[1]?.trimEnd()).toBe(NAMES.join('\t'));
    const { plan, samples, rejected } = await readSheet(result, numbered);
    expect(rejected).toEqual([]);
    expect(samples.map(({ name, id }) => [name, id])).toEqual([
      ['S1', 100],
      ['S2', 101],
    ]);
    expect(plan.header.slice(0, 5)).toEqual(headerOf(GROUPS, NAMES, ...ROWS));
    expect(await resultOf(result, numbered)).toBe(result);
    const toFix = errorsHeader(planOf(text, header));
    expect(planOf(toFix + table(ROWS[0] as string[]), header)).toMatchObject({
      header: [...plan.header.slice(0, 5), ...(toFix.split('\n')[0] as string).split('\t').slice(5)],
      errorColumns: [6, 7, 8, 9, 10, 11],
    });
  });

  it('has its issues placed by the names of both rows', async () => {
    const sheet = table(
      [...GROUPS, 'Release Date'],
      NAMES,
      ['', '3', 'm', '', 'x', '2024-01-01'],
      ['S', '', '', '', ''],
    );
    const { rejected } = await readSheet(sheet, { header: { unknownColumns: 'characteristics' } });
    expect(issuesOf(rejected).map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, 'Sample Name', 'name.missing'],
      [4, 'Release Date', 'release.missing'],
    ]);
  });

  it.each<[string, string[][], string[]]>([
    [
      'whose second row has the names of the first again, where they are merged',
      [
        ['Sample Name', 'A', '', 'pH'],
        ['Sample Name', 'x', 'y', 'pH'],
      ],
      ['Sample Name', 'A x', 'A y', 'pH'],
    ],
    [
      'whose groups stand above each of their columns',
      [
        ['Sample Name', 'A', 'A', 'pH', 'B', 'B', 'B'],
        ['', 'x', 'y', '', 'x', 'y', 'z'],
      ],
      ['Sample Name', 'A x', 'A y', 'pH', 'B x', 'B y', 'B z'],
    ],
    [
      'with columns of one row anywhere',
      [
        ['Sample Name', 'A', '', 'pH', 'B', ''],
        ['', 'x', 'y', '', 'x', 'y'],
      ],
      ['Sample Name', 'A x', 'A y', 'pH', 'B x', 'B y'],
    ],
    [
      'with empty columns',
      [
        ['', 'Sample Name', 'A', '', '', 'B', ''],
        ['', '', 'x', 'y', '', 'z', 'w'],
      ],
      ['', 'Sample Name', 'A x', 'A y', '', 'B z', 'B w'],
    ],
    [
      'with nothing in front of two names',
      [
        ['', 'Sample Name', 'A', ''],
        ['', '', 'x', 'y'],
      ],
      ['', 'Sample Name', 'A x', 'A y'],
    ],
    [
      'with names as long as a name may be',
      [
        ['Sample Name', 'A'.repeat(60), ''],
        ['', 'x'.repeat(60), 'y'],
      ],
      ['Sample Name', `${'A'.repeat(60)} ${'x'.repeat(60)}`, `${'A'.repeat(60)} y`],
    ],
    [
      'with a group of one column beside larger ones',
      [
        ['Sample Name', 'A', '', '', 'B'],
        ['', 'x', 'y', 'z', 'w'],
      ],
      ['Sample Name', 'A x', 'A y', 'A z', 'B w'],
    ],
    [
      'with names that say their group',
      [
        ['Sample Name', 'Storage', ''],
        ['', 'storage box', 'Position'],
      ],
      ['Sample Name', 'storage box', 'Storage Position'],
    ],
    [
      'whose last group ends beyond its first row',
      [
        ['Sample Name', 'A'],
        ['', 'x', 'y'],
      ],
      ['Sample Name', 'A x', 'A y'],
    ],
    [
      'that together say what the dialect knows',
      [
        ['Sample Name', 'Release', ''],
        ['', 'Date', 'Version'],
      ],
      ['Sample Name', 'Release Date', 'Release Version'],
    ],
    [
      'with blank rows and remarks around',
      [[], ['# ours'], ['Sample Name', 'A', ''], [], ['', 'x', 'y']],
      ['Sample Name', 'A x', 'A y'],
    ],
  ])('%s', (_, rows, names) => {
    const sheet = [...rows, ['S1', 'a', 'b', 'c', 'd', 'e', 'f'].slice(0, names.length)];
    expect(headerOf(...sheet)).toEqual(names);
    for (const blanks of someBlanks(sheet)) expect(trimmed(headerOf(...blanks))).toEqual(names);
  });

  it('may have columns below its gaps that no sample fills, as long as one is filled', () => {
    const sheet = [
      [...GROUPS, 'pH'],
      [...NAMES, ''],
      ['S1', '34', 'male', '', '', ''],
    ];
    for (const each of [sheet, ...someBlanks(sheet)]) expect(headerOf(...each)).toContain('Collection Site');
  });

  it('is none for values in a column that has no name in either row', () => {
    const sheet = [
      [...GROUPS, ''],
      [...NAMES, ''],
      ['S1', '34', '', '2023', '', 'x'],
    ];
    for (const each of [sheet, ...someBlanks(sheet)]) expect(trimmed(headerOf(...each))).toEqual(sheet[0]);
  });

  it('comes back with both rows as they were, where the first is the shorter one', async () => {
    const text = table(['Sample Name', 'A'], ['', 'x', 'y'], ['S1', '1', '2']);
    expect(planOf(text, header).groups).toEqual(['Sample Name', 'A', '']);
    const [first, second] = (await resultOf(text, { ...numbered, header })).split('\n');
    expect(first?.split('\t').slice(0, 3)).toEqual(['Sample Name', 'A', '']);
    expect(second?.trimEnd()).toBe('\tx\ty');
  });

  it('has units below it, in a row of their own', async () => {
    const { plan, samples } = await read(
      ['Sample Name', 'Water', ''],
      ['', 'Depth', 'Heat'],
      ['', 'm', '°C'],
      ['S1', '1', '2'],
    );
    expect(plan).toMatchObject({
      headerEnd: 3,
      below: [
        ['', 'Depth', 'Heat'],
        ['', 'm', '°C'],
      ],
    });
    expect(samples[0]?.content.characteristics).toEqual({
      'Water Depth': [{ text: '1', unit: 'm' }],
      'Water Heat': [{ text: '2', unit: '°C' }],
    });
  });

  it('is proposed and read under another name of its first column, and by a profile', () => {
    const sheet = table(['Tube', ...GROUPS.slice(1)], NAMES, ...ROWS);
    const names = ['Tube', 'Patient Age', 'Patient Sex', 'Collection Date', 'Collection Site'];
    expect(proposeText(sheet)).toMatchObject({ headerLine: 1, columns: names.map((each) => ({ header: each })) });
    expect(refusedFor(sheet)).toContain('Tube');
    expect(planOf(sheet, { ...header, nameColumn: 'Tube' })).toMatchObject({ header: names, nameColumn: 0 });
    const columns = names.map((each, at) => ({
      header: each,
      as: at === 0 ? ('name' as const) : ('characteristic' as const),
    }));
    const profile = {
      name: 'clinic',
      rank: 'own' as const,
      document: { profile: 1 as const, title: 'Clinic', columns },
    };
    for (const asked of [{}, { profile: 'clinic' }])
      expect(planOf(sheet, { ...header, profiles: [profile], ...asked })).toMatchObject({
        header: names,
        profile: { name: 'clinic' },
      });
    const wide = table(
      ['Tube', 'A', '', '', '', '', 'B', ''],
      ['', 'q', 'b', 'c', 'd', 'e', 'f', 'g'],
      ['T1', ...'1234567'],
    );
    expect(proposeText(wide)).toMatchObject({
      headerLine: 1,
      columns: [{ header: 'Tube' }, { header: 'A q' }, {}, {}, {}, {}, {}, { header: 'B g' }],
    });
  });
});

describe('a row below the header that repeats the name of the column of names', () => {
  it.each([
    ['and says the form of values', ['Sample Name', 'yyyy-mm-dd', 'm or f']],
    ['as all others', ['Sample Name', 'collected', 'sex']],
  ])('%s, is no sample and comes back', async (_, again) => {
    const rows = [['Sample Name', 'collected', 'sex'], again, ['S1', '2024-01-01', 'm']];
    const { plan, samples, rejected } = await read(...rows);
    expect(rejected).toEqual([]);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([[3, 'S1']]);
    expect(plan).toMatchObject({ header: rows[0], headerEnd: 2, below: [again] });
    expect((await resultOf(table(...rows), { ...numbered, header })).split('\n')[1]?.trimEnd()).toBe(again.join('\t'));
  });
});

describe('a header below a row of groups', () => {
  const DAYS = ['', 'Day 0', '', 'Day 7', ''];
  const WEIGHED = ['Sample Name', 'weight', 'glucose', 'weight', 'glucose'];
  const KEPT_APART = ['Sample Name', 'Day 0 weight', 'Day 0 glucose', 'Day 7 weight', 'Day 7 glucose'];
  const MICE = [
    ['m1', '20', '5', '23', '6'],
    ['m2', '21', '5', '24', '7'],
  ];

  it('has what it says in several of them kept apart, in its result and when that comes again', async () => {
    const text = table([...DAYS, ''], [...WEIGHED, 'Release Date'], ...MICE.map((row) => [...row, '2024-01-01']));
    const settings = { ...numbered, header: { unknownColumns: 'characteristics' } as const };
    const { plan, samples } = await readSheet(text, settings);
    expect(plan.header).toEqual([...KEPT_APART, 'Release Date']);
    expect(samples[1]?.content.characteristics).toMatchObject({ 'Day 7 glucose': [{ text: '7' }] });
    const result = await resultOf(text, settings);
    const again = await readSheet(result, settings);
    expect(again.samples.map(({ id, packed }) => [id, packed])).toEqual(
      samples.map(({ packed }, at) => [100 + at, packed]),
    );
    expect(await resultOf(result, settings)).toBe(result);
  });

  it.each<[string, string[], string[], string[]]>([
    [
      'keeps the names that it has once',
      DAYS,
      ['Sample Name', 'weight', 'sex', 'weight', 'age'],
      ['Sample Name', 'Day 0 weight', 'sex', 'Day 7 weight', 'age'],
    ],
    [
      'tells years apart',
      ['', '2022', '', '2023', ''],
      WEIGHED,
      ['Sample Name', '2022 weight', '2022 glucose', '2023 weight', '2023 glucose'],
    ],
    [
      'keeps what our own words say twice',
      DAYS,
      ['Sample Name', 'Characteristics[a]', 'Unit', 'Characteristics[a]', 'Unit'],
      ['Sample Name', 'Characteristics[a]', 'Unit', 'Characteristics[a]', 'Unit'],
    ],
    ['keeps what stands twice in one group', ['', 'Day 0', '', '', ''], WEIGHED, WEIGHED],
    ['keeps what stands outside of all groups', ['', '', '', 'Day 7', ''], WEIGHED, WEIGHED],
    [
      'keeps what stands behind a header of the first row',
      ['', 'Day 0', '', 'Sample Identifier', ''],
      ['Sample Name', 'weight', 'glucose', '', 'weight'],
      ['Sample Name', 'weight', 'glucose', '', 'weight'],
    ],
    [
      'keeps what stands behind any header of the first row',
      ['', 'Day 0', '', 'notes', ''],
      ['Sample Name', 'weight', 'glucose', '', 'weight'],
      ['Sample Name', 'weight', 'glucose', '', 'weight'],
    ],
    ['keeps what stands behind the last of them', ['', 'Day 0', '', 'Day 7'], [...WEIGHED, ''], [...KEPT_APART, '']],
    [
      'has groups with names as long as a name may be',
      ['', 'D'.repeat(60), '', 'Day 7', ''],
      WEIGHED,
      ['Sample Name', `${'D'.repeat(60)} weight`, `${'D'.repeat(60)} glucose`, ...KEPT_APART.slice(3)],
    ],
    ['is no matter of a longer text', ['', 'D'.repeat(61), '', 'Day 7', ''], WEIGHED, WEIGHED],
    ['is no matter of a title', ['Mice of 2023'], WEIGHED, WEIGHED],
    ['is no matter of a remark', ['# mice', 'Day 0', '', 'Day 7', ''], WEIGHED, WEIGHED],
  ])('%s', (_, groups, names, expected) => {
    const sheet = [groups, names, ...MICE];
    expect(headerOf(...sheet)).toEqual(expected);
    for (const blanks of someBlanks(sheet)) expect(trimmed(headerOf(...blanks))).toEqual(expected);
  });

  it('is read as a kept profile has it', () => {
    const nth = (at: number) => ({
      header: at % 2 === 0 ? 'weight' : 'glucose',
      nth: 1 + (at >> 1),
      as: 'characteristic' as const,
      name: `c${at}`,
    });
    const columns = [{ header: 'Sample Name', as: 'name' as const }, ...[0, 1, 2, 3].map(nth)];
    const profile = { name: 'mice', rank: 'own' as const, document: { profile: 1 as const, title: 'Mice', columns } };
    const sheet = table(DAYS, WEIGHED, ...MICE);
    for (const options of [{ profiles: [profile] }, { profiles: [profile], profile: 'mice' }])
      expect(planOf(sheet, { ...header, ...options })).toMatchObject({ header: WEIGHED, headerLine: 2 });
  });
});

describe('no second row of a header is', () => {
  it.each<[string, string[], string[]]>([
    ['a sample', GROUPS, ['S0', 'Age', 'Sex', 'Date', 'Site']],
    ['a row of numbers or dates', GROUPS, ['', '33', 'male', '2023-04-30', 'Ely']],
    ['one with values that other rows have', GROUPS, ['', 'unknown', 'female', 'May', 'Ely']],
    ['one below whose groups nothing begins', GROUPS, ['', '', 'Sex', '', 'Site']],
    ['one without a gap above it', ['Sample Name', 'Age', 'Sex'], ['', 'years', 'male or female']],
    [
      'one that goes on with a single gap, where others have no group',
      ['Sample Name', 'Age', 'Notes', ''],
      ['', 'adult', 'see book', 'page seven'],
    ],
    ['a row of units', GROUPS, ['', 'years', 'text', 'yyyy-mm-dd', 'text']],
    ['one with remarks', GROUPS, ['', 'Age', 'Sex', 'Date', `Site${' and how we came there'.repeat(3)}`]],
    ['one below headers with meanings of their own', ['Sample Name', 'Characteristics[age]', '', 'Unit', ''], NAMES],
    ['one below words that say what the table is of', ['Exported by', 'J. Smith'], ['', 'Organism', 'Tissue', 'Age']],
    [
      'one below such words with gaps behind them',
      ['Exported by', 'J. Smith', '', ''],
      ['', 'Organism', 'Tissue', 'Age'],
    ],
    ['one that begins before the header does', ['', ...GROUPS], ['No', ...NAMES]],
    ['one that has a remark in a column', GROUPS, ['', 'Age', 'Sex', '# of May', 'Site']],
    ['one that is a header itself', ['Project', 'Lake', 'Laboratory', ''], ['', 'Sample Name', 'Tissue', 'Age']],
    ['one below a remark', ['# Project', 'Lake', 'Laboratory', ''], ['', 'Organism', 'Tissue', 'Age']],
    ['one below a number', ['Sample Name', '2023', '', '2024', ''], NAMES],
    [
      'a remark in columns that no sample has',
      ['Sample Name', 'Age', 'Sex', '', 'Date', 'Notes', ''],
      ['', '', '', '', '', 'see book', 'page seven'],
    ],
    ['one that says a name twice', GROUPS, ['', 'Age', 'age', 'Date', 'Site']],
  ])('%s', (_, first, second) => {
    const sheet = [first, second, ...ROWS];
    for (const each of [sheet, ...someBlanks(sheet)])
      expect([first, second].map(filled)).toContainEqual(filled(trimmed(namesIn(table(...each)))));
  });

  it('one with a word of one of the next 200 rows; what stands further down is not looked at', () => {
    const below = (rows: number) => [...Array.from({ length: rows }, () => ROWS[0] as string[]), ['S2', 'Age']];
    expect(headerOf(GROUPS, NAMES, ...below(199))).toEqual(GROUPS);
    expect(headerOf(GROUPS, NAMES, ...below(200))).toContain('Patient Age');
  });

  it.each<[string, string[], string[], string | undefined]>([
    [
      'has a Sample Name',
      ['Project', 'Lake', 'Laboratory', '', ''],
      ['', 'Sample Name', 'Organism', 'Tissue', 'Age'],
      undefined,
    ],
    [
      'is below a remark',
      ['# Project', 'Lake', 'Laboratory', '', ''],
      ['', 'Organism', 'Organ', 'Tissue', 'Age'],
      'Tissue',
    ],
  ])('a row that is the header alone: it %s', (_, first, second, nameColumn) => {
    const options = { ...header, ...(nameColumn === undefined ? {} : { nameColumn }) };
    expect(planOf(table(first, second, ...ROWS), options)).toMatchObject({ header: second, headerLine: 2 });
  });

  it('a row of units below a name that is merged over both', () => {
    const { columns } = proposeText(table(['Tube', 'Heat'], ['Tube', '°C'], ['a', '1'], ['b', '2']));
    expect(columns.map(({ examples }) => examples)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('any row that names a sample, whatever gaps the header has', async () => {
    const text = fc.constantFrom('', 'Age', 'Sex', 'a b', 'Homo sapiens');
    const width = 6;
    const row = fc.array(text, { minLength: width, maxLength: width });
    await fc.assert(
      fc.asyncProperty(row, fc.array(row, { minLength: 1, maxLength: 4 }), async (titles, cells) => {
        const rows = cells.map((each, at) => [`S${at}`, ...each]);
        const { samples, rejected, plan } = await read(
          ['Sample Name', ...titles.map((title, at) => title && `${title}${at}`)],
          ...rows,
        );
        expect(plan.groups).toBeUndefined();
        expect(samples.length + rejected.length).toBe(rows.length);
      }),
      { numRuns: runs(200) },
    );
  });
});

/** The sheet with blanks around the texts of every row, of one row, and in the empty cells. */
const someBlanks = (rows: string[][]): string[][][] =>
  [-1, ...rows.keys()].map((at) =>
    rows.map((row, number) => (at < 0 || at === number ? row.map((cell) => ` ${cell}  `) : row)),
  );

const trimmed = (header: readonly string[]): string[] => header.map((text) => text.trim());

const named = (age: string, sex: string, date: string, site: string) => ({
  'Patient Age': [{ text: age }],
  'Patient Sex': [{ text: sex }],
  'Collection Date': [{ text: date }],
  'Collection Site': [{ text: site }],
});

function refusedFor(sheet: string): unknown {
  try {
    return planOf(sheet, header);
  } catch (error) {
    return (error as RegistryError).detail.extra?.nameColumns;
  }
}

const filled = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '');

/** Of the columns, as they are read or proposed. */
const namesIn = (sheet: string): string[] =>
  Array.isArray(refusedFor(sheet)) ? proposeText(sheet).columns.map(({ header: name }) => name) : headerOfText(sheet);

const headerOfText = (sheet: string): string[] => planOf(sheet, header).header;

describe('columns of several levels, as pandas writes them above the names of its index', () => {
  const LEVELS = [
    ['kind', '', 'clinical', 'clinical', 'lab', 'lab'],
    ['measure', '', 'age', 'sex', 'hb', 'hb max'],
  ];
  const INDEX = ['site', 'Sample Name', '', '', '', ''];
  const SAMPLES = [
    ['A', 'S1', '34', 'f', '12.1', '13'],
    ['', 'S2', '35', 'm', '13.1', '14'],
  ];
  const stored = async (...rows: string[][]) => {
    const { plan, samples, rejected } = await read(...rows);
    expect(rejected).toEqual([]);
    expect(plan.notStored).toEqual([]);
    const again = await readSheet(await resultOf(table(...rows), { ...numbered, header }), { header });
    expect(again.samples.map(({ content }) => content)).toEqual(samples.map(({ content }) => content));
    return samples.map(({ name, content }) => [name, Object.keys(content.characteristics).join(', ')]);
  };

  it('are called by all of their levels', async () => {
    expect(await stored(...LEVELS, INDEX, ...SAMPLES)).toEqual([
      ['S1', 'site, clinical age, clinical sex, lab hb, lab hb max'],
      ['S2', 'clinical age, clinical sex, lab hb, lab hb max'],
    ]);
    expect(await stored(['Cohort 7'], LEVELS[1] as string[], INDEX, ...SAMPLES)).toEqual([
      ['S1', 'site, age, sex, hb, hb max'],
      ['S2', 'age, sex, hb, hb max'],
    ]);
  });

  it.each<[string, string[][]]>([
    ['another width', [['measure', '', 'age', 'sex', 'hb']]],
    ['a gap', [['measure', '', 'age', '', 'hb', 'wbc']]],
    ['a name twice', [['measure', '', 'age', 'age', 'hb', 'wbc']]],
    ['a remark', [['# measured', '', 'in', 'the', 'old', 'way']]],
    ['units', [['', '', 'm', 'kg', 'g/l', 'g/l']]],
    ['nothing', []],
  ])('a row above with %s calls none', async (_, above) => {
    const { plan } = await read(...above, INDEX, ...SAMPLES);
    expect(plan.notStored).toHaveLength(4);
  });
});
