/** Warnings about the shape of a sheet: columns that are filled once for several rows, and tables beside that of the samples. */
import { describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
import { blanksBelow } from '../../src/submissions/reading/blanks-below.js';
import { warnOfSheet } from '../../src/submissions/reading/sheet-warnings.js';
import { readSheet } from '../tsv/read-sheet.js';

describe('the warning about empty cells below a value', () => {
  const said = async (header: string, values: string[]) => {
    const text = [`Sample Name\torganism\t${header}`, ...values.map((value, at) => `S${at}\tx\t${value}`)].join('\n');
    const sheet = await readSheet(text, { header: { unknownColumns: 'characteristics', releaseDate: 0 } });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield* sheet.batches;
    }
    for await (const { warnings = [] } of warnOfSheet(batches(), sheet.plan, {}, 0))
      for (const { issues } of warnings)
        for (const { code, message } of issues) if (code === 'suspect.blanks-below') return message;
    return undefined;
  };

  it.each<[string, string[]]>([
    ['Species', ['Mus', '', '', 'Rattus']],
    ['Cage', ['C1', '', '', 'C2', '', 'C3', '', '']],
    ['Site', ['North', '', '', 'South', '', '', 'North', '']],
  ])('%s of %j', async (header, values) => {
    const message = await said(header, values);
    expect(message).toContain(`"${header}" has a value in some rows`);
    expect(message).toContain(`C3 is empty below "${values[0]}"`);
  });

  it.each<[string, string[]]>([
    ['Remarks', ['thawed', '', '', 'lost']],
    ['Species', ['', 'Mus', '', '', 'Rattus', '']],
    ['Species', ['Mus', '', '', 'Mus', '', '']],
    ['Species', ['Mus', 'Mus', '', 'Rattus', '', '', '', '']],
    ['Species', ['Mus', '', 'Rattus', '']],
    ['Species', ['Mus', '', '']],
    ['Species', ['Mus', '', '', '']],
    ['Species', ['Mus', '', '', 'Rattus', '', '', 'Rattus', '']],
    ['Species', ['Mus', '"a\tb"', '"a\tc"', 'Rattus']],
    ['Site', ['A', 'B', '', '', 'C', '', 'D', '', 'E']],
    ['Site', ['A', 'B', '', '', 'C', '', 'D', '']],
    ['Dose', ['5', '', '', '10']],
    ['Antibody', ['anti-A', 'anti-B', 'anti-C', '', '', '', '', '']],
  ])('not %s of %j', async (header, values) => {
    expect(await said(header, values)).toBeUndefined();
  });

  it('names the row and the value, of as many filled rows as follow one another seldom', async () => {
    expect(await said('Site', ['A', 'B', '', '', 'C', '', 'D', '', 'E', ''])).toBe(
      '"Site" has a value in some rows and none in those below, and none over again in the next that has one: C4 is empty below "B". An empty cell is no value; where it means the one above, fill that down and upload the sheet anew.',
    );
  });

  it('names the first ten columns, and each alone', async () => {
    const headers = Array.from({ length: 12 }, (_, at) => `Group ${at}`);
    const rows = ['A', '', '', 'B'].map((value, at) => [`S${at}`, ...headers.map(() => value)]);
    const text = [['Sample Name', ...headers], ...rows].map((row) => row.join('\t')).join('\n');
    const { plan, batches } = await readSheet(text, { header: { unknownColumns: 'characteristics', releaseDate: 0 } });
    const issues = blanksBelow(plan, batches[0] as LaidOutBatch);
    expect(issues.map(({ column, value }) => [column, value])).toEqual(
      headers.slice(0, 10).map((header) => [header, 'A']),
    );
  });
});

