/** Rows that are corrected: marked in a workbook, and checked by the rules that will hold before they are sent again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Issue } from '../../src/registry/samples/sample-batch.js';
import { planFile } from '../../src/submissions/json-file/plan.js';
import { markedHeader, markedRow, ownHead, rowJson } from '../../src/submissions/results/marked-rows.js';
import { Results } from '../../src/submissions/results/results.js';
import type { Submission, UploadOptions } from '../../src/submissions/submission.js';
import { unzipped } from '../support/unzipped.js';
import { Intake, sheetOf } from './intake.js';

let intake: Intake;
beforeAll(async () => {
  intake = await Intake.open();
});
afterAll(() => intake.close());

const HEADER = ['Sample Name', 'Release Date', 'Characteristics[plate]', 'Characteristics[organism]'];
const good = Array.from({ length: 12 }, (_, n) => [`p ${n}`, '2024-01-01', `000${10 + n}`, 'Homo sapiens']);
let labs = 0;
const send = (rows: string[][], options: Partial<UploadOptions> = {}, header = HEADER) =>
  intake.send(sheetOf(header, ...rows), options, { account: `fix-${++labs}` });
const check = async (submission: Submission, ...rows: [line: number, ...cells: string[]][]): Promise<string[]> =>
  (
    await intake.results.checkRows(
      submission,
      rows.map(([line, ...cells]) => ({ line, cells })),
    )
  ).map(({ line, issues }) => `${line}:${issues.map((issue) => ` ${issue.code}@${issue.line}`).join('')}`);

describe('changed rows', () => {
  it('are held to the rules of the sheet, each answered under its line, in the order in which they came', async () => {
    const sent = await send([...good, ['bad', '21/11/2024', '00040', 'Homo sapiens']]);
    expect(
      await check(
        sent,
        [14, 'bad', 'nonsense', '00040', 'Homo sapiens'],
        [3, 'p 1', '2024-11-21', '00040', 'a "quoted"\tcell\nof two lines'],
        [9, '', '2024-02-30', '00041', ''],
        [4, 'p 1', '2024-11-21', '42', 'x'],
      ),
    ).toEqual(['14: release.invalid@14', '3:', '9: name.missing@9 release.invalid@9', '4: name.repeated@4']);
    expect(await check(sent, [3, 'p 1', '2024-01-01', '42', 'Homo sapiens'])).toEqual(['3: suspect.leading-zeros@3']);
  });

  it('are held to the checklist of the upload, and have its release', async () => {
    const undated = await send([['x', '']], { checklist: 'minimal', releaseDate: Date.UTC(2020, 0, 1) }, [
      'Sample Name',
      'organism',
    ]);
    const [bad, fixed] = await check(undated, [2, 'x', ''], [2, 'y', 'Homo sapiens']);
    expect(bad).toMatch(/^2: checklist\./);
    expect(fixed).toBe('2:');
    const without = await send([['x', '2020-01-01', '']], {}, ['Sample Name', 'Release Date', 'organism']);
    expect(await check(without, [2, 'x', '', ''])).toEqual(['2: release.missing@2']);
  });

  it('leave to the upload what other rows and the store say', async () => {
    const related = await send([['x', '2020-01-01', '']], {}, [
      'Sample Name',
      'Release Date',
      'Comment[bsd_relationship:derived from]',
    ]);
    expect(await check(related, [2, 'x', '2020-01-01', 'a row that is not here'])).toEqual(['2:']);
  });

  it('of a sheet of errors that was sent again have no column of errors', async () => {
    const again = await send([['x', 'never', '2', 'y', 'z']], {}, [
      'Sample Name',
      'Release Date',
      'Error Line',
      'organism',
      'Error Message',
    ]);
    expect(await check(again, [2, 'x', '2020-01-01', 'y'])).toEqual(['2:']);
    expect(await check(again, [2, 'x', 'soon', 'y'])).toEqual(['2: release.invalid@2']);
  });

  it('are read by the column that names the samples', async () => {
    const named = await send([['x', '2020-01-01', 'y']], { nameColumn: 'Tube' }, ['Tube', 'Release Date', 'organism']);
    expect(await check(named, [2, '', '2020-01-01', 'y'], [3, 't', '2020-01-01', 'y'])).toEqual([
      '2: name.missing@2',
      '3:',
    ]);
  });

  it('are those of a sheet', async () => {
    const json = await intake.send('{"name":"j","release":"2020-01-01"}\n', {}, { account: 'fix-json' });
    await expect(check(json, [1, 'x'])).rejects.toMatchObject({
      code: 'request.invalid',
      message: `Submission ${json.id} is a JSON file: correct its items and upload them, with dryRun=true to have them checked.`,
    });
  });
});

const plan = planFile(
  Buffer.from('Sample Name\tError Line\tRelease Date\torganism\nx\t4\tnever\t\n'),
  { prefix: 'SAMR', unknownColumns: 'characteristics' },
  true,
);
const issue = (more: Partial<Issue>): Issue => ({
  code: 'release.invalid',
  line: 2,
  message: 'No date.',
  severity: 'error',
  ...more,
});

describe('a row with its issues', () => {
  const row = { line: 2, cells: ['x', '4', 'never'] };
  it('is marked where it is bad, and says so beside', () => {
    const date = issue({ column: 'Release Date', columnLetter: 'C', suggestion: '2020-01-01' });
    const warning = issue({
      column: 'organism',
      columnLetter: 'D',
      severity: 'warning',
      message: 'Write Homo sapiens.',
      suggestion: 'Homo sapiens',
    });
    const whole = issue({ message: 'Held back.' });
    expect(markedRow(plan, row, [date, warning, whole])).toEqual([
      { text: 'x' },
      { text: 'never', mark: 'error', comment: 'No date. Suggestion: 2020-01-01' },
      { text: '', mark: 'warning', comment: 'Write Homo sapiens.' },
      { text: '2' },
      { text: 'Release Date (C) | organism (D) | ' },
      { text: 'No date. | Write Homo sapiens. | Held back.' },
      { text: '2020-01-01 | Homo sapiens | ' },
    ]);
    const both = markedRow(plan, row, [{ ...warning, columnLetter: 'C' }, date]);
    expect(both[1]).toEqual({
      text: 'never',
      mark: 'error',
      comment: 'Write Homo sapiens.\nNo date. Suggestion: 2020-01-01',
    });
    expect(markedRow(plan, row, [whole]).slice(3)).toEqual([
      { text: '2' },
      { text: '' },
      { text: 'Held back.' },
      { text: '' },
    ]);
    expect(markedRow(plan, row, [issue({ column: 'Sample Name' })])[4]).toEqual({ text: 'Sample Name' });
  });

  it('stands below the header, without the columns of errors that were sent with it', () => {
    expect(markedHeader(plan).map((cells) => cells.map(({ text, mark }) => `${mark} ${text}`))).toEqual([
      [
        'Sample Name',
        'Release Date',
        'organism',
        'Error Line',
        'Error Column',
        'Error Message',
        'Error Suggestion',
      ].map((text) => `header ${text}`),
    ]);
    expect(ownHead(plan)).toEqual([['Sample Name', 'Release Date', 'organism']]);
    const said = {
      line: 2,
      cells: [
        ['Sample Name', 'x'],
        ['Release Date', 'never'],
        ['organism', ''],
      ].map(([column, value]) => ({ column, value })),
    };
    expect(JSON.parse(rowJson(plan, row, [issue({})]))).toEqual({ ...said, issues: [issue({})] });
    expect(JSON.parse(rowJson(plan, row, [], 'SAMR7'))).toEqual({ ...said, accession: 'SAMR7', issues: [] });
  });
});

describe('a workbook', () => {
  const textsOf = async (pieces: AsyncIterable<Buffer>): Promise<string> => {
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    const entries = await unzipped(Buffer.concat(all));
    return [...entries].map(([, bytes]) => bytes.toString()).join('\n');
  };

  it('has the rows to fix, or the whole result', async () => {
    const sent = await send([
      ['good', '2020-01-01', '1', 'x'],
      ['bad', 'never', '2', 'x'],
    ]);
    const errors = await textsOf(intake.results.errorsWorkbook(sent));
    expect(errors).toContain('Rows to fix');
    expect(errors).toContain('>never<');
    expect(errors).not.toContain('>good<');
    const result = await textsOf(intake.results.resultWorkbook(sent));
    expect(result).toContain('"Samples"');
    for (const text of ['>good<', '>bad<', 'RECEIPT START', sent.id]) expect(result).toContain(text);
    expect(result).toMatch(/SAMR\d+/);
  });

  it('is none of JSON, and none of a service that prints none', async () => {
    const json = await intake.send('{"name":"w","release":"2020-01-01"}\n', {}, { account: 'fix-json' });
    await expect(textsOf(intake.results.resultWorkbook(json))).rejects.toMatchObject({ code: 'not-acceptable' });
    const plain = new Results({ store: intake.store, blobs: intake.blobs, prefix: 'SAMR' });
    expect(() => plain.errorsWorkbook(json)).toThrow('This service prints no workbooks; ask for TSV or JSON.');
  });
});
