/** A quote that stands alone in its cell, as a ditto mark does, opens a cell in quotes that the next one closes. */
import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet } from '../read-sheet.js';
import { errorsOf, numbered, resultOf } from '../result-of.js';

describe('ditto marks, of which every second one would close the cell that the one above it opens', () => {
  const read = async (rows: string[][], delimiter: string) => {
    const header = { releaseDate: 0, unknownColumns: 'characteristics' } as const;
    const text = rows.map((cells) => `${cells.join(delimiter)}\n`).join('');
    const { samples, rejected } = await readSheet(text, { header });
    const said = { samples: samples.map(({ name }) => name), rejected: codes(rejected) };
    // The row is refused in the result, too, which has columns more and tabs.
    for (const release of [undefined, '2024-05-01']) {
      const again = await readSheet(await resultOf(text, { ...numbered, header }, release), { header });
      expect(codes(again.rejected).map((code) => code.split(' ')[1])).toEqual(
        said.rejected.map((code) => code.split(' ')[1]),
      );
    }
    return said;
  };

  it.each([
    ['\t', [2, 3, 5]],
    [',', [3]],
    [';', [3]],
  ] as const)(
    'are an error of their row, wherever they stand and however many lines lie between, cells parted by %j',
    async (delimiter, widths) => {
      for (const width of widths)
        for (const column of Array.from({ length: width - 1 }, (_, at) => at + 1))
          for (const between of [0, 1, 3]) {
            const cells = (name: string, mark?: string) =>
              Array.from({ length: width }, (_, at) => (at === 0 ? name : at === column && mark ? mark : `v${at}`));
            const rows = [
              Array.from({ length: width }, (_, at) => (at === 0 ? 'Sample Name' : `c${at}`)),
              cells('S1'),
              cells('S2', '"'),
              ...Array.from({ length: between }, (_, at) => cells(`B${at}`)),
              cells('S3', '"'),
              cells('S4'),
            ];
            expect(await read(rows, delimiter), `${width} columns, mark in ${column}, ${between} between`).toEqual({
              samples: ['S1', 'S4'],
              rejected: ['3 cell.quote-swallows-rows'],
            });
          }
    },
  );

  it.each([
    ['\t', 3],
    [',', 7],
  ] as const)(
    'never put a value into a column that it is not of, however many marks two rows have, cells parted by %j',
    async (delimiter, step) => {
      const settings = { ...numbered, header: { releaseDate: 0, unknownColumns: 'characteristics' } } as const;
      const header = ['Sample Name', 'c1', 'c2', 'c3', 'c4'];
      const cells = (name: string, marks = 0) =>
        header.map((_, at) => (at === 0 ? name : marks & (1 << (at - 1)) ? '"' : `${name}-${at}`));
      for (let marks = 1; marks < 256; marks += step) {
        const rows = [cells('S1'), cells('S2', marks & 15), cells('S3', marks >> 4), cells('S4')];
        const text = [header, ...rows].map((row) => `${row.join(delimiter)}\n`).join('');
        // A quote that nothing closes refuses the whole file.
        const results = [undefined, '2024-05-01'].map((release) => resultOf(text, settings, release));
        const sheets = await Promise.all([text, ...results]).catch(() => []);
        for (const sheet of sheets) {
          const { samples, rejected } = await readSheet(sheet, settings);
          const said = samples.map(({ name, content: { characteristics } }) => [
            name,
            ...Object.values(characteristics).map(([entry]) => entry?.text),
          ]);
          expect(said, sheet).toEqual(rows.filter(([name]) => said.some(([each]) => each === name)));
          expect(said.length === rows.length || rejected.length > 0, sheet).toBe(true);
        }
        if (sheets.length === 0) continue;
        const again = await readSheet(await errorsOf(text, settings), settings);
        expect(again.samples, text).toEqual([]);
      }
    },
  );

  it.each([
    ['two marks', ['S2', '"', '"', 'x', 'y'], 'B'],
    ['a value between two marks', ['S2', '"', 'x', '"', 'y'], 'B'],
    ['two marks at the end', ['S2', 'x', 'y', '"', '"'], 'D'],
    ['marks in all columns', ['S2', '"', '"', '"', '"'], 'B'],
  ])('%s in one row are an error that names the column, in a sheet read by a profile, too', async (_, row, column) => {
    for (const name of ['Sample Name', 'Sample ID', 'samp_name']) {
      const text = [[name, 'c1', 'c2', 'c3', 'c4'], ['S1', 'a', 'b', 'c', 'd'], row].map(
        (cells) => `${cells.join('\t')}\n`,
      );
      const { samples, rejected } = await readSheet(text.join(''), { header: { releaseDate: 0 } });
      expect(
        samples.map((sample) => sample.name),
        name,
      ).toEqual(['S1']);
      expect(codes(rejected)[0], name).toBe('3 cell.quote-swallows-rows');
      expect(issuesOf(rejected)[0], name).toMatchObject({ columnLetter: column });
    }
  });

  it.each([
    ['\t', ['S1', '"\tx\t"', 'y', 'z']],
    [',', ['S1', '","', 'y', '']],
    [',', ['S1', '",x,"', 'y', 'z']],
  ])('a cell in quotes with %j around what it says is one where its row has all cells', async (delimiter, row) => {
    const text = `${['Sample Name', 'note', 'x', 'y'].join(delimiter)}\n${row.join(delimiter)}\n`;
    const { samples, rejected } = await readSheet(text, { header: { releaseDate: 0 } });
    expect({ names: samples.map(({ name }) => name), rejected }).toEqual({ names: ['S1'], rejected: [] });
  });

  it.each([
    ['begins with a line break', ['S1', '"\nfrozen"', 'x']],
    ['begins with a tab', ['S1', '"\tfrozen\ntwice"', 'x']],
    ['holds a small table', ['S1', '"a\tb\nc\td\ne"', 'x']],
    ['ends with a line break', ['S1', '"frozen\n"', 'x']],
  ])('a cell in quotes that %s is one', async (_, row) => {
    expect(
      await read(
        [
          ['Sample Name', 'note', 'x', 'y'],
          [...row, 'z'],
        ],
        '\t',
      ),
    ).toEqual({ samples: ['S1'], rejected: [] });
  });

  it.each([
    ['\t', '"\nfoo,bar"'],
    [',', '"\nfoo, bar"'],
  ])('a cell that begins with a line break and holds a comma is one, between %j', async (delimiter, cell) => {
    expect(
      await read(
        [
          ['Sample Name', 'note'],
          ['S1', cell],
        ],
        delimiter,
      ),
    ).toEqual({ samples: ['S1'], rejected: [] });
  });

  it('a cell with commas on two lines is one', async () => {
    expect(
      await read(
        [
          ['Sample Name', 'parts', 'x'],
          ['S1', '"liver,kidney\nbrain,lung"', 'x'],
        ],
        ',',
      ),
    ).toEqual({
      samples: ['S1'],
      rejected: [],
    });
  });
});
