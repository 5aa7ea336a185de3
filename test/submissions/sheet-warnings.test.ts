/** Warnings about a sheet as a whole, where a worker goes on behind another, and which dates of release are missed. */
import { describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import { warnOfSheet } from '../../src/submissions/reading/sheet-warnings.js';
import { planOf, readSheet, type SheetSettings, table } from '../tsv/read-sheet.js';

const PLAIN = planOf(table(['Sample Name', 'Release Date'], ['a', '2020-01-01']));
const readAs = { sheet: 'Plate 1', bytes: 1, notRead: ['Plate 2'] };

describe('the warning about sheets that were not read', () => {
  const given = async (cursor: number, notRead = readAs.notRead) => {
    const before = { line: 3, name: 'a', issues: [] };
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield { warnings: [before] } as unknown as LaidOutBatch;
      yield {} as LaidOutBatch;
    }
    const seen: LaidOutBatch['warnings'][] = [];
    for await (const batch of warnOfSheet(batches(), PLAIN, { readAs: { ...readAs, notRead } }, cursor))
      seen.push(batch.warnings);
    const [first, second] = seen;
    expect([first?.at(-1), second]).toEqual([before, undefined]);
    return first?.slice(0, -1);
  };
  const once = (message: unknown) => [
    {
      line: 1,
      name: '',
      issues: [{ line: 1, code: 'sheet.not-read', severity: 'warning', message }],
    },
  ];
  const more = 'send the workbook first with the option key, the header of the column that names them, and then with';
  const each = `${more} sheet, the same key and update=merge: without a key, each row is one more sample.`;

  it('is given with the first batch of the file, before those of its rows', async () => {
    expect(await given(0)).toEqual(
      once(
        `Of the workbook the sheet "Plate 1" was read alone; "Plate 2" names samples, too. If these are to be registered, upload the workbook once more, naming the sheet with the option sheet. If it says more of the samples that were read, ${each}`,
      ),
    );
    expect(await given(0, ['Plate 2', 'Plate 3'])).toEqual(
      once(
        `Of the workbook the sheet "Plate 1" was read alone; "Plate 2", "Plate 3" name samples, too. If those are to be registered, upload the workbook once more for each of them, naming the sheet with the option sheet. If they say more of the samples that were read, ${each}`,
      ),
    );
  });

  it('is not given again by who goes on behind its rows', async () => {
    expect(await given(7)).toEqual([]);
  });
});

const releaseDate = Date.UTC(2031, 0, 1);
const warned = async (header: string[], settings: SheetSettings['header'] = {}, options: object = { releaseDate }) => {
  const plan = planOf(table(header, ['a', '2035-01-01', 'x']), {
    unknownColumns: 'characteristics',
    releaseDate,
    ...settings,
  });
  async function* batches(): AsyncGenerator<LaidOutBatch> {
    yield {} as LaidOutBatch;
  }
  for await (const { warnings = [] } of warnOfSheet(batches(), plan, options, 0))
    return warnings.flatMap(({ issues }) => issues);
  return [];
};
const profiled = (...headers: string[]): SheetSettings['header'] => {
  const columns = [
    { header: 'Sample Name', as: 'name' },
    ...headers.map((header) => ({ header, as: 'characteristic' }) as const),
  ] as const;
  const profile = { name: 'lab', rank: 'own', version: 1, document: { profile: 1, title: 'Lab', columns } } as const;
  return { profiles: [profile], profile: 'lab' };
};

