/** Sheets separated by commas and semicolons: the same as with TABs, and as papaparse reads them. */
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/seeds.js';
import { codes, planOf, readSheet, rowsOf } from '../read-sheet.js';
import { anyTable, spell } from '../sheets.js';

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

/** True of text that could hold rows, or with its neighbours the end of one and the begin of the next, which the rule about quotes reports (cell.quote-swallows-rows). */
const mayHoldRows = (text: string, delimiter: string): boolean => /[\r\n]/.test(text) && text.includes(delimiter);
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
        // What looks like a row within a cell does so by one of the separators alone.
        fc.pre(!sheet.some((cells) => cells.some((text) => mayHoldRows(text, '\t') || mayHoldRows(text, delimiter))));
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
          // There quotes with blanks around them are what the cell says.
          fc.pre(!/(?:^|[,;\r\n]) +"|" +(?:[,;\r\n]|$)/.test(text));
          const { data } = Papa.parse<string[]>(text, { delimiter: delimiter, newline });
          const rows = await rowsOf(text, undefined, pieces);
          expect(rows.map(({ cells }) => cells)).toEqual(data.slice(1, -1));
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
