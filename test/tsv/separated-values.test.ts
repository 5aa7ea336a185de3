/** Sheets separated by commas and semicolons: the same as with TABs, and as papaparse reads them. */
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { SeparatedValues } from '../../src/tsv/bytes/separated-values.js';
import { readRows } from '../../src/tsv/print/rows.js';
import { runs } from '../support/seeds.js';
import { codes, planOf, readSheet, refusal, rowsOf } from './read-sheet.js';
import { anyTable, spell } from './sheets.js';

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[x]', 'Characteristics[y]', 'Sample Identifier'];

/** Rows of a sheet with good and bad dates, identifiers and names, some too short and some too long. */
const anySheet = fc
  .tuple(
    anyTable,
    fc.infiniteStream(fc.constantFrom('2024-05-01', 'soon', '')),
    fc.infiniteStream(fc.constantFrom('', '', 'SAMR7', 'nonsense')),
  )
  .map(([table, dates, identifiers]) => [
    HEADER,
    ['first', '2024-05-01'],
    ...table.map(([name = '', ...rest], row) => {
      const date = dates.next().value as string;
      if (rest.length < 3) return [name, date, ...rest];
      return [`${name}${row}`, date, ...rest.slice(0, 2), identifiers.next().value as string, ...rest.slice(2, 3)];
    }),
  ]);

const anyDelimiter = fc.constantFrom(',', ';');
const anyPieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const anyLayout = fc.record({
  ends: fc.constantFrom(['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r']),
  finalEnd: fc.boolean(),
});

describe('a sheet separated by commas or semicolons', () => {
  it('is read like the same sheet separated by TABs: rows, lines, samples, issues', async () => {
    await fc.assert(
      fc.asyncProperty(anySheet, anyDelimiter, anyLayout, anyPieces, async (sheet, delimiter, layout, pieces) => {
        // Quoted throughout, so that both spell the same cells whatever separates them.
        const spelled = (by: string) => spell(sheet, { ...layout, quoting: [true], delimiter: by });
        const tabs = spelled('\t');
        const other = spelled(delimiter);
        expect(planOf(other).delimiter).toBe(delimiter);
        expect(await rowsOf(other, undefined, pieces)).toEqual(await rowsOf(tabs));
        const mine = await readSheet(other, { pieces });
        const theirs = await readSheet(tabs);
        expect(mine.samples).toEqual(theirs.samples);
        expect(codes(mine.rejected)).toEqual(codes(theirs.rejected));
        expect(mine.rejected.map(({ name }) => name)).toEqual(theirs.rejected.map(({ name }) => name));
        expect(mine.batches.at(-1)?.toLine).toBe(theirs.batches.at(-1)?.toLine);
      }),
      { numRuns: runs(300) },
    );
  });

  it('has the cells that papaparse finds', async () => {
    const quoting = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(
        anyTable,
        anyDelimiter,
        quoting,
        fc.constantFrom('\n', '\r\n', '\r'),
        anyPieces,
        async (table, delimiter, quoted, newline, pieces) => {
          const sheet = [HEADER, ...table.map((cells) => ['name', ...cells])];
          const text = spell(sheet, { ends: [newline], finalEnd: true, quoting: quoted, delimiter });
          const { data } = Papa.parse<string[]>(text, { delimiter: delimiter, newline });
          const rows = await rowsOf(text, undefined, pieces);
          expect(rows.map(({ cells }) => cells)).toEqual(data.slice(1, -1));
        },
      ),
      { numRuns: runs(500) },
    );
  });

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

  it('is refused where a quote opens that is never closed, by line and by column', async () => {
    const text = `${HEADER.join(',')}\na,2024-05-01,fine\n\n"b\nc",2024-05-01,x,"never, ever\nd,2024-05-01,lost\n`;
    const { code, line, column, message } = await refusal(text, { pieces: [7] });
    expect({ code, line, column }).toEqual({ code: 'file.quote-unclosed', line: 5, column: 'D' });
    expect(message).toContain('"never, ever');
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

  it('names the line of bytes that are no text, behind a row that waits for its quote', async () => {
    const row = `"a\n${'b'.repeat(600_000)}\n`;
    const text = Buffer.concat([Buffer.from(`${HEADER.join(',')}\n${row}`), Buffer.from([0x41, 0xff, 0x0a])]);
    expect(await refusal(text, { pieces: [600_100] })).toMatchObject({ code: 'file.encoding', line: 4 });
  });

  it('need not close a quote that is none by its own delimiter', async () => {
    const { samples } = await readSheet(`${HEADER.join(';')}\na;2024-05-01;b,"c\n`);
    expect(samples.map(({ content }) => content.characteristics.x?.[0]?.text)).toEqual(['b,"c']);
  });
});

describe('rows given with TABs', () => {
  it('come when they are complete; the rest waits with its line breaks', () => {
    const values = new SeparatedValues(',');
    expect(values.toTabs('a,b\n\nc,"d\n', false)).toBe('a\tb\n');
    expect(values.waiting).toBe('\nc\t"d\n');
    expect(values.toTabs('e\n', false)).toBe('');
    expect(values.toTabs('f",g\th\n', true)).toBe('\nc\t"d\ne\nf"\t"g\th"\n');
    expect(values.waiting).toBe('');
  });
});