describe('the warning about rows that are struck through in the workbook', () => {
  const said = async (struck: { rows: number; first: number; last: number }) => {
    const sheet = await readSheet('Sample Name\ta\nS1\tx\n', { header: { unknownColumns: 'ignore', releaseDate: 0 } });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield* sheet.batches;
    }
    const readAs = { sheet: 'S', bytes: 1, beside: { struck } };
    for await (const { warnings = [] } of warnOfSheet(batches(), sheet.plan, { readAs }, 0))
      for (const { issues } of warnings)
        for (const { code, message } of issues) if (code === 'sheet.struck-rows') return message;
    return undefined;
  };

  it('names one of them, and none that is the header', async () => {
    expect(await said({ rows: 1, first: 4, last: 4 })).toMatch(/^Every cell of line 4 is struck through/);
    expect(await said({ rows: 3, first: 1, last: 6 })).toMatch(/^Every cell of 3 lines, such as line 6, is struck/);
    expect(await said({ rows: 1, first: 1, last: 1 })).toBeUndefined();
  });
});

describe('the warning about columns beside the samples', () => {
  const said = async (header: string, ...rows: string[]) =>
    (await messages(header, ...rows)).map((message) => message.slice(0, message.indexOf(',')));
  const messages = async (header: string, ...rows: string[]) => {
    const text = [header, ...rows].map((row) => `${row.replaceAll('|', '\t')}\n`).join('');
    const sheet = await readSheet(text, { header: { unknownColumns: 'characteristics', releaseDate: 0 } });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield* sheet.batches;
    }
    const seen: string[] = [];
    for await (const { warnings = [] } of warnOfSheet(batches(), sheet.plan, {}, 0))
      for (const { issues } of warnings)
        for (const { code, columnLetter, message } of issues)
          if (code === 'sheet.table-beside') seen.push(`${columnLetter} ${message}`);
    return seen;
  };
  const H = 'Sample Name|organism';

  it('is given of a table or list that ends above or below them', async () => {
    const apart = 'stand apart from the samples';
    expect(await said(`${H}||Key|Meaning`, 'a|x||L|liver', 'b|x||K|kidney', 'c|x')).toEqual([
      `D Columns D to E ${apart}`,
    ]);
    expect(await said(`${H}||Primer|Tm`, 'a|x||p|60', 'b|x||q|61', '|||r|62')).toEqual([`D Columns D to E ${apart}`]);
    expect(await said(`Allowed|||${H}`, 'liver|||a|x', 'lung|||b|x', '|||c|x')).toEqual([
      'A Column A stands apart from the samples',
    ]);
    expect(await said(`${H}||K||L`, 'a|x||1||1', 'b|x||2||2', 'c|x||||3')).toEqual([
      'D Column D stands apart from the samples',
    ]);
  });

  it('says what to do with it', async () => {
    const where = 'apart from the samples, behind or before an empty column, and';
    const which =
      'values in 2 rows, which are not the rows of the samples. What stands in a row was taken for its sample;';
    expect(await messages(`${H}||Key|Meaning`, 'a|x||L|liver', 'b|x||K|kidney', 'c|x')).toEqual([
      `D Columns D to E stand ${where} have ${which} if they are a table of their own, undo the upload, delete them from the sheet and upload that anew.`,
    ]);
    expect(await messages(`${H}||Key`, 'a|x||L', 'b|x||K', 'c|x')).toEqual([
      `D Column D stands ${where} has ${which} if it is a list of its own, undo the upload, delete it from the sheet and upload that anew.`,
    ]);
  });

  it('is not given of columns that a blank one only keeps apart, of remarks here and there, and without a blank one', async () => {
    expect(await said(`${H}||Key|Meaning`, 'a|x||L|liver', 'b|x||K|', 'c|x|||m')).toEqual([]);
    expect(await said(`${H}||Remark`, 'a|x||thawed', 'b|x', 'c|x||lost', 'd|x')).toEqual([]);
    expect(await said(`${H}||Remark`, 'a|x||thawed', 'b|x', 'c|x')).toEqual([]);
    expect(await said(`${H}|Key|Meaning`, 'a|x|L|liver', 'b|x|K|kidney', 'c|x')).toEqual([]);
    expect(await said(`${H}||Key|Meaning`, 'a|x|!|L|liver', 'b|x||K|kidney', 'c|x')).toEqual([]);
    const receipt = ['', '********RECEIPT START********', 'Status|COMPLETED', '********RECEIPT END********'];
    expect(await said(`${H}||Key`, 'a|x||L', 'b|x||K', ...receipt)).toEqual([]);
  });
});

