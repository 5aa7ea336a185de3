import { describe, expect, it } from 'vitest';
import { codes, issuesOf, readSheet, refusal, rowsOf } from '../read-sheet.js';

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
