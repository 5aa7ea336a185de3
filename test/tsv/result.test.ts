/** What is sent back: read again it means the same, cell for cell, and with its accessions changes nothing. */
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { readRows, type SheetRow } from '../../src/tsv/print/rows.js';
import { errorsHeader, errorsRow, resultHeader, resultRow } from '../../src/tsv/print/write.js';
import { codes, planOf, readSheet, rowsOf, table } from './read-sheet.js';
import { numbered, RECEIPT, receiptOf, resultOf } from './result-of.js';

const D = '2024-05-01';

describe('the result', () => {
  it('has the original columns, texts and cells, with the accessions last', async () => {
    const text =
      'Source Name\tSAMPLE name\tRelease Date\tComment[n] \n s \ta\t2024-05-01\t"two\tcells"\nx\t\t2024-05-01\n';
    expect((await resultOf(text, numbered)).replace(RECEIPT, '')).toBe(
      'Source Name\tSAMPLE name\tRelease Date\tComment[n] \tSample Identifier\n s \ta\t2024-05-01\t"two\tcells"\tSAMR100\nx\t\t2024-05-01\t\t\n',
    );
  });

  it('fills a Sample Identifier column where it stands, and leaves what the user wrote in rejected rows', async () => {
    const header = ['Sample Identifier', 'Sample Name', 'Release Date'];
    const text = table(header, ['', 'a', D], [' SAMR7 ', 'b', D], ['SAMEA9', 'c', D]);
    expect((await resultOf(text, numbered)).split('\n').slice(1, 4)).toEqual([
      `SAMR100\ta\t${D}`,
      ` SAMR7 \tb\t${D}`,
      `SAMEA9\tc\t${D}`,
    ]);
  });

  it('drops empty cells beyond the header and keeps filled ones behind the accession', async () => {
    const text = table(['Sample Name', 'Release Date'], ['a', D, '', ' '], ['b', D, '', 'extra']);
    expect((await resultOf(text, numbered)).split('\n').slice(1, 3)).toEqual([
      `a\t${D}\tSAMR100`,
      `b\t${D}\t\t\textra`,
    ]);
  });

  it('has the date that came with the upload where a row has none, in its own column or one before the accession', () => {
    const written = { accession: 'SAMR1', release: '2031-01-31' };
    const own = planOf(table(['Release Date', 'Sample Name'], [D, 'a']));
    const row = (plan: typeof own, ...cells: string[]) => resultRow(plan, { line: 2, cells }, written);
    expect(resultHeader(own, true)).toBe('Release Date\tSample Name\tSample Identifier\n');
    expect([row(own, '', 'a'), row(own, ' ', 'a'), row(own, D, 'a')]).toEqual([
      '2031-01-31\ta\tSAMR1\n',
      '2031-01-31\ta\tSAMR1\n',
      `${D}\ta\tSAMR1\n`,
    ]);
    const none = planOf(table(['Sample Name', 'Sample Identifier'], ['a', '']), { releaseDate: 0 });
    expect(resultHeader(none, true)).toBe('Sample Name\tSample Identifier\tRelease Date\n');
    expect(resultHeader(none, false)).toBe('Sample Name\tSample Identifier\n');
    expect(row(none, 'a', '')).toBe('a\tSAMR1\t2031-01-31\n');
    expect(resultRow(own, { line: 2, cells: ['', 'a'] }, { accession: 'SAMR1' })).toBe('\ta\tSAMR1\n');
  });

  it.each(['"', '"a" b', 'a\tb', 'a\nb', 'a\rb', '5" pipe', '=1+1', "'", '-5', '"wholly"'])(
    'the cell %j reads back the same, and is quoted only if it must be',
    async (cell) => {
      const header = ['Sample Name', 'Release Date', 'Characteristics[x]'];
      const plan = planOf(table(header, ['a', D]));
      const printed = resultRow(plan, { line: 2, cells: ['a', D, cell] }, { accession: 'SAMR1' });
      expect((await rowsOf(resultHeader(plan, false) + printed))[0]?.cells).toEqual(['a', D, cell, 'SAMR1']);
      expect(printed.includes(`\t${cell}\t`)).toBe(!/^"|[\t\r\n]/.test(cell));
    },
  );
});

describe('the receipt', () => {
  it('has each text on one line, line breaks and tabs as a blank', async () => {
    expect((await receiptOf([['Problem', 'a\r\n\tb\tc\nd']])).split('\n')[2]).toBe('Problem\ta b c d');
  });

  it('is a blank line and rows between two markers, each on a line of its own', async () => {
    expect(await receiptOf([['Created', '3'], []])).toBe(
      '\n********RECEIPT START********\nCreated\t3\n\n********RECEIPT END********\n',
    );
    expect(RECEIPT.split('\n')).toHaveLength(6);
  });

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '＝1'])(
    'the cell %j is nothing that a spreadsheet calculates',
    async (cell) => {
      const line = (await receiptOf([['Problem', cell]])).split('\n')[2] as string;
      expect(line.split('\t')[1]).toMatch(/^['"\s]/);
      expect(line.split('\t')[1]).not.toMatch(/^"?[=+\-@＝]/);
    },
  );
});

describe('the errors file', () => {
  const issue = (code: Issue['code'], more: Partial<Issue> = {}): Issue => ({
    line: 2,
    code,
    message: `about ${code}`,
    severity: 'error',
    ...more,
  });

  it('has all cells of the rejected rows with what is wrong beside them', () => {
    const plan = planOf(table(['Sample Name', 'Release Date'], ['a', D]));
    expect(errorsHeader(plan)).toBe(
      'Sample Name\tRelease Date\tError Line\tError Column\tError Code\tError Value\tError Message\tError Suggestion\n',
    );
    const issues = [
      issue('release.invalid', {
        column: 'Release Date',
        columnLetter: 'B',
        value: '=21/11',
        suggestion: '2024-11-21',
      }),
      issue('row.extra-cells'),
    ];
    expect(errorsRow(plan, { line: 2, cells: ['=a'] }, issues)).toBe(
      "=a\t\t2\tRelease Date (B) | \trelease.invalid | row.extra-cells\t'=21/11 | \tabout release.invalid | about row.extra-cells\t2024-11-21 | \n",
    );
  });

  it('has the cells beyond the header behind what is wrong, and a header that ends once', () => {
    const pointed = planOf('#nameColumn\ttube\ntube\torgan\na\tx\n', { releaseDate: 0 });
    expect(
      errorsHeader(pointed)
        .split('\n')
        .map((line) => line.split('\t').slice(0, 2).join(' ')),
    ).toEqual(['#nameColumn tube', 'tube organ', '']);
    const plan = planOf(table(['Sample Name', 'Release Date'], ['a', D]));
    expect(errorsRow(plan, { line: 3, cells: ['a', D, 'more', ''] }, [issue('row.extra-cells')])).toBe(
      `a\t${D}\t3\t\trow.extra-cells\t\tabout row.extra-cells\t\tmore\t\n`,
    );
    expect(errorsRow(plan, { line: 3, cells: ['a', D, ' '] }, [issue('name.missing', { column: 'Sample Name' })])).toBe(
      `a\t${D}\t3\tSample Name\tname.missing\t\tabout name.missing\t\n`,
    );
  });

  it('sent again as it is, is rejected for the same reasons; fixed, it is taken', async () => {
    const text = table(
      ['Sample Name', 'Release Date', 'Characteristics[x]'],
      ['a', '21/11/2024', '""""'],
      ['', D, 'v'],
      ['c', D, 'v', 'extra'],
    );
    const { plan, rejected } = await readSheet(text);
    const rows = await rowsOf(text, plan);
    const print = (at: number) => errorsRow(plan, rows[at]!, rejected[at]!.issues);
    const errors = errorsHeader(plan) + print(0) + print(1) + print(2);
    const again = await readSheet(errors);
    expect(again.samples).toEqual([]);
    expect(codes(again.rejected)).toEqual(codes(rejected));
    expect(again.plan.notStored).toEqual([]);
    const fixed = await readSheet(errors.replace('a\t21/11/2024', 'a\t2024-11-21'));
    expect(fixed.samples.map(({ name, packed }) => [name, packed])).toEqual([['a', '"']]);
    expect(errorsHeader(again.plan)).toBe(errorsHeader(plan));
  });
});

describe('the rows of a sheet', () => {
  const sheet = (rows: number) => `Sample Name\n${Array.from({ length: rows }, (_, at) => `s${at}\n`).join('')}`;

  it.each([
    [999, [999]],
    [1000, [1000]],
    [1001, [1000, 1]],
    [2000, [1000, 1000]],
  ])('%i come 1000 at a time at most, each once', async (count, sizes) => {
    const text = sheet(count);
    const plan = planOf(text, { releaseDate: 0 });
    const parts: SheetRow[][] = [];
    const bytes = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    };
    for await (const part of readRows(bytes(), plan)) parts.push(part);
    expect(parts.map(({ length }) => length)).toEqual(sizes);
    expect(parts.flat().map(({ cells }) => cells[0])).toEqual(Array.from({ length: count }, (_, at) => `s${at}`));
  });
});