describe('the warnings about what of a file may stand elsewhere', () => {
  const said = async (text: string) => {
    const sheet = await readSheet(text, { header: { unknownColumns: 'characteristics', releaseDate: 0 } });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield* sheet.batches;
    }
    for await (const { warnings = [] } of warnOfSheet(batches(), sheet.plan, {}, 0))
      return warnings.flatMap(({ issues }) => issues);
    return [];
  };
  const short = (...rows: string[]) => said(rows.join('\n'));

  it('is given where all rows lack as many cells of the header', async () => {
    expect(await short('Sample Name,ore,Fe,depth,zone', 'a,iron,63.5,North', 'b,iron,58.1,South')).toEqual([
      expect.objectContaining({
        code: 'sheet.rows-short',
        line: 1,
        column: 'zone',
        columnLetter: 'E',
        message:
          'The header has 5 cells and each row 4, so that the last column is empty. If nothing is meant to stand there, all is well; if a value is missing further left, those behind it stand under the header of another: undo the upload, give each row all its cells, and upload the sheet anew.',
      }),
    ]);
    const [two] = await short('Sample Name;a;b;c', 'x;1', 'y;2', '', '# note');
    expect(two?.message).toContain('The header has 4 cells and each row 2, so that the last 2 columns are empty.');
    const [tail] = await short('Sample Name,a,b, ,', 'x,1', 'y,2');
    expect(tail?.message).toContain('The header has 3 cells and each row 2, so that the last column is empty.');
  });

  it.each([
    ['one row has all of them', ['Sample Name,a,b', 'x,1', 'y,2,3']],
    ['they have as many, empty ones too', ['Sample Name,a,b', 'x,1,', 'y,2,']],
    ['they differ in what they lack', ['Sample Name,a,b,c', 'x,1', 'y,2,3']],
    ['what they lack has no header', ['Sample Name,a,,', 'x,1', 'y,2']],
    ['there is one row', ['Sample Name,a,b', 'x,1']],
    ['they are parted by TABs', ['Sample Name\ta\tb', 'x\t1', 'y\t2']],
  ])('is not given where %s', async (_, rows) => {
    expect(await short(...rows)).toEqual([]);
  });

  const SETUP = '[Sample Setup]\nWell,Sample Name\nA1,S1\nA2,S2\n\n';

  it('names the sections behind the one that was read which name samples, too', async () => {
    const results = '[Raw],\nWell,Cycle\nA1,1\n[Results],\nWell,Sample Name,CT\nA1,S1,30.1\nA2,S2,30.2\n';
    expect(await said(SETUP + results)).toEqual([
      expect.objectContaining({
        code: 'sheet.not-read',
        line: 2,
        message:
          'Behind the section that was read [Results] (line 9) names samples, too, and was not read: what it says is neither stored nor in the result. If it is to be kept, put it into columns of the samples in the result, and upload that.',
      }),
    ]);
    const cloud =
      '[Data],\nSample_ID,Index\nS1,AT\n[Cloud_Data],\nSample_ID,Library\nS1,L1\n[More],\nsample_id,x\nS1,y\n';
    expect((await said(cloud))[0]?.message).toContain(
      '[Cloud_Data] (line 4), [More] (line 7) name samples, too, and were not read: what they say is neither',
    );
    const seven = Array.from({ length: 7 }, (_, at) => `[Part ${at}],\nSample_ID,x\nS1,y\n`).join('');
    expect((await said(seven))[0]?.message).toContain('read [Part 1] (line 4), [Part 2] (line 7)');
    expect((await said(seven))[0]?.message).toContain('[Part 5] (line 16) name samples');
  });

  it('names none that say nothing of samples', async () => {
    expect(await said(`${SETUP}[Settings],\nAdapter,CTGT\nSample Name,x\n`)).toEqual([]);
  });
});
