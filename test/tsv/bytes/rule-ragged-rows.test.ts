import { describe, expect, it } from 'vitest';
import type { KnownProfile } from '../../../src/tsv/header/profile.js';
import { codes, issuesOf, readSheet, table } from '../read-sheet.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]', 'Characteristics[z]'];

describe('rows longer or shorter than the header', () => {
  it('short rows are padded, and spelled like rows with empty cells at their end', async () => {
    const { samples, rejected } = await readSheet(
      table(
        HEADER,
        ['a', '2024-05-01', 'v'],
        ['b', '2024-05-01', 'v', '', ''],
        ['c', '2024-05-01', 'v', ' ', '\u00a0'],
        ['d', '2024-05-01', ' v ', '', ''],
        ['e', '2024-05-01', '"v"', '""', ' '],
      ),
    );
    expect(rejected).toEqual([]);
    expect(samples.map(({ packed }) => packed)).toEqual(['v', 'v', 'v', 'v', 'v']);
    expect({ ...samples[0]?.content.characteristics }).toEqual({ x: [{ text: 'v' }] });
  });

  it('a row that ends before its name or date is reported so', async () => {
    const { rejected } = await readSheet(
      table(['Characteristics[x]', 'Sample Name', 'Release Date'], ['v'], ['v', 'a'], ['v', 'b', '2024-05-01']),
    );
    expect(codes(rejected)).toEqual(['2 name.missing', '2 release.missing', '3 release.missing']);
  });

  it('empty cells beyond the header are nothing, others are an issue with the column they stand in', async () => {
    const { samples, rejected } = await readSheet(
      table(HEADER, ['a', '2024-05-01', 'x', 'y', 'z', '', ' '], ['b', '2024-05-01', 'x', 'y', 'z', '', 'extra']),
    );
    expect(samples.map(({ name }) => name)).toEqual(['a']);
    expect(issuesOf(rejected)).toMatchObject([
      { line: 3, code: 'row.extra-cells', column: 'column G', columnLetter: 'G', value: 'extra', severity: 'error' },
    ]);
  });

  it.each([
    ['one separator', ['']],
    ['several separators', ['', ' ', '']],
  ])('%s at the end of the header row: each column behind them is said to be not stored', async (_, ends) => {
    const rows = [
      ['a', '2024-05-01', 'x', 'y', 'z', ...ends],
      ['b', '2024-05-01', 'x', 'y', 'z', ...ends.slice(1), 'note'],
      ['c', '2024-05-01', 'x', 'y', 'z', ...ends, 'extra'],
    ];
    for (const delimiter of ['\t', ';']) {
      const text = [[...HEADER, ...ends], ...rows].map((cells) => `${cells.join(delimiter)}\n`).join('');
      const { plan, samples, rejected } = await readSheet(text);
      expect(plan.notStored).toEqual(ends.map((_, at) => `${'FGH'.charAt(at)} (no header)`));
      expect(samples.map(({ name, packed }) => [name, packed])).toEqual([
        ['a', 'x\ty\tz'],
        ['b', 'x\ty\tz'],
      ]);
      expect(codes(rejected)).toEqual(['4 row.extra-cells']);
    }
  });

  it('columns that a profile adds are no cells of the row, below separators at the end of its header or not', async () => {
    const known: KnownProfile = {
      name: 'own',
      rank: 'own',
      document: {
        profile: 1,
        title: 'Own',
        columns: [
          { header: 'a', as: 'name' },
          { header: 'b', as: 'name' },
        ],
        joinNames: '/',
        fixed: [{ characteristic: 'organism', value: 'Zea mays' }],
      },
    };
    for (const ends of [[], ['']]) {
      const text = table(['a', 'b', ...ends], ['1', '2', ''], ['1', '3', ...ends, 'extra']);
      const { samples, rejected } = await readSheet(text, { header: { profiles: [known], releaseDate: 0 } });
      expect(samples.map(({ name }) => name)).toEqual(['1/2']);
      expect(issuesOf(rejected).map(({ line, columnLetter }) => [line, columnLetter])).toEqual([
        [3, ends.length === 0 ? 'C' : 'D'],
      ]);
    }
  });

  it('says of a sheet parted by commas what may have gone wrong there', async () => {
    const { rejected } = await readSheet('Sample Name,Release Date,Characteristics[x]\na,2024-05-01,1,5\n');
    expect(issuesOf(rejected)[0]?.message).toBe(
      'The row has a cell in column D, beyond the last header (column C). Remove it, or give the column a header; ' +
        'commas further left may belong into a cell, which then needs quotes around it.',
    );
  });

  it('hundreds of thousands of cells in one row reject that row only', async () => {
    const text = table(HEADER, ['a', '2024-05-01', ...Array.from({ length: 200_000 }, () => 'x')], ['b', '2024-05-01']);
    const { samples, rejected } = await readSheet(text);
    expect(samples.map(({ name }) => name)).toEqual(['b']);
    expect(codes(rejected)).toContain('2 row.extra-cells');
  });
});
