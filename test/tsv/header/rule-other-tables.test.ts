/** A header among the rows: the sheet's own over again is no sample, and what stands below another is no sample of this one. */
import { describe, expect, it } from 'vitest';
import { readSheet, type SheetSettings, table } from '../read-sheet.js';

const READ = { releaseDate: Date.UTC(2024, 0, 1), unknownColumns: 'characteristics' } as const;
const HEADER = ['Sample Name', 'organism', 'age', 'Sample Identifier'];
const S1 = ['S1', 'mouse', '3'];
const S2 = ['S2', 'rat', '4'];

/** Of each row its line with its name, or the column that it is refused for. */
const read = async (rows: string[][], more: SheetSettings = {}) => {
  const { samples, rejected, survey } = await readSheet(table(...rows), {
    ...more,
    header: { ...READ, ...more.header },
  });
  const said = [
    ...samples.map(({ line, name }) => ({ line, what: name })),
    ...rejected.map(({ line, issues }) => ({
      line,
      what: issues.map(({ code, columnLetter }) => `${code} in ${columnLetter}`).join(),
    })),
  ].sort((a, b) => a.line - b.line);
  if (more.read === undefined) expect(survey.rejected).toBe(rejected.length);
  return said.map(({ line, what }) => `${line} ${what}`);
};
const OTHER = 'row.other-table in';

