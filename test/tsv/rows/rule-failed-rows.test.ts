/** Rows that begin with what a spreadsheet shows of a formula that failed: without a name they count as remarks, and are said to be. */
import { describe, expect, it } from 'vitest';
import { readPassedOver } from '../read-passed-over.js';
import type { SheetSettings } from '../read-sheet.js';

const D = '2024-05-01';
const H = ['ID', 'Sample Name', 'Release Date', 'organism'];

async function read(samples: string[][], settings?: SheetSettings) {
  const { rows: _, ...found } = await readPassedOver([H, ...samples], settings);
  return found;
}

describe('a row with values that begins with a failed formula', () => {
  it.each(['#N/A', '#REF!', '#VALUE!', '####', '#ERROR!'])(
    'and has no name is passed over with a word: %s',
    async (failed) => {
      const found = await read([
        ['1', 'a', D, 'Mus'],
        [failed, '', D, 'Mus'],
        ['3', 'c', D, 'Mus'],
      ]);
      expect(found).toMatchObject({ names: ['a', 'c'], rejected: [] });
      expect(found.passed).toEqual([
        expect.stringMatching(
          /^1 row \(line 3\) begins with what a spreadsheet shows when a formula failed, .* passed over as a remark/,
        ),
      ]);
    },
  );

  it('is counted once, however the file is parted and wherever its reading goes on', async () => {
    const failed = ['#N/A', '', D, 'Mus'];
    const rows = [failed, ['2', 'b', D, 'Mus'], ['3', 'c', D, 'Mus'], failed, failed, ['6', 'f', D, 'Mus']];
    const { passed } = await read(rows, { read: { batchRows: 2 }, pieces: [7] });
    const counted = passed.map((message) => Number(/^\d+/.exec(message)?.[0])).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(3);
    expect((await read(rows, { read: { fromLine: 4 } })).passed).toEqual([
      expect.stringMatching(/^2 rows \(lines 5 to 6\)/),
    ]);
  });

  it('and has a name is a sample', async () => {
    expect(await read([['#N/A', 'a', D, 'Mus']])).toEqual({ names: ['a'], rejected: [], passed: [] });
  });
});

it.each([
  ['a remark', ['# frozen later', '', '', 'x']],
  ['a number sign and a word', ['#1', '', D, 'Mus']],
  ['a failed formula alone', ['#REF!']],
  ['a blank row', ['', '', '', '']],
])('nothing is said of %s', async (_, row) => {
  expect(await read([['1', 'a', D, 'Mus'], row])).toEqual({ names: ['a'], rejected: [], passed: [] });
});
