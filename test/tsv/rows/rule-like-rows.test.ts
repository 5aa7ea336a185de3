import { describe, expect, it } from 'vitest';
import { readSheet, table } from '../read-sheet.js';

const said = async (names: string[], identifiers: string[] = []) => {
  const { batches, rejected } = await readSheet(
    table(
      ['Sample Name', 'Release Date', 'Sample Identifier', 'organism'],
      ...names.map((name, at) => [name, '2024-05-01', identifiers[at] ?? '', 'human']),
    ),
  );
  return {
    rejected: rejected.map(({ line }) => line),
    like: batches.flatMap(({ warnings = [] }) =>
      warnings.flatMap(({ issues }) =>
        issues.map(({ line, code, message }) => `${line} ${code} ${/line (\d+)/.exec(message)?.[1]}`),
      ),
    ),
  };
};

describe('names that people take for the same, in one sheet', () => {
  it.each([
    ['the form of an accented letter', 'S\u00e9rum 1', 'Se\u0301rum 1'],
    ['capitals', 'Donor-1', 'dOnor-1'],
    ['capitals of other letters', '\u00c9TUDE 1', '\u00e9tude 1'],
    ['a blank of another kind', 'S 4', 'S\u00a04'],
    ['two blanks', 'S 4', 'S  4'],
    ['a mark of no width', 'S4', 'S\u200b4'],
    ['a mark at its end', 'S4', 'S4\ufeff\u200e'],
    ['a soft hyphen', 'Serum4', 'Se\u00adrum4'],
  ])(
    'differ in %s: the later row is named with the line of the earlier, whichever comes first',
    async (_, one, other) => {
      for (const names of [
        [one, 'x', other],
        [other, 'x', one],
      ])
        expect(await said(names)).toEqual({ rejected: [], like: ['4 name.like-another 2'] });
    },
  );

  it.each([
    ['other names', ['S1', 'S 1', 'S-1', 'S01', 'Serum', 'S\u00e9rum']],
    ['names of nothing that is seen', ['\u200b', '\u00ad', '\u2060']],
  ])('%s are none', async (_, names) => {
    expect(await said(names)).toEqual({ rejected: [], like: [] });
  });

  it('rows that name their samples are known apart; beside a new one they are not', async () => {
    expect((await said(['a', 'A'], ['SAMR1', 'SAMR2'])).like).toEqual([]);
    expect((await said(['a', 'A'], ['SAMR1', ''])).like).toEqual(['3 name.like-another 2']);
  });

  it('the same name again is refused, and not warned of beside', async () => {
    expect(await said(['a', 'a', 'A'])).toEqual({ rejected: [3], like: ['4 name.like-another 2'] });
  });

  it('where rows are known by a key of their own, names say nothing; where the key is the name, they do', async () => {
    const rows = table(['Sample Name', 'Release Date', 'code'], ['a', '2024-05-01', 'K1'], ['A', '2024-05-01', 'K2']);
    const codesOf = async (key: string) =>
      (await readSheet(rows, { header: { key } })).batches[0]?.warnings?.flatMap(({ issues }) =>
        issues.map(({ code }) => code),
      );
    expect(await codesOf('code')).toBeUndefined();
    expect(await codesOf('Sample Name')).toEqual(['name.like-another']);
  });
});
