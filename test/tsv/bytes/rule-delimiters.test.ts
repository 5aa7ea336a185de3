import { describe, expect, it } from 'vitest';
import { planOf, readSheet, refusal } from '../read-sheet.js';

describe('files separated by commas, semicolons or vertical bars', () => {
  it.each([',', ';', '|'] as const)('%j is found in the header', async (delimiter) => {
    const text = [
      ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]'],
      ['a', '2024-05-01', `"one${delimiter} two"`, '5" pipe'],
      ['b', '2024-05-01', '"line\nbreak"', '"tab\there"'],
      ['c', '2024-05-01'],
    ]
      .map((cells) => `${cells.join(delimiter)}\r\n`)
      .join('');
    const { plan, samples } = await readSheet(text, { pieces: [5, 3] });
    expect(plan.delimiter).toBe(delimiter);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([
      [2, 'a'],
      [3, 'b'],
      [5, 'c'],
    ]);
    expect(samples[0]?.content.characteristics.x).toEqual([{ text: `one${delimiter} two` }]);
    expect(samples[0]?.content.characteristics.y).toEqual([{ text: '5" pipe' }]);
    expect(samples[1]?.content.characteristics.y).toEqual([{ text: 'tab\there' }]);
  });

  it.each([
    ['Markdown', '| Sample Name | Organism |\n|---|:---:|\n| a | Zea mays |\n'],
    ['Markdown with its columns to one side', '| Sample Name | Organism |\n|:---|-:|\n| a | Zea mays |\n'],
    [
      'a database with a line around it',
      '+---+---+\n| Sample Name | Organism |\n+---+---+\n| a | Zea mays |\n+---+---+\n1 row in set (0.00 sec)\n',
      4,
    ],
    ['a database that counts', ' Sample Name | Organism\n---+---\n a | Zea mays\n(1 row)\n'],
    ['the prompt of a database', ' Sample Name | Organism \n-------------+----------\n a           | Zea mays\n'],
  ])('a table as %s draws it is read without its lines', async (_, text, line = 3) => {
    const { samples, rejected } = await readSheet(text, {
      header: { releaseDate: 0, unknownColumns: 'characteristics' },
    });
    expect(rejected).toEqual([]);
    expect(samples.map(({ line, name, content }) => [line, name, content.characteristics.Organism])).toEqual([
      [line, 'a', [{ text: 'Zea mays' }]],
    ]);
  });

  it('a sample is none of these lines', async () => {
    const { samples } = await readSheet('Sample Name|Note\n-|-\n(2 rows)|b\n:|c\n', { header: { releaseDate: 0 } });
    expect(samples.map(({ name }) => name)).toEqual(['-', '(2 rows)', ':']);
  });

  it('dashes in any other table are a name like any other', async () => {
    const { samples } = await readSheet('Sample Name,Release Date\n---,2024-05-01\n');
    expect(samples.map(({ name }) => name)).toEqual(['---']);
  });

  it('a row that cannot be split at tabs does not keep the header above it from being split at commas', () => {
    const plan = planOf('Sample Name,Release Date,note\nS1,2024-01-01,a\t"b\n');
    expect(plan).toMatchObject({ delimiter: ',', header: ['Sample Name', 'Release Date', 'note'] });
  });

  it('a header with tabs is never split at commas', () => {
    const plan = planOf('Sample Name\tRelease Date\tCharacteristics[a, b; c]\na\t2024-05-01\tv\n');
    expect(plan.delimiter).toBe('\t');
    expect(plan.layout.characteristics[0]?.name).toBe('a, b; c');
  });

  it.each([
    ['Sample Name,a;b;c;d\nx\n', ',', ['Sample Name', 'a;b;c;d']],
    ['Sample Name;a,b,c,d\nx\n', ';', ['Sample Name', 'a,b,c,d']],
    ['Sample Name|a,b;c,d\nx\n', '|', ['Sample Name', 'a,b;c,d']],
  ])('%j is split where that gives a column of names, whatever else has more', (text, delimiter, header) => {
    expect(planOf(text, { releaseDate: 0 })).toMatchObject({ delimiter, header });
  });

  it.each([
    ['a TAB, whatever has more', 'Tube\tx,y,z,w\n1\t2\n', 'Tube, x,y,z,w'],
    ['what has most', 'Tube;x,y;z\n1;2;3\n', 'Tube, x,y, z'],
    ['the first of those that have as many', 'Tube,x;y\n1,2;3\n', 'Tube, x;y'],
  ])('a header without a column of names is reported as split at %s', async (_, text, found) => {
    expect((await refusal(text)).message).toMatch(new RegExp(` Found: ${found}\\.$`));
  });

  it('a comma in a sheet of one column stays in its header', () => {
    expect(planOf('Sample Name\na,b\n', { releaseDate: 0 }).delimiter).toBe('\t');
  });

  it('blank rows, comments and trailing delimiters are skipped as in any sheet', async () => {
    const { samples } = await readSheet('Sample Name,Release Date,,\n,,,\n# note,,\na,2024-05-01,,\n');
    expect(samples.map(({ line, name }) => [line, name])).toEqual([[4, 'a']]);
  });
});
