/**
 * Sheets of the size that some people have: as right as small ones, and nobody waits.
 *
 * @module-tag bounds
 */
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../src/tsv/bytes/row-reader.js';
import { readRows } from '../../src/tsv/print/rows.js';
import { DataRows } from '../../src/tsv/rows/data-rows.js';
import { NameTable } from '../../src/tsv/rows/name-table.js';
import { codes, planOf, readSheet, refusal, rowsOf, table } from './read-sheet.js';

const D = '2024-05-01';

describe('relationships', () => {
  const RELATED = ['Sample Name', 'Release Date', 'Comment[bsd_relationship:derived from]'];

  it('a chain of thousands of rows falls as a whole, backwards', async () => {
    const rows = Array.from({ length: 15_000 }, (_, row) => [`s${row}`, D, row === 14_999 ? 'nowhere' : `s${row + 1}`]);
    const { survey } = await readSheet(table(RELATED, ...rows), { read: { idOfRow: (ordinal) => 100 + ordinal } });
    expect(survey.rejected).toBe(15_000);
  });
});

describe('a name', () => {
  it('is distinguished among 400 000', () => {
    const names = new NameTable();
    const line = (name: number) => name + 2;
    let met = 0;
    for (let name = 0; name < 400_000; name++) {
      const text = `sample_${name}`;
      if (names.add(text, 0, text.length, line(name), false) !== 0) met++;
    }
    expect(met).toBe(0);
    for (let name = 0; name < 400_000; name += 9973) {
      const text = `xsample_${name}`;
      expect(names.hash(text, 1, text.length).find()).toBe(line(name));
      expect(names.hash(text, 0, text.length).find()).toBe(0);
    }
  });
});

describe('a cell', () => {
  it('of 3 MB rejects its row and no other', async () => {
    const { samples, rejected } = await readSheet(
      table(['Sample Name', 'Release Date', 'Characteristics[x]'], ['a', D], ['b', D, 'é'.repeat(1_500_000)], ['c', D]),
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
  ])('of a megabyte of %s hold up nobody', { tags: 'slow' }, async (_, long) => {
    const sheet = table(['Sample Name', 'Release Date', long], ['a', D, 'v']);
    const { samples } = await readSheet(sheet, { header: { unknownColumns: 'characteristics' } });
    expect(samples.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a sheet as wide as one may be', () => {
  it('is read by a profile of which one column is there thousands of times', () => {
    const taxa = Array.from({ length: 16_000 }, () => `taxon${'_'.repeat(40)}id`);
    const { layout } = planOf(table(['alias', 'title', ...taxa], ['a', 't']), {
      releaseDate: 0,
      unknownColumns: 'characteristics',
    });
    expect(layout.characteristics.map(({ name, terms }) => [name, terms?.length])).toEqual([
      ['title', undefined],
      ['organism', 16_000],
    ]);
  });

  it('may take away every value and every unit of its rows', async () => {
    const values = Array.from({ length: 2_000 }, (_, at) => [`Characteristics[x${at}]`, 'Unit']).flat();
    const marked = values.map((_, at) => (at % 2 === 1 || at < 2_000 ? '[clear]' : ''));
    const rows = Array.from({ length: 10 }, (_, row) => [`s${row}`, `SAMR${row + 1}`, ...marked]);
    const { batches } = await readSheet(table(['Sample Name', 'Sample Identifier', ...values], ...rows), {
      header: { clearMarker: '[clear]' },
      read: { merges: true },
    });
    const cleared = batches.flatMap((batch) => [...(batch.cleared?.values() ?? [])]);
    expect(cleared.map(({ characteristics }) => characteristics.length)).toEqual(rows.map(() => 1_000));
    const warned = batches.flatMap(({ warnings = [] }) => warnings.map(({ issues }) => issues.length));
    expect(warned).toEqual(rows.map(() => 1_000));
  });
});

describe('a marker for values that go', () => {
  const ROWS = 200_000;
  const WIDE = 'z'.repeat(500);
  const ANEW = '"".""';

  it.each([
    ['that begins as cells of every row do', () => 'd'],
    ['below rows of which every other one is spelled anew', (row: number) => (row % 2 === 0 ? `"${ANEW}"` : '')],
  ])('%s is looked for once in a block', { tags: 'slow' }, (_, first) => {
    const plan = planOf('Sample Name\tx\ty\na\n', { releaseDate: 0, clearMarker: 'delete' });
    const reader = new RowReader(plan.delimiter);
    const rows = DataRows.ofSamples(reader, { ...plan, headerEnd: 0 });
    const lines = Array.from(
      { length: ROWS },
      (_, row) => `${row}\t${first(row)}\t${row < ROWS - 1 ? WIDE : 'Delete'}\n`,
    );
    reader.load(lines.join(''), true);
    const cleared: [line: number, columns: readonly number[]][] = [];
    while (rows.next()) if (rows.clearedColumns.length > 0) cleared.push([rows.row.line, rows.clearedColumns]);
    expect(cleared).toEqual([[ROWS, [2]]]);
  });
});

describe('a sheet separated by commas or semicolons', () => {
  const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]', 'Sample Identifier'];

  it('keeps its line numbers below blank lines and cells of many lines, block after block', async () => {
    const rows = Array.from(
      { length: 4_000 },
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

  it('is refused for an open quote with a million doubled quotes behind it', async () => {
    const text = `${HEADER.join(',')}\na,2024-05-01,"${'""'.repeat(1_000_000)}\n`;
    expect(await refusal(text)).toMatchObject({ code: 'file.quote-unclosed', line: 2, column: 'C' });
  });

  it('is refused as soon as a row is longer than any may be, not at its end', { tags: 'slow' }, async () => {
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
