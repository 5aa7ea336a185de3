/** What is sent back: read again it means the same, cell for cell, and with its accessions changes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/registry/sample-batch.js';
import { errorsHeader, errorsRow, receipt, resultHeader, resultRow } from '../../src/tsv/print/write.js';
import { runs } from '../support/seeds.js';
import { codes, planOf, readSheet, rowsOf, type SheetSettings, table } from './read-sheet.js';
import { anySpelling, spell } from './sheets.js';

const D = '2024-05-01';
const receiptOf = async (rows: string[][]): Promise<string> => {
  let text = '';
  for await (const part of receipt(
    (async function* () {
      for (const row of rows) yield [row];
    })(),
  ))
    text += part;
  return text;
};
const RECEIPT = await receiptOf([
  ['Submission ID', 'x'],
  ['line 3', 'Sample Name', 'name.missing', '', '=HYPERLINK("https://evil.example")', '"quoted\tand\nbroken'],
]);

/** The result of a first upload: accessions 100, 101 … for the rows that were good. */
async function resultOf(text: string, settings: SheetSettings): Promise<string> {
  const { plan, samples } = await readSheet(text, settings);
  const ids = new Map(samples.map(({ line, id, reserved }) => [line, id || (reserved as number)]));
  const rows = (await rowsOf(text, plan)).map((row) =>
    resultRow(plan, row, { accession: ids.has(row.line) ? `SAMR${ids.get(row.line)}` : '' }),
  );
  return resultHeader(plan, false) + rows.join('') + RECEIPT;
}

const numbered: SheetSettings = { read: { idOfRow: (ordinal) => 100 + ordinal } };

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

  it('sent again with its receipt changes nothing', async () => {
    const cell = fc.constantFrom(
      '',
      'v',
      ' padded ',
      '"',
      '"x"y',
      'a\tb',
      'two\nlines',
      'a\rb',
      '日本',
      '5" pipe',
      '=1+1',
      '#',
      'n1',
    );
    const target = fc.constantFrom('', '', 'n0', 'n1', 'n2', 'SAMEA1', 'nowhere');
    const row = fc.tuple(
      fc.constantFrom('', ...'nnnnnn'),
      fc.constantFrom(D, D, D, 'soon', ''),
      cell,
      cell,
      target,
      cell,
    );
    const rows = fc.array(fc.oneof({ weight: 9, arbitrary: row }, fc.constantFrom([''], ['# note'])), {
      minLength: 1,
      maxLength: 12,
    });
    const header = fc.constantFrom(
      ['Sample Name', 'Release Date', 'Characteristics[x]', 'Unit', 'Comment[bsd_relationship:a]', 'Comment[note]'],
      ['Sample Name', 'Release Date', 'Sample Identifier', 'Characteristics[x]', 'Comment[bsd_relationship:a]', ''],
    );
    await fc.assert(
      fc.asyncProperty(header, rows, anySpelling(), async (names, cells, spelling) => {
        const named = cells.map((each, at) => (each[0] === 'n' ? [`n${at}`, ...each.slice(1)] : each));
        const text = spell([names, ...named, ['end', D]], spelling);
        const first = await readSheet(text, numbered);
        const result = await resultOf(text, numbered);
        const second = await readSheet(result, numbered);
        const meant = (samples: typeof first.samples) =>
          samples.map(({ name, release, content, id, reserved }) => ({ name, release, content, id: id || reserved }));
        expect(meant(second.samples)).toEqual(meant(first.samples));
        expect(second.samples.every(({ id }) => id > 0)).toBe(true);
        const faults = (sheet: typeof first) =>
          sheet.rejected.map(({ name, issues }) => [name, issues.map(({ code }) => code)]);
        expect(faults(second)).toEqual(faults(first));
        expect(await resultOf(result, numbered)).toBe(result);
      }),
      { numRuns: runs(600) },
    );
  });
});

describe('the receipt', () => {
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
