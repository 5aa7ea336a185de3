import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, refusal, rowsOf } from '../read-sheet.js';
import { errorsOf, numbered, resultOf } from '../result-of.js';

const HEADER = 'Sample Name\tRelease Date\tCharacteristics[x]\tCharacteristics[y]\n';

/** The third cell of a row spelled so, and the fourth. */
async function cellsOf(spelled: string): Promise<string[] | undefined> {
  const [row] = await rowsOf(`${HEADER}a\t2024-05-01\t${spelled}\n`);
  return row?.cells.slice(2);
}

describe('a cell that is wholly quoted', () => {
  it.each([
    ['"plain"', ['plain']],
    ['"a\tb"\tc', ['a\tb', 'c']],
    ['"a\nb"\t"c\r\nd"', ['a\nb', 'c\r\nd']],
    ['"she said ""stable"""\tc', ['she said "stable"', 'c']],
    ['""\t""', ['', '']],
    ['""""\t""""""', ['"', '""']],
    ['" padded "', [' padded ']],
  ])('%j is unquoted', async (spelled, cells) => {
    expect(await cellsOf(spelled)).toEqual(cells);
  });
});

describe('any other quote is a character', () => {
  it.each([
    ['5" pipe', ['5" pipe']],
    ['5" pipe\t6"', ['5" pipe', '6"']],
    ['"half" quoted\tc', ['"half" quoted', 'c']],
    ['"a""b"c\td', ['"a""b"c', 'd']],
    ['"a\tb"c', ['"a', 'b"c']],
    [' "led by a blank"', [' "led by a blank"']],
    ['"followed by a blank" \tc', ['"followed by a blank" ', 'c']],
    ['""x\t"y"', ['""x', 'y']],
    ['"half" quoted\t"wholly ""quoted"""', ['"half" quoted', 'wholly "quoted"']],
  ])('%j', async (spelled, cells) => {
    expect(await cellsOf(spelled)).toEqual(cells);
  });

  it('a row with a stray quote does not swallow the quoted row below', async () => {
    const rows = await rowsOf(`${HEADER}a\t2024-05-01\t"open\tx\nb\t2024-05-01\t"quoted"\ty\n`);
    expect(rows.map(({ cells }) => cells[2])).toEqual(['"open', 'quoted']);
  });
});

describe('a quote that is never closed', () => {
  it('refuses the file at the line and column where it opens', async () => {
    const text = `${HEADER}a\t2024-05-01\tfine\n"b\nc"\t2024-05-01\tx\t"never\nd\t2024-05-01\tlost\n`;
    const { code, line, column, message } = await refusal(text);
    expect({ code, line, column }).toEqual({ code: 'file.quote-unclosed', line: 4, column: 'D' });
    expect(message).toContain('"never');
  });

  it('in a file of many blocks', async () => {
    const rows = Array.from(
      { length: 40_000 },
      (_, row) => `name ${row}\t2024-05-01\t"v"\t${row === 9 ? '"open' : 'y'}\n`,
    );
    const text = HEADER + rows.slice(0, 10).join('') + rows.slice(10).join('').replaceAll('"', '');
    expect(await refusal(text)).toMatchObject({ code: 'file.quote-unclosed', line: 11, column: 'D' });
  });

  it('in the header, too', async () => {
    expect(await refusal('Sample Name\t"Release Date\na\t2024-05-01\n')).toMatchObject({
      code: 'file.quote-unclosed',
      line: 1,
      column: 'B',
    });
  });

  it('when it closes only where another row was meant, the row says so and the others are read', async () => {
    const text = `${HEADER}a\t2024-05-01\t"open\tx\nb\t2024-05-01\ty\tz\nc\t2024-05-01\t5"\tz\nd\t2024-05-01\tx\ty\n`;
    const { samples, rejected } = await readSheet(text);
    expect(samples.map(({ name }) => name)).toEqual(['d']);
    expect(codes(rejected)).toEqual(['2 cell.quote-swallows-rows']);
    expect(issuesOf(rejected)[0]?.message).toContain('line 4');
  });
});

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

  it.each(['\t', ',', ';'])(
    'are an error of their row, wherever they stand and however many lines lie between, cells parted by %j',
    async (delimiter) => {
      for (const width of [2, 3, 5])
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

  it.each(['\t', ','])(
    'never put a value into a column that it is not of, however many marks two rows have, cells parted by %j',
    async (delimiter) => {
      const settings = { ...numbered, header: { releaseDate: 0, unknownColumns: 'characteristics' } } as const;
      const header = ['Sample Name', 'c1', 'c2', 'c3', 'c4'];
      const cells = (name: string, marks = 0) =>
        header.map((_, at) => (at === 0 ? name : marks & (1 << (at - 1)) ? '"' : `${name}-${at}`));
      for (let marks = 1; marks < 256; marks++) {
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

describe('prose in a quoted cell of a sheet that is separated by commas', () => {
  const PROSE = '"Taken at dawn.\nSoil, moss, and litter.\nFrozen."';

  it('is no row, though it has as many commas', async () => {
    const { samples, rejected } = await readSheet(
      `Sample Name,Release Date,Characteristics[x]\na,2024-05-01,${PROSE}\n`,
    );
    expect(rejected).toEqual([]);
    expect(samples[0]?.content.characteristics.x?.[0]?.text).toBe('Taken at dawn.\nSoil, moss, and litter.\nFrozen.');
  });

  it.each([
    ['a row is', 'Sample Name,Release Date,Characteristics[x]', 'b,2024-05-01,y'],
    [
      'a row with blanks is where the sheet has them',
      'Sample Name, Release Date, Characteristics[x]',
      'b, 2024-05-01, y',
    ],
  ])('%s', async (_, header, row) => {
    const { samples, rejected } = await readSheet(`${header}\na,2024-05-01,"open\n${row}\nc,2024-05-01,5"\n`);
    expect(samples).toEqual([]);
    expect(codes(rejected)).toEqual(['2 cell.quote-swallows-rows']);
  });
});

describe('quoted cells across blocks', () => {
  it('a cell larger than a block is read whole', async () => {
    const long = Array.from({ length: 90 }, () => 'x'.repeat(999)).join('\n');
    const rows = Array.from({ length: 20 }, (_, row) => `n${row}\t2024-05-01\t"${long}"\ty\n`);
    const { samples } = await readSheet(HEADER + rows.join(''), { pieces: [50_000] });
    expect(samples).toHaveLength(20);
    expect(samples.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, row) => 2 + row * 90));
    expect(samples.every(({ content }) => content.characteristics.x?.[0]?.text === long)).toBe(true);
  });
});
