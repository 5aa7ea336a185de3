import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../src/tsv/header/header.js';
import { readBatches } from '../../../src/tsv/rows/read.js';
import { surveySheet } from '../../../src/tsv/rows/survey.js';
import { bytesOf, codes, inPieces, PREFIX, readSheet, refusal, rowsOf, table } from '../read-sheet.js';

const HEADER = ['Source Name', 'Sample Name', 'Release Date', 'Characteristics[x]'];
const row = (name: string) => ['src', name, '2024-05-01', 'v'];
const START = '********RECEIPT START********';
const END = '********RECEIPT END********';

const names = async (text: string) => (await readSheet(text)).samples.map(({ name }) => name);

describe('rows that are no samples', () => {
  it('blank rows, rows of tabs and blanks are skipped, and lines stay true', async () => {
    const text = `${table(HEADER)}\n   \n\t\t\t\n \t \t\n${table(row('a'))}\n`;
    const { samples, rejected, survey } = await readSheet(text);
    expect(samples.map(({ line, name }) => [line, name])).toEqual([[6, 'a']]);
    expect(rejected).toEqual([]);
    expect(survey.rows).toBe(1);
  });

  it('# rows without a Sample Name are skipped; with one they are samples', async () => {
    const text = table(HEADER, ['# batch 1'], ['', '', '# padded'], ['#1', 'a', '2024-05-01'], row('#b'));
    expect(await names(text)).toEqual(['a', '#b']);
  });

  it('a remark alone in the Sample Name column is a remark', async () => {
    const text = table(['Sample Name', 'Release Date'], ['# first batch'], ['#1', '2024-05-01'], ['"# quoted"', '']);
    expect(await names(text)).toEqual(['#1']);
    expect((await readSheet(text)).rejected).toEqual([]);
  });

  it('a row with cells but no Sample Name is a bad row', async () => {
    const { samples, rejected } = await readSheet(table(HEADER, ['src', '  ', '2024-05-01', 'v'], row('a')));
    expect(samples).toHaveLength(1);
    expect(codes(rejected)).toEqual(['2 name.missing']);
  });

  it.each([
    ['as we write it', START, END],
    ['padded with tabs', `${START}\t\t\t`, `${END}\t\t\t`],
    ['padded before and with blanks', `\t ${START} \t`, `\t\t${END}`],
    ['quoted by a spreadsheet', `"${START}"`, `"${END}"\t""`],
  ])('everything of a receipt is skipped: %s', async (_, start, end) => {
    const text = `${table(HEADER, row('a'))}\n${start}\nNumber of samples persisted: 2\tx\n\tnot-a-sample\t2024-05-01\n${end}\n${table(row('b'))}`;
    expect(await names(text)).toEqual(['a', 'b']);
    expect((await rowsOf(text)).map(({ line }) => line)).toEqual([2, 8]);
  });

  it.each([
    ['whose end was cut off, before further rows', `${table(HEADER, row('a'))}${START}\n${table(row('b'))}`, 3],
    ['whose end was cut off, at the end of the file', `${table(HEADER, row('a'))}\n${START}\nCreated\t1\n`, 4],
    ['of which only the first line is left', `${table(HEADER, row('a'))}${START}`, 3],
    ['cut off before a whole one', `${table(HEADER)}${START}\n${table(row('a'))}${START}\nCreated\t1\n${END}\n`, 2],
    ['sorted in with the rows', table(HEADER, [END], [START], row('a'), row('b')), 3],
    ['that is the second', `${table(HEADER)}${START}\n${END}\n${table(row('a'))}${START}\n`, 5],
  ])('a receipt %s could hide rows, so the file is refused', async (_, text, line) => {
    const refused = await refusal(text);
    expect(refused).toMatchObject({ code: 'file.receipt-unclosed', line });
    expect(refused.message).toContain(`Line ${line}:`);
  });

  it('a receipt without an end is met by the survey, before anything is registered, and by the reading of rows', async () => {
    const sheet = { prefix: PREFIX, unknownColumns: 'characteristics' } as const;
    const plan = readHeader(Buffer.from(table(HEADER, row('a'))), sheet, true);
    const bytes = () => inPieces(bytesOf(`${table(HEADER, row('a'))}${START}\n${table(row('b'))}`));
    const options = { prefix: PREFIX, batchRows: 10 };
    const unclosed = { code: 'file.receipt-unclosed' };
    await expect(surveySheet(bytes(), plan, options)).rejects.toMatchObject(unclosed);
    const all = async () => {
      for await (const _ of readBatches(bytes(), plan, options));
    };
    await expect(all()).rejects.toMatchObject(unclosed);
  });

  it('receipts with their ends, one after the other or after an end that is left over, are none', async () => {
    const receipt = `${START}\nCreated\t1\n${END}\n`;
    const text = `${table(HEADER)}${END}\n${table(row('a'))}${receipt}${table(row('b'))}${receipt}${receipt}`;
    expect(await names(text)).toEqual(['a', 'b']);
  });

  it('a marker in the Sample Name column is a marker when it stands alone, and a name otherwise', async () => {
    expect(
      await names(`${table(['Sample Name', 'Release Date'], ['a', '2024-05-01'])}${START}\nb\t2024-05-01\n${END}\n`),
    ).toEqual(['a']);
    expect(await names(table(['Sample Name', 'Release Date'], [START, '2024-05-01'], ['*b', '2024-05-01']))).toEqual([
      START,
      '*b',
    ]);
  });

  it.each([
    ['a header alone', table(HEADER)],
    ['a header, blanks and comments', `${table(HEADER)}\n# none yet\n\t\t\n`],
    ['a header and a receipt', `${table(HEADER)}\n${START}\n${table(row('a'))}${END}\n`],
  ])('%s is a file without samples', async (_, text) => {
    expect((await refusal(text)).code).toBe('file.empty');
  });

  it.each([
    ['nothing', ''],
    ['blank lines', '\n\n \t\n'],
    ['a byte order mark', '\ufeff'],
  ])('%s is an empty file', async (_, text) => {
    expect((await refusal(text)).code).toBe('file.empty');
  });
});
