/** Warnings about the shape of a sheet: columns that are filled once for several rows, and tables beside that of the samples. */
import { describe, expect, it } from 'vitest';
import type { LaidOutBatch } from '../../src/registry/samples/sample-batch.js';
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
    ['Dose', ['5', '', '', '10']],
    ['Antibody', ['anti-A', 'anti-B', 'anti-C', '', '', '', '', '']],
  ])('not %s of %j', async (header, values) => {
    expect(await said(header, values)).toBeUndefined();
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
  const said = async (header: string, ...rows: string[]) => {
    const text = [header, ...rows].map((row) => `${row.replaceAll('|', '\t')}\n`).join('');
    const sheet = await readSheet(text, { header: { unknownColumns: 'characteristics', releaseDate: 0 } });
    async function* batches(): AsyncGenerator<LaidOutBatch> {
      yield* sheet.batches;
    }
    const seen: string[] = [];
    for await (const { warnings = [] } of warnOfSheet(batches(), sheet.plan, {}, 0))
      for (const { issues } of warnings)
        for (const { code, columnLetter, message } of issues)
          if (code === 'sheet.table-beside') seen.push(`${columnLetter} ${message.slice(0, message.indexOf(','))}`);
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
      '[Cloud_Data] (line 4), [More] (line 7) name samples, too, and were',
    );
  });

  it('names none that say nothing of samples', async () => {
    expect(await said(`${SETUP}[Settings],\nAdapter,CTGT\nSample Name,x\n`)).toEqual([]);
  });
});
