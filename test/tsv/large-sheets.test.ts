/** Sheets of the size that some people have: as right as small ones, and nobody waits. */
import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/tsv/print/rows.js';
import { NameTable } from '../../src/tsv/rows/name-table.js';
import { codes, planOf, readSheet, refusal, rowsOf, table } from './read-sheet.js';

const D = '2024-05-01';

describe('relationships', () => {
  const RELATED = ['Sample Name', 'Release Date', 'Comment[bsd_relationship:derived from]'];

  it('a chain of a hundred thousand rows falls as a whole, backwards', async () => {
    const rows = Array.from({ length: 100_000 }, (_, row) => [
      `s${row}`,
      D,
      row === 99_999 ? 'nowhere' : `s${row + 1}`,
    ]);
    const { survey } = await readSheet(table(RELATED, ...rows), { read: { idOfRow: (ordinal) => 100 + ordinal } });
    expect(survey.rejected).toBe(100_000);
  });
});

describe('a name', () => {
  it('is distinguished among a million', () => {
    const names = new NameTable();
    const line = (name: number) => name + 2;
    let met = 0;
    for (let name = 0; name < 1_000_000; name++) {
      const text = `sample_${name}`;
      if (names.hash(text, 0, text.length).add(line(name), false) !== 0) met++;
    }
    expect(met).toBe(0);
    for (let name = 0; name < 1_000_000; name += 9973) {
      const text = `xsample_${name}`;
      expect(names.hash(text, 1, text.length).find()).toBe(line(name));
      expect(names.hash(text, 0, text.length).find()).toBe(0);
    }
  });
});

describe('a cell', () => {
  it('of 10 MB rejects its row and no other', async () => {
    const { samples, rejected } = await readSheet(
      table(['Sample Name', 'Release Date', 'Characteristics[x]'], ['a', D], ['b', D, 'é'.repeat(5_000_000)], ['c', D]),
    );
    expect(samples.map(({ line, name }) => [line, name])).toEqual([
      [2, 'a'],
      [4, 'c'],
    ]);
    expect(codes(rejected)).toEqual(['3 cell.too-long']);
  });

  it.each([
    ['dashes', `${'-'.repeat(1_000_000)}x|v`],
    ['blanks behind the number of rows, alone in its row,', `"(2 rows)${' '.repeat(1_000_000)}x"`],
  ])('of a million %s that is no line is a name like any other, and holds up nobody', async (_, row) => {
    const { samples, rejected } = await readSheet(`Sample Name|x\n${row}\n`, {
      header: { releaseDate: 0, unknownColumns: 'characteristics' },
    });
    expect(samples.length + rejected.length).toBe(1);
  });
});

describe('headers', () => {
  const LONG = 900_000;
  it.each([
    ['blanks', `a${' '.repeat(LONG)}b`],
    ['blanks behind a colon', `characteristics: a${' '.repeat(LONG)}b`],
    ['blanks in brackets', `a [${' '.repeat(LONG)}b`],
    ['the word that stands before a unit', `${'a in '.repeat(LONG / 5)}/ [`],
    ['brackets', `${'a [b '.repeat(LONG / 5)}`],
    ['line breaks', `"a${' \n'.repeat(LONG / 2)}b"`],
  ])('of a megabyte of %s hold up nobody', async (_, long) => {
    const sheet = table(['Sample Name', 'Release Date', long], ['a', D, 'v']);
    const { samples } = await readSheet(sheet, { header: { unknownColumns: 'characteristics' } });
    expect(samples.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a sheet separated by commas or semicolons', () => {
  const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]', 'Sample Identifier'];

  it('keeps its line numbers below blank lines and cells of many lines, block after block', async () => {
    const rows = Array.from(
      { length: 12_000 },
      (_, row) => `s${row},2024-05-01,"one\r\ntwo, ${row}",${'y'.repeat(60)}\n\n\r\n`,
    );
    const { samples } = await readSheet(`${HEADER.join(',')}\n\n${rows.join('')}`, { pieces: [70_000] });
    expect(samples.map(({ line }) => line)).toEqual(rows.map((_, row) => 3 + 4 * row));
  });

  it('may have a cell larger than a block, and cells that only begin with a quote beside it', async () => {
    const long = Array.from({ length: 900 }, () => `${'x'.repeat(998)},`).join('\n');
    const rows = Array.from({ length: 3 }, (_, row) => `n${row};2024-05-01;"${long}";"half" ""${row}\n`);
    const read = await rowsOf(`${HEADER.join(';')}\n${rows.join('')}`, undefined, [50_000]);
    expect(read.map(({ line, cells }) => [line, cells[2] === long, cells[3]])).toEqual(
      rows.map((_, row) => [2 + 900 * row, true, `"half" ""${row}`]),
    );
  });

  it('is refused for an open quote with millions of doubled quotes behind it', async () => {
    const text = `${HEADER.join(',')}\na,2024-05-01,"${'""'.repeat(4_000_000)}\n`;
    expect(await refusal(text)).toMatchObject({ code: 'file.quote-unclosed', line: 2, column: 'C' });
  });

  it('is refused as soon as a row is longer than any may be, not at its end', async () => {
    const head = Buffer.from(`${HEADER.join(',')}\na,2024-05-01,"`);
    const megabyte = Buffer.from(`${'""'.repeat(499)}x\n`.repeat(1024));
    let drawn = 0;
    const endless = async function* () {
      yield head;
      for (; drawn < 200; drawn++) yield megabyte;
    };
    const all = async () => {
      for await (const _ of readRows(endless(), planOf(`${HEADER.join(',')}\na,2024-05-01\n`)));
    };
    await expect(all()).rejects.toMatchObject({ code: 'file.quote-unclosed', detail: { extra: { line: 2 } } });
    expect(drawn).toBeLessThan(40);
  });
});