describe('the warning about dates that were not taken for those of release', () => {
  const HEADER = ['Sample Name', 'Release date (YYYY-MM-DD)', 'tissue'];

  it('names the column, and the date that its samples have instead', async () => {
    expect(await warned(HEADER)).toEqual([
      expect.objectContaining({
        code: 'release.not-taken',
        severity: 'warning',
        line: 1,
        column: HEADER[1],
        message: expect.stringContaining('2031-01-01T00:00:00.000Z, as the option releaseDate says'),
      }),
    ]);
  });

  it('is given whatever becomes of the column, and where a profile that ships reads the sheet', async () => {
    expect(await warned(HEADER, { unknownColumns: 'ignore' })).toHaveLength(1);
    expect(await warned(['samp_name', 'Date of release', 'depth'])).toHaveLength(1);
  });

  it('is not given beside a Release Date, without the option, and where somebody has said what the column is', async () => {
    expect(await warned([...HEADER.slice(0, 2), 'Release Date'])).toEqual([]);
    expect(await warned(HEADER, {}, {})).toEqual([]);
    expect(await warned(['Sample Name', 'received', 'tissue'])).toEqual([]);
    expect(await warned(HEADER, profiled(HEADER[1] as string, 'tissue'))).toEqual([]);
  });
});

describe('the warning about headers that are nearly ones of the dialect', () => {
  const HEADER = ['Sample Name', 'Release Date'];

  it.each([
    ['Charateristics[age]', 'Characteristics[age]', 'and is not stored'],
    ['Attribute[age]', 'Characteristics[age]', 'and is not stored'],
    ['Relationship[child of]', 'Comment[bsd_relationship:child of]', 'and is not stored'],
    ['Coment[bsd_relationship:child of]', 'Comment[bsd_relationship:child of]', 'and is not stored'],
    ['Comment[external DB REFs]', 'Comment[external DB REF]', 'and is not stored'],
    ['Relationship: child of', 'Comment[bsd_relationship:child of]', 'stored as a characteristic of that name'],
    ['Term Source-REF', 'Term Source REF', 'stored as a characteristic of that name'],
  ])('names %s, and what is meant', async (header, suggestion, became) => {
    expect(await warned([...HEADER, header])).toEqual([
      expect.objectContaining({
        code: 'column.misspelt',
        severity: 'warning',
        line: 1,
        column: header,
        value: header,
        suggestion,
        message: expect.stringContaining(became),
      }),
    ]);
  });

  it('is not given of names and dates, of which others say more, and of what would not be stored either', async () => {
    const others = [
      'Sampel Name',
      'Relase Date',
      'Sample Identifer',
      'Coment[note]',
      'Factro Value[dose]',
      'Material[x]',
    ];
    expect(await warned([...HEADER, ...others])).toEqual([]);
  });

  it('is not given where somebody has said what the column is', async () => {
    const settings = profiled('Release Date', 'Charateristics[age]');
    expect(await warned([...HEADER, 'Charateristics[age]'], settings)).toEqual([]);
  });

  it('is given where a profile that ships reads the sheet', async () => {
    expect(await warned(['samp_name', 'Charateristics[age]', 'depth'], {}, {})).toMatchObject([
      { code: 'column.misspelt', column: 'Charateristics[age]' },
    ]);
  });

  it('names the first hundred of a sheet', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `Charateristics[${at}]`);
    expect(await warned([...HEADER, ...many.slice(0, 150)])).toHaveLength(100);
    expect(await warned([...HEADER, ...many])).toHaveLength(100);
  });
});

describe('the warning about headers that a program has made', () => {
  it('says what they stand for, and what to write instead', async () => {
    const issues = await warned(['Sample Name', 'age', 'age.1', 'Unnamed: 3']);
    const said = 'it was stored as a characteristic of that name.';
    const todo = 'in the result and upload that.';
    const made = { code: 'column.made-name', severity: 'warning', line: 1 };
    expect(issues).toEqual([
      {
        ...made,
        column: 'age.1',
        columnLetter: 'C',
        value: 'age.1',
        message: `Column C is called "age.1", which is how a program numbers a second "age"; ${said} Where it is a further value of "age", call both columns Characteristics[age] ${todo}`,
      },
      {
        ...made,
        column: 'Unnamed: 3',
        columnLetter: 'D',
        value: 'Unnamed: 3',
        message: `Column D is called "Unnamed: 3", which is what a program calls a column without a header; ${said} Give it a header of its own, or delete it ${todo}`,
      },
    ]);
  });
});

