/** A table with its samples in columns is refused before its rows are given accessions. */
import { describe, expect, it } from 'vitest';
import { planOf, readSheet, refusal, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics', isNew: true } as const;
const row = (name: string): string[] => [name, `${name} 1`, `${name} 2`];
const others = (count: number): string[][] => Array.from({ length: count }, (_, at) => row(`s${at}`));

describe('a table with its samples side by side', () => {
  it.each([
    ['below their names', ['Sample Name', 'a', 'b'], row('Release Date'), row('organism'), row('age')],
    ['below any header', ['sample_name', 'S1', 'S2'], row('sample name'), row('tissue')],
    ['with characteristics of its own', ['Sample Name', 'a', 'b'], ...others(3), row('release_date')],
    ['of which half is known', ['Sample Name', 'a', 'b'], row('Collection Date'), row('dose'), row('sex'), row('age')],
  ])('is refused: %s', async (_, ...rows: string[][]) => {
    const { code, message, line } = await refusal(table(...rows), { header });
    expect([code, line]).toEqual(['file.wrong-kind', 1]);
    expect(message).toMatch(
      /^Line 1: the samples of this table stand side by side, .*\. Turn it, so that each sample has a row/,
    );
  });

  it('is named with the rows that say so, each shortened', async () => {
    const long = `Characteristics[${'x'.repeat(90)}] of all`;
    const { message } = await refusal(
      table(['Sample Name', 'a'], [' collection  date ', '1'], ['Sex', '2'], [long, '3']),
      {
        header,
      },
    );
    expect(message).toContain('what is said of them: collection date, Sex. Turn it');
  });

  it.each([
    ['one row of two', row('tissue'), row('control')],
    ['few rows of many', row('tissue'), row('treatment'), ...others(3)],
    ['rows that have nothing else', ['tissue'], ['treatment'], ['Release Date', '', '']],
    ['rows behind the first thirty', ...others(30), row('Release Date')],
  ])('is not what has %s called so', (_, ...rows: string[][]) => {
    expect(planOf(table(['Sample Name', 'a', 'b'], ...rows), header).header).toHaveLength(3);
  });

  it('is read where it was accepted before', async () => {
    const { isNew: _, ...again } = header;
    const text = table(['Sample Name', 'a', 'b'], row('tissue'), row('sex'));
    expect((await readSheet(text, { header: again })).samples.map(({ name }) => name)).toEqual(['tissue', 'sex']);
  });

  it('is read where its rows have accessions already: they are updated, or withdrawn', async () => {
    const text = table(['Sample Name', 'a', 'Sample Identifier'], ['tissue', '1', 'SAMR1'], ['sex', '2', 'SAMR2']);
    expect((await readSheet(text, { header })).samples.map(({ id }) => id)).toEqual([1, 2]);
  });
});
