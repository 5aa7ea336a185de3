import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, table } from '../read-sheet.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]'];
const D = '2024-05-01';

const text = async (cell: string) => {
  const { samples } = await readSheet(table(HEADER, ['a', D, cell, 'end']));
  return samples[0]?.content.characteristics.x?.[0]?.text;
};

describe('a cell', () => {
  it.each([
    ['  a  b  ', 'a  b'],
    ['\u00a0\u2003a\u3000\ufeff', 'a'],
    ['a;b,c|d', 'a;b,c|d'],
    ['\u200ba\u200b', '\u200ba\u200b'],
    ['\x01\x1b[31m\x7f', '\x01\x1b[31m\x7f'],
    ['\u0085a', '\u0085a'],
    ['-5', '-5'],
    ['e\u0301', 'e\u0301'],
    ['\u2028a\u2028', 'a'],
    ['a\u2028b\vc\fd', 'a\u2028b\vc\fd'],
  ])('%j is kept as %j: trimmed at both ends and otherwise byte for byte', async (cell, kept) => {
    expect(await text(cell)).toBe(kept);
    expect(cell.trim()).toBe(kept);
  });

  it('of blanks alone is empty', async () => {
    expect(await text(' \u2003 ')).toBeUndefined();
  });

  it('with a tab inside makes the row a document, equal in content', async () => {
    const { samples } = await readSheet(table(HEADER, ['a', D, '"two\ttabs\t"', 'y'], ['b', D, '"two"', '\t']));
    expect(samples.map(({ document }) => document)).toEqual([true, false]);
    expect(JSON.parse(JSON.stringify(samples[0]?.content.characteristics))).toEqual({
      x: [{ text: 'two\ttabs' }],
      y: [{ text: 'y' }],
    });
  });

  it('of 100 000 characters is taken, of one more is an issue of its row', async () => {
    const { samples, rejected } = await readSheet(
      table(HEADER, ['a', D, 'x'.repeat(100_000)], ['b', D, 'x'.repeat(100_001)], ['c', D]),
    );
    expect(samples.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(issuesOf(rejected)).toMatchObject([{ line: 3, code: 'cell.too-long', column: 'Characteristics[x]' }]);
    expect(issuesOf(rejected)[0]?.value).toHaveLength(100);
  });

  it.each([
    ['plain', 'v\0w'],
    ['quoted', '"v\0w"'],
    ['in a column that is not stored', 'x', 'v\0w'],
  ])('with a NUL is an issue of its row: %s', async (_, ...cells) => {
    const { samples, rejected } = await readSheet(table([...HEADER.slice(0, 3), 'note'], ['a', D, ...cells], ['b', D]));
    expect(samples.map(({ name }) => name)).toEqual(['b']);
    expect(issuesOf(rejected)).toMatchObject([{ line: 2, code: 'cell.control-character', value: 'v␀w' }]);
  });

  it('a value is cut in messages without cutting a character in two', async () => {
    const { rejected } = await readSheet(table(HEADER, ['a', `${'x'.repeat(99)}𝒳𝒳`]));
    expect(issuesOf(rejected)[0]?.value).toBe('x'.repeat(99));
  });
});

describe('all problems of a row', () => {
  it('are found at once', async () => {
    const header = ['Sample Name', 'Release Date', 'Sample Identifier', 'Comment[bsd_relationship:same as]'];
    const { rejected } = await readSheet(table(header, ['', 'soon', 'X1', 'nobody', 'extra']), {});
    expect(rejected).toHaveLength(1);
    expect(codes(rejected).toSorted()).toEqual([
      '2 identifier.unknown',
      '2 name.missing',
      '2 relationship.unknown',
      '2 release.invalid',
      '2 row.extra-cells',
    ]);
    for (const issue of issuesOf(rejected)) {
      expect(issue.message).not.toBe('');
      expect(issue.columnLetter).toMatch(/^[A-E]$/);
    }
  });
});