describe('a header among the rows', () => {
  it.each<[string, string[]]>([
    ['as it is', HEADER],
    ['in another spelling', ['sample_name', 'Organism', ' AGE ']],
    ['of its first columns', ['Sample Name', 'organism']],
    ['of its name alone', ['Sample Name']],
    ['with a cell that is empty', ['Sample Name', '', 'age']],
  ])('%s is no sample, and the rows below it are', async (_, again) => {
    expect(await read([HEADER, S1, again, S2])).toEqual(['2 S1', `3 ${OTHER} A`, '4 S2']);
    expect(await read([HEADER, S1, [''], again, S2])).toEqual(['2 S1', `4 ${OTHER} A`, '5 S2']);
  });

  it.each<[string, string[], string]>([
    ['with other columns', ['Sample Name', 'weight', 'age'], 'B'],
    ['with its columns in another order', ['Sample Name', 'age', 'organism'], 'B'],
    ['with a column more', ['Sample Name', 'organism', 'age', 'Sample Identifier', 'sex'], 'E'],
    ['in another spelling', ['SAMPLE_NAME', 'organism', 'mass'], 'C'],
  ])('%s begins another table, whose rows are none of this one', async (_, other, column) => {
    const rows = [HEADER, S1, other, S2, ['S1', '20'], ['', 'x', 'y', 'z', 'u'], HEADER, ['S3', 'rat', '5']];
    expect(await read(rows)).toEqual([
      '2 S1',
      `3 ${OTHER} ${column}`,
      ...[4, 5, 6].map((line) => `${line} ${OTHER} A`),
      `7 ${OTHER} A`,
      '8 S3',
    ]);
  });

  it('has its title above it, which is no sample', async () => {
    const rows = [
      ['Mice'],
      HEADER,
      S1,
      S2,
      [''],
      ['Rats'],
      HEADER,
      ['S3', 'rat', '5'],
      [''],
      ['Fish'],
      ['', '', ''],
      HEADER,
    ];
    expect(await read(rows)).toEqual([
      '3 S1',
      '4 S2',
      `6 ${OTHER} A`,
      `7 ${OTHER} A`,
      '8 S3',
      `10 ${OTHER} A`,
      `12 ${OTHER} A`,
    ]);
    const others = [HEADER, S1, [''], ['Boxes'], ['Sample Name', 'weight'], ['S4', '3']];
    expect(await read(others)).toEqual(['2 S1', `4 ${OTHER} A`, `5 ${OTHER} B`, `6 ${OTHER} A`]);
  });

  it.each<[string, string[][]]>([
    ['has more than a name', [[''], ['S3', 'rat']]],
    ['is the next one', [['S3']]],
    ['has its name in another column', [[''], ['', 'S3']]],
  ])('has no title in a row that %s', async (_, above) => {
    const found = await read([HEADER, S1, ...above, HEADER, S2]);
    expect(found.filter((line) => line.includes(OTHER))).toEqual([`${3 + above.length} ${OTHER} A`]);
  });

  it.each<[string, string[], string[]]>([
    ['as it was', [], []],
    ['named by the option', ['Tube', 'organism', 'age'], []],
    ['behind other columns', ['box', 'Tube', 'organism'], ['b1']],
  ])(
    'has its title in a result, too, which has the blank rows of no workbook and a release in every row: %s',
    async (_, own, front) => {
      const before = own.length > 0 ? own : HEADER.slice(0, 3);
      const nameColumn = own.length > 0 ? 'Tube' : undefined;
      const [left, day] = [front.map(() => ''), '2025-01-01'];
      const sample = (name: string, accession: string) => [
        ...front,
        name,
        ...before.slice(front.length + 1),
        day,
        accession,
      ];
      const rows = [
        ...(nameColumn ? [['#nameColumn', nameColumn]] : []),
        [...before, 'Release Date', 'Sample Identifier'],
        sample('S1', 'SAMR1'),
        [...left, 'Rats', ...before.slice(front.length + 1).map(() => ''), day, ''],
        [...before, day, ''],
        sample('S2', 'SAMR2'),
      ];
      const at = rows.length - 2;
      const letter = 'AB'[front.length];
      expect(await read(rows)).toEqual([
        `${at - 1} S1`,
        `${at} ${OTHER} ${letter}`,
        `${at + 1} ${OTHER} ${letter}`,
        `${at + 2} S2`,
      ]);
      const unnamed = rows.toSpliced(at - 2, 1);
      expect(unnamed.some((cells) => cells.includes('SAMR1'))).toBe(false);
      expect((await read(unnamed)).slice(0, 1)).toEqual([`${at - 1} Rats`]);
      const filled = rows.with(at - 1, [...left, 'S3', ...before.slice(front.length + 1), day, '']);
      expect((await read(filled))[1]).toBe(`${at} S3`);
    },
  );

  it('has none in a row with a name alone that no header follows', async () => {
    expect(await read([HEADER, S1, [''], ['S3'], S2])).toEqual(['2 S1', '4 S3', '5 S2']);
  });

  it('is found by what names the samples of the sheet, and by Sample Name', async () => {
    const header = { nameColumn: 'tube' };
    const rows = (other: string[]) => [['tube', 'organism', 'age'], S1, other, S2];
    expect(await read(rows(['Tube', 'weight']), { header })).toEqual(['2 S1', `3 ${OTHER} B`, `4 ${OTHER} A`]);
    expect(await read(rows(['Sample Name', 'organism']), { header })).toEqual(['2 S1', `3 ${OTHER} A`, '4 S2']);
    const ncbi = [['*sample_name', 'bioproject', '*organism'], ['S1', '', 'mouse'], ['*sample_name', '', 'host'], S2];
    expect(await read(ncbi)).toEqual(['2 S1', `3 ${OTHER} C`, `4 ${OTHER} A`]);
  });

  it('is the same where its row has what we add to a result or to a file of errors', async () => {
    const header = ['Sample Name', 'organism', 'Release Date', 'Sample Identifier', 'Error Code', 'Error Message'];
    const again = ['Sample Name', 'organism', '2024-01-01', 'SAMR3', 'row.other-table', 'The row is the header'];
    const rows = [header, ['S1', 'mouse', '2024-01-01'], again, ['S2', 'rat', '2024-01-01']];
    expect(await read(rows)).toEqual(['2 S1', `3 ${OTHER} A`, '4 S2']);
  });

  it('right below that of the sheet may be other words for it', async () => {
    const rows = [HEADER, ['# ours'], ['sample name', 'Latin', 'years'], S1, S2];
    expect(await read(rows)).toEqual(['3 sample name', '4 S1', '5 S2']);
  });

  it('is no name that only looks alike', async () => {
    const names = ['Sample Name 1', 'sample none', 'Sample Tube', 'SampleNam', `Sample ${' '.repeat(40)}Name`];
    const rows = names.map((name) => [name, 'mouse']);
    expect(await read([HEADER, S1, ...rows])).toEqual(['2 S1', ...names.map((name, at) => `${at + 3} ${name}`)]);
  });

  it('whose names, identifiers, relationships and keys mean nothing here', async () => {
    const header = [...HEADER, 'Comment[bsd_relationship:derived from]'];
    const rows = [header, ['S1', 'mouse', '3', '', 'S2'], S2, ['Sample Name', 'x'], ['S1', '', '', 'SAMR7', 'nobody']];
    expect(await read(rows)).toEqual(['2 S1', '3 S2', `4 ${OTHER} B`, `5 ${OTHER} A`]);
    const further = [header, ['S1', 'mouse', '3', '', 'S9'], ['Sample Name', 'x'], ['S9', 'y']];
    expect(await read(further)).toEqual(['2 relationship.unknown in E', `3 ${OTHER} B`, `4 ${OTHER} A`]);
    const keyed = [
      ['Sample Name', 'id'],
      ['S1', 'k1'],
      ['Sample Name', 'x'],
      ['S2', 'k1'],
    ];
    expect(await read(keyed, { header: { key: 'id' } })).toEqual(['2 S1', `3 ${OTHER} B`, `4 ${OTHER} A`]);
  });

  it('is the same for whoever reads on behind it', async () => {
    const rows = [HEADER, S1, ['Sample Name', 'weight'], S2, ['S3', '20']];
    expect(await read(rows, { read: { fromLine: 3 } })).toEqual([`4 ${OTHER} A`, `5 ${OTHER} A`]);
  });

  it('says what is elsewhere, and what to do', async () => {
    const { rejected } = await readSheet(table(HEADER, S1, ['Sample Name', 'weight'], S2, HEADER), { header: READ });
    expect(rejected.flatMap(({ issues }) => issues.map(({ value, message }) => `${value}: ${message}`))).toEqual([
      'weight: The row is a header with other columns than that of line 1: in B "weight" in place of "organism". It and the rows below it are another table: upload that as a file of its own, or put its values below the columns of this one.',
      'S2: The row stands below the header of another table, in line 3, whose columns are not those of line 1. Upload that table as a file of its own, or put its values below the columns of this one.',
      'Sample Name: The row is the header of line 1 over again, and no sample. Delete it.',
    ]);
  });
});