describe('the warning about units behind another column than theirs', () => {
  const warned = (header: string[], ...rows: string[][]) => warnedOf({}, header, ...rows);
  const warnedOf = async (settings: SheetSettings['header'], header: string[], ...rows: string[][]) => {
    const sheet = await readSheet(table(header, ...rows), {
      header: { unknownColumns: 'characteristics', releaseDate: 0, ...settings },
    });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield* sheet.batches;
    }
    const seen: string[] = [];
    for await (const { warnings = [] } of warnOfSheet(batches(), sheet.plan, {}, 0))
      for (const { issues } of warnings)
        for (const { code, columnLetter, message } of issues) seen.push(`${code} ${columnLetter} ${message}`);
    return seen;
  };
  const A = 'Characteristics[age]';
  const W = 'Characteristics[weight]';

  it.each<[string, string[], string[][], RegExp[]]>([
    [
      'all behind all values',
      ['Sample Name', A, W, 'Unit', 'Unit'],
      [['a', '5', '30', 'year', 'kg']],
      [
        /^unit.astray E Behind "weight" there are two Unit columns: that in D is taken for its unit, this one \(E\) is not/,
      ],
    ],
    [
      'and values without a header',
      ['Sample Name', 'tissue', '', W],
      [
        ['a', 'liver', 'thawed', '30'],
        ['b', 'lung', '', '31'],
      ],
      [
        /^column.no-header C Column C has no header and is not stored; rows have values in it, such as "thawed"\. Give it/,
      ],
    ],
    [
      'in columns that were sorted',
      [A, W, 'Release Date', 'Sample Name', 'Unit', 'Unit.1'],
      [['5', '30', '2020-01-01', 'a', 'year', 'kg']],
      [/^unit.astray F Behind "weight"/],
    ],
    [
      'behind a column that was put between',
      ['Sample Name', A, 'comment', 'Unit'],
      [
        ['a', '5', 'looks fine', 'year'],
        ['b', '6', 'ok', 'year'],
        ['c', '6', '', 'year'],
      ],
      [/^unit.astray D The unit is that of "comment", whose values are words: "looks fine year"\. A Unit belongs/],
    ],
  ])('%s', async (_, header, rows, said) => {
    expect(await warned(header, ...rows)).toEqual(said.map((form) => expect.stringMatching(form)));
  });

  it.each<[string, string[], string[][]]>([
    [
      'of each its own',
      ['Sample Name', A, 'Unit', W, 'Unit'],
      [
        ['a', '5', 'year', '30', 'kg'],
        ['b', '6', 'year', '', ''],
      ],
    ],
    [
      'of parameters',
      ['Sample Name', A, 'Unit', 'Parameter Value[x]', 'Unit', 'Unit'],
      [['a', '5', 'year', '1', 'kg', 'g']],
    ],
    [
      'beside ranges and words',
      ['Sample Name', A, 'Unit'],
      [
        ['a', 'adult', 'year'],
        ['b', '5-6', 'year'],
        ['c', 'unknown', 'year'],
      ],
    ],
    [
      'beside one word',
      ['Sample Name', A, 'Unit'],
      [
        ['a', 'adult', 'year'],
        ['b', 'adult', 'year'],
      ],
    ],
    [
      'that are empty',
      ['Sample Name', A, 'Unit'],
      [
        ['a', 'adult', ''],
        ['b', 'old', ''],
      ],
    ],
  ])('is not given: %s', async (_, header, rows) => {
    expect(await warned(header, ...rows)).toEqual([]);
  });

  it('is not given of those behind columns that are not kept, and of rows that hold more than cells', async () => {
    const ignored = ['Sample Name', A, 'Unit', 'weight', 'Unit'];
    expect(await warnedOf({ unknownColumns: 'ignore' }, ignored, ['a', '5', 'year', '30', 'kg'])).toEqual([]);
    const ofStep = ['Sample Name', A, 'Unit', 'Protocol REF', 'Unit'];
    expect(await warned(ofStep, ['a', '5', 'year', 'weighing', 'kg'])).toEqual([]);
  });

  it('names the first ten of thousands', async () => {
    expect(await warned(['Sample Name', A, ...Array<string>(5_000).fill('Unit')], ['a', '5'])).toHaveLength(10);
  });
});
