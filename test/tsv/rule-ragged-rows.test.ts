import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, table } from './read-sheet.js';

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

  it('hundreds of thousands of cells in one row reject that row only', async () => {
    const text = table(HEADER, ['a', '2024-05-01', ...Array.from({ length: 200_000 }, () => 'x')], ['b', '2024-05-01']);
    const { samples, rejected } = await readSheet(text);
    expect(samples.map(({ name }) => name)).toEqual(['b']);
    expect(codes(rejected)).toContain('2 row.extra-cells');
  });
});
