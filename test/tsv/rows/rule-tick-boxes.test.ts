/** Sheets with boxes to tick, for which a spreadsheet writes FALSE in each row that nobody has filled in. */
import { describe, expect, it } from 'vitest';
import { readPassedOver } from '../read-passed-over.js';

const D = '2024-05-01';
const H = ['Sample Name', 'Release Date', 'organism', 'checked'];
const FILLED = [
  ['a', D, 'Homo sapiens', 'TRUE'],
  ['b', D, 'Homo sapiens', 'FALSE'],
];
const times = (count: number, row: string[]): string[][] => Array.from({ length: count }, () => row);

describe('rows that hold nothing but boxes that are not ticked', () => {
  it.each(['FALSE', 'False', 'FALSCH', 'FAUX', 'FALSO'])(
    'are blank, as a column of boxes leaves them: %s',
    async (unticked) => {
      const { passed, ...found } = await readPassedOver([
        H,
        ...FILLED.slice(0, 1),
        ...times(998, ['', '', '', unticked]),
      ]);
      expect(found).toEqual({ names: ['a'], rejected: [], rows: 1 });
      expect(passed).toEqual([
        '998 rows (lines 3 to 1000) hold nothing but boxes that are not ticked, as the one in checked, and were passed over like blank ones.',
      ]);
    },
  );

  it('are blank between samples, with several boxes, and behind the rows that show what the columns hold', async () => {
    const header = [...H, 'sent'];
    const filled = times(300, []).map((_, at) => [`s${at}`, D, 'Mus musculus', 'TRUE', 'FALSE']);
    const blank = ['', '', '', 'FALSE', 'FALSE'];
    const found = await readPassedOver([
      header,
      ...filled.slice(0, 1),
      blank,
      ...filled.slice(1),
      ...times(700, blank),
    ]);
    expect(found).toMatchObject({ rejected: [], rows: 300 });
    expect(found.passed).toHaveLength(1);
  });

  it('are blank in a form with numbers, too, also where all of it has its organism', async () => {
    const header = ['Nr.', 'Sample Name', 'Release Date', 'tissue', 'organism', 'checked'];
    const filled = ['1', 'a', D, 'liver', 'Mus', 'TRUE'];
    const blank = (organism: string) => [2, 3, 4].map((row) => [String(row), '', '', '', organism, 'FALSE']);
    for (const organism of ['', 'Mus'])
      expect(await readPassedOver([header, filled, ...blank(organism)])).toMatchObject({
        names: ['a'],
        rejected: [],
        rows: 1,
      });
  });
});

describe('rows with a box are never passed over', () => {
  it.each([
    ['that is ticked', ['', '', '', 'TRUE'], H],
    ['and a value', ['', '', 'Mus musculus', 'FALSE'], H],
    ['and a date', ['', D, '', 'FALSE'], H],
    ['and a value behind the last header', ['', '', '', 'FALSE', 'x'], H],
  ])('%s', async (_, row, header) => {
    const found = await readPassedOver([header, ...FILLED, row]);
    expect(found).toMatchObject({ names: ['a', 'b'], rows: 3, passed: [] });
    expect(found.rejected).toContain('4 name.missing');
  });

  it('where the column holds something else than boxes', async () => {
    const found = await readPassedOver([H, ...FILLED, ['c', D, 'x', 'not known'], ['', '', '', 'FALSE']]);
    expect(found).toMatchObject({ passed: [] });
    expect(found.rejected).toContain('5 name.missing');
  });

  it('where a sample has nothing but its name beside them: one may have been forgotten', async () => {
    const rows = [
      ['Sample Name', 'infected'],
      ['a', 'TRUE'],
      ['b', 'FALSE'],
      ['', 'FALSE'],
    ];
    const found = await readPassedOver(rows, { header: { releaseDate: 0 } });
    expect(found).toMatchObject({ names: ['a', 'b'], rejected: ['4 name.missing'], passed: [] });
  });

  it('where the boxes identify the rows or name the samples', async () => {
    const keyed = await readPassedOver([H, ...FILLED, ['', '', '', 'FALSE']], { header: { key: 'checked' } });
    expect(keyed).toMatchObject({ passed: [] });
    const named = await readPassedOver(
      [
        ['checked', 'tissue'],
        ['FALSE', 'liver'],
        ['TRUE', ''],
      ],
      {
        header: { nameColumn: 'checked', releaseDate: 0 },
      },
    );
    expect(named).toMatchObject({ names: ['FALSE', 'TRUE'], passed: [] });
  });
});
