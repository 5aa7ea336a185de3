/** Tables as R and pandas write them: a name or number of each row in front, which the header does not name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../src/registry/errors.js';
import { resultHeader, resultRow } from '../../../src/tsv/print/write.js';
import { findTable } from '../../../src/tsv/propose/sheet-head.js';
import { runs } from '../../support/seeds.js';
import { codes, planOf, readSheet, refusal, rowsOf, table } from '../read-sheet.js';

const header = { releaseDate: Date.UTC(2025, 0, 1), unknownColumns: 'characteristics' } as const;
const FIRST = 'A (no header)';
const proposed = (text: string): unknown => {
  try {
    return planOf(text, header);
  } catch (error) {
    return (error as RegistryError).detail.extra?.nameColumns;
  }
};
const quoted = (...rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => (typeof cell === 'string' ? `"${cell}"` : cell)).join('\t')}\n`).join('');

describe('a header that is one cell shorter than each row', () => {
  it('begins with the second column, where the rows are numbered: the numbers are not stored', async () => {
    const text = quoted(['sample_name', 'organism', 'age'], ['1', 'a', 'Mus', 34], ['2', 'b', 'Rattus', 35]);
    const { plan, samples, rejected } = await readSheet(text, { header });
    expect(rejected).toEqual([]);
    expect(samples.map(({ name, content }) => [name, { ...content.characteristics }])).toEqual([
      ['a', { organism: [{ text: 'Mus' }], age: [{ text: '34' }] }],
      ['b', { organism: [{ text: 'Rattus' }], age: [{ text: '35' }] }],
    ]);
    expect(plan.notStored).toEqual([FIRST]);
    expect(plan.header).toEqual(['', 'sample_name', 'organism', 'age']);
  });

  it.each(['\t', ',', ';'])('whatever parts its cells (%j), below titles, and counted from any number', async (by) => {
    const lines = [['Export of Monday'], [], ['Sample Name', 'age'], ['0', 'a', '34'], ['1', 'b', '']];
    const text = `${lines.map((cells) => cells.join(by)).join('\r\n')}\r\n`;
    const { samples, rejected } = await readSheet(text, { header });
    expect(rejected).toEqual([]);
    expect(samples.map(({ name, line }) => [line, name])).toEqual([
      [4, 'a'],
      [5, 'b'],
    ]);
  });

  it('has its issues placed where the cells stand', async () => {
    const text = table(['Sample Name', 'Release Date'], ['1', 'a', 'never'], ['2', '', '2024-01-01']);
    const { rejected } = await readSheet(text);
    expect(
      rejected.map(({ line, issues }) => issues.map(({ columnLetter, code }) => [line, columnLetter, code])),
    ).toEqual([[[2, 'C', 'release.invalid']], [[3, 'B', 'name.missing']]]);
  });

  it.each([
    ['one row alone has a cell too many', ['1', 'a', '2024-01-01'], ['b', '2024-01-01']],
    ['the last is not numbered', ['1', 'a', '2024-01-01'], ['b', '2024-01-01', 'x']],
    ['there is one row', ['1', '2024-01-01', 'x']],
    ['two cells are too many', ['1', 'a', '2024-01-01', ''], ['2', 'b', '2024-01-01', '']],
    [
      'the first cells are names: the column without a header may be the last',
      ['a', '2024-01-01', 'x'],
      ['b', '2024-01-01', 'y'],
    ],
  ])('stands above the first columns, where %s', async (_, ...rows: string[][]) => {
    const { plan } = await readSheet(table(['Sample Name', 'Release Date'], ...rows));
    expect(plan.header).toEqual(['Sample Name', 'Release Date']);
  });

  it('may have a cell that is empty or a quote that is never closed below it', async () => {
    expect(planOf(table(['Sample Name', 'age', ''], ['1', 'a', '3', ''], ['2', 'b', '4', '']), header).header).toEqual([
      '',
      'Sample Name',
      'age',
      '',
    ]);
    const open = 'Sample Name\tage\n1\ta\t3\n2\tb\t"4\n3\tc\t5\n';
    expect((await refusal(open, { header })).code).toBe('file.quote-unclosed');
  });

  it.each([',', ';', '|'])('is none of a sheet parted by %s, though a cell of each row has a TAB', async (by) => {
    const part = (...cells: string[]): string => `${cells.join(by)}\n`;
    const rows = ['a', 'b'].map((name) => part(name, '2024-01-01', `thick\tand red`, 'x'));
    const { plan, samples } = await readSheet(part('Sample Name', 'Release Date', 'look', 'note') + rows.join(''));
    expect(plan).toMatchObject({ delimiter: by, header: ['Sample Name', 'Release Date', 'look', 'note'] });
    expect(samples.map(({ name }) => name)).toEqual(['a', 'b']);
    const unnamed = part('organ', 'note') + ['a', 'b'].map((organ) => part(organ, 'x\ty')).join('');
    expect((await refusal(unnamed)).message).toMatch(/ Found: organ, note\.$/);
  });

  it('has the columns below a title that could name its samples proposed by their own values', () => {
    const text = table(['Export of Monday'], ['organ', 'barcode'], ['1', 'liver', 'b1'], ['2', 'liver', 'b2']);
    expect(proposed(text)).toEqual(['barcode']);
  });

  it('is shown with its columns to whoever says what they are', () => {
    const named = table(['Sample Name', 'age'], ['1', 'a', '3'], ['2', 'b', '4']);
    expect(findTable(named, true, {})).toMatchObject({ header: ['', 'Sample Name', 'age'], known: true });
    const unnamed = table(['organ', 'age'], ['x1', 'liver', '3'], ['x2', 'lung', '4']);
    expect(findTable(unnamed, true, {})).toMatchObject({ header: ['', 'organ', 'age'], known: false });
  });
});

describe('row names', () => {
  const short = quoted(['organism', 'age'], ['r1', 'Mus', 34], ['r2', 'Mus', 35]);
  const empty = ',organism,age\nr1,Mus,34\nr2,Mus,35\n';

  it.each([
    ['a header that is too short', short],
    ['an empty cell in the header', empty],
  ])('below %s are proposed as names of the samples, and are them when that is said', async (_, text) => {
    expect(proposed(text)).toEqual([FIRST]);
    const nameColumn = ' a (No header)';
    const { plan, samples } = await readSheet(text, { header: { ...header, nameColumn } });
    expect(plan).toMatchObject({ namedBy: FIRST, notStored: [], header: ['', 'organism', 'age'] });
    expect(plan.meanings).toEqual([`${FIRST}: Sample Name`]);
    expect(samples.map(({ name, content }) => [name, { ...content.characteristics }])).toEqual([
      ['r1', { organism: [{ text: 'Mus' }], age: [{ text: '34' }] }],
      ['r2', { organism: [{ text: 'Mus' }], age: [{ text: '35' }] }],
    ]);
  });

  it('that only count the rows, stand twice or elsewhere are not', () => {
    expect(proposed(',organism,age\n1,Mus,34\n2,Mus,35\n')).toBeUndefined();
    expect(proposed(',organism,age\nr1,Mus,34\nr1,Mus,35\n')).toBeUndefined();
    expect(proposed('organism,age,\nMus,34,r1\nMus,35,r2\n')).toBeUndefined();
    // The genes of a matrix are no samples: nobody takes them for that unasked.
    expect(proposed(',S1,S2\nBRCA1,5.1,3\nTP53,6.2,1\n')).toEqual([FIRST]);
  });

  it('come behind columns whose headers speak of names', () => {
    expect(proposed(quoted(['organism', 'barcode'], ['r1', 'Mus', 'B1'], ['r2', 'Mus', 'B2']))).toEqual([
      'barcode',
      FIRST,
    ]);
  });

  it('go back and come again: the result is read alike without the option', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom('organ', 'age', 'x,y', 'Kürzel'), { minLength: 1 }),
        fc.boolean(),
        async (columns, isShort) => {
          const rows = [1, 2, 3].map((row) => [`r${row}`, ...columns.map((each) => `${each} ${row}`)]);
          const text = table(isShort ? columns : ['', ...columns], ...rows);
          const first = await readSheet(text, { header: { ...header, nameColumn: FIRST } });
          let result = resultHeader(first.plan, true);
          for (const row of await rowsOf(text, first.plan))
            result += resultRow(first.plan, row, { accession: `SAMR${row.line}`, release: '2025-01-01T00:00:00Z' });
          const again = await readSheet(result, { header: { unknownColumns: 'characteristics' } });
          expect(codes(again.rejected)).toEqual([]);
          expect(again.samples.map(({ id, name, content }) => ({ id, name, content }))).toEqual(
            first.samples.map(({ line, name, content }) => ({ id: line, name, content })),
          );
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
