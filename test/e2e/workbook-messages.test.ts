/** What is said of a workbook names the sheet that was read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideCells } from '../../src/submissions/reading/beside-cells.js';
import type { BesideCells } from '../../src/tsv/beside-cells.js';
import { readHeader } from '../../src/tsv/header/header.js';
import { submissionIdOf } from '../support/api-caller.js';
import { SharedServer } from '../support/shared-server.js';
import { toWorkbook, toXlsx } from './sheets.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('workbook-messages');
});
afterAll(async () => {});

interface Refused {
  code: string;
  detail: string;
  submissionId: string;
}

/** What the answer said, or the status document when the fault was found afterwards; and what was recorded. */
async function refused(
  bytes: Buffer,
  name: string,
  options: Record<string, string> = {},
): Promise<{ code: string; detail: string; recorded: string }> {
  const answer = await server.upload(bytes, { name, options });
  const said = answer.status === 422 ? answer.json<Refused>() : undefined;
  const { problem } = await server.settled(said?.submissionId ?? submissionIdOf(answer));
  const { code, message } = problem as { code: string; message: string };
  return { code: said?.code ?? code, detail: said?.detail ?? message, recorded: message };
}

const planOf = (text: string) =>
  readHeader(
    Buffer.from(text),
    { prefix: '', unknownColumns: 'characteristics', releaseDate: 0, rowsAreLines: true },
    true,
  );

const comments = Array.from({ length: 15_000 }, (_, n) => [`# ${n} ${'x'.repeat(100)}`]);

describe('a workbook that cannot be taken', () => {
  it.each([
    [
      'without a header of samples',
      'file.header',
      [
        ['alias', 'title'],
        ['a', 'b'],
      ],
    ],
    ['without rows', 'file.empty', [['Sample Name', 'Release Date']]],
    ['without rows, found out while reading', 'file.empty', [['Sample Name', 'Release Date'], ...comments]],
    ['made for something else', 'file.wrong-kind', [['ONTOLOGY SOURCE REFERENCE'], ['Term Source Name', 'EFO']]],
  ])('%s is answered with the sheet that was read', async (_, code, rows) => {
    const answer = await refused(await toXlsx(rows, 'Field notes'), 'study.xlsx');
    expect(answer.code).toBe(code);
    expect(answer.detail).toMatch(/^Sheet "Field notes" of the workbook: /);
    expect(answer.recorded).toBe(answer.detail);
  });
});

describe('what a sheet has beside the values of its cells', () => {
  it.each(['xls', 'ods', 'xlsx'])('is said of a .%s, and comes once', async (form) => {
    const bytes = readFileSync(join(import.meta.dirname, '../workbooks/made-by-libreoffice', `kept.${form}`));
    const { status } = await server.uploadAndSettle(bytes, {
      name: `kept.${form}`,
      options: { releaseDate: '2020-01-01', dryRun: 'true' },
    });
    // The comment stands at the header, and says something of its column.
    expect(status.issues.filter(({ code }) => code.startsWith('sheet.'))).toMatchObject([
      {
        code: 'sheet.hidden-rows',
        severity: 'warning',
        count: 1,
        lines: [1],
        message: expect.stringMatching(/^Line 4 is not shown/),
      },
      {
        code: 'sheet.links',
        column: 'link',
        count: 1,
        message: expect.stringMatching(/^F2 links to https:\/\/example\.org\/a;/),
      },
    ]);
  });

  it('is said of rows below the header and of columns that it has, where there are many of the first ten', () => {
    const plan = planOf('# title\nSample Name\ta\tb\nS1\tx\ty\n');
    const noted = (column: number, first: number, last: number) => ({
      column,
      first: { row: first, text: `first ${first}` },
      last: { row: last, text: `last ${last}` },
    });
    const said = (beside: BesideCells) => besideCells(plan, beside).map(({ code, message }) => `${code} ${message}`);
    expect(said({ comments: [noted(0, 1, 2), noted(1, 2, 3), noted(2, 3, 9), noted(3, 3, 3)] })).toEqual([
      expect.stringMatching(/^sheet\.comments B3 has the comment "last 3"/),
      expect.stringMatching(/^sheet\.comments C3 has the comment "first 3"/),
    ]);
    // LibreOffice does not keep whose the comments are of a sheet of rows to fix.
    const toFix = planOf('Sample Name\tError Line\tError Message\nS1\t2\tx\n');
    expect(besideCells(toFix, { comments: [noted(0, 2, 2)] })).toEqual([]);
    expect(said({ hidden: { rows: 1, first: 1, last: 1 } })).toEqual([]);
    expect(said({ hidden: { rows: 3, first: 1, last: 5 } })).toEqual([
      expect.stringMatching(/^sheet\.hidden-rows 3 lines, such as 5, are not shown/),
    ]);
    const wide = planOf(`Sample Name\t${Array.from({ length: 15 }, (_, n) => `c${n}`).join('\t')}\nS1\tx\n`);
    const links = Array.from({ length: 15 }, (_, n) => noted(n, 2, 2));
    expect(besideCells(wide, { links })).toHaveLength(10);
  });
});

describe('a workbook with several sheets of samples', () => {
  const DATED = { releaseDate: '2020-01-01' };
  const sheet = (name: string, ...samples: string[]) => ({
    name,
    rows: [['Sample Name', 'organism'], ...samples.map((sample) => [sample, 'Mus musculus'])],
  });
  const said = async (bytes: Buffer, options: Record<string, string> = {}) => {
    const { answer, status } = await server.uploadAndSettle(bytes, {
      name: 'plates.xlsx',
      options: { ...DATED, ...options },
    });
    const issues = status.issues.filter(({ code }) => code === 'sheet.not-read');
    const row = answer.text.split('\n').find((line) => line.startsWith('Not read\t'));
    return { issues, row, counts: status.counts };
  };

  it('is not taken in part without a word: status and receipt name the sheets that were not read', {
    tags: 'slow',
  }, async () => {
    const two = await toWorkbook([sheet('Plate 1', 'w1', 'w2'), sheet('Plate 2', 'w3')]);
    expect(await said(two)).toMatchObject({
      counts: { created: 2 },
      row: 'Not read\tsheets that name samples, too\tPlate 2',
      issues: [
        {
          severity: 'warning',
          count: 1,
          lines: [1],
          message:
            'Of the workbook the sheet "Plate 1" was read alone; "Plate 2" names samples, too. If these are to be registered, upload the workbook once more, naming the sheet with the option sheet. If it says more of the samples that were read, send the workbook first with the option key, the header of the column that names them, and then with sheet, the same key and update=merge: without a key, each row is one more sample.',
        },
      ],
    });
    expect(await said(two, { sheet: 'Plate 2' })).toMatchObject({ counts: { created: 1 }, row: undefined, issues: [] });
    const many = await toWorkbook(Array.from({ length: 13 }, (_, n) => sheet(`P${n}`, `v${n}`)));
    const { issues, row } = await said(many);
    expect(issues[0]?.message).toContain('"P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10" … name samples');
    expect(row?.split('\t')).toHaveLength(14);
  });

  it('that says more of the same samples adds to them by a key, as the warning says', { tags: 'slow' }, async () => {
    const workbook = await toWorkbook([
      {
        name: 'Sites',
        rows: [
          ['Sample Name', 'site'],
          ['p1', 'North'],
          ['p2', 'South'],
        ],
      },
      {
        name: 'Chemistry',
        rows: [
          ['Sample Name', 'pH'],
          ['p2', '7.4'],
          ['p1', '7.1'],
        ],
      },
    ]);
    const keyed = { ...DATED, key: 'Sample Name', keySpace: 'two-sheets' };
    const first = await said(workbook);
    expect(first).toMatchObject({
      counts: { created: 2 },
      issues: [{ message: expect.stringContaining('update=merge') }],
    });
    expect(await said(workbook, keyed)).toMatchObject({ counts: { created: 0, unchanged: 2 } });
    const { status, id } = await server.uploadAndSettle(workbook, {
      name: 'plates.xlsx',
      options: { ...keyed, sheet: 'Chemistry', update: 'merge' },
    });
    expect(status.counts).toMatchObject({ created: 0, updated: 2 });
    const [pair] = (await server.mapping(id)).sampleNameAccessionPairs;
    const sample = (await server.get(`/samples/${pair?.sampleAccession}`)).json<{ characteristics: object }>();
    expect(sample.characteristics).toEqual({ site: [{ text: 'South' }], pH: [{ text: '7.4' }] });
  });

  it('is named where the sheet that is read cannot be taken, in the answer and in what is recorded', async () => {
    const legend = { name: 'Tubes', rows: [['Sample Name', 'what the tube is called']] };
    const many = Array.from({ length: 12 }, (_, n) => sheet(`P${n}`, `u${n}`));
    const one = await refused(await toWorkbook([legend, sheet('Plate 1', 'x1')]), 'plates.xlsx', DATED);
    expect(one).toMatchObject({ code: 'file.empty', recorded: one.detail });
    expect(one.detail).toMatch(
      /^Sheet "Tubes" of the workbook: .* "Plate 1" names samples, too: if that sheet is meant, name it with the option sheet\.$/,
    );
    const several = await refused(await toWorkbook([legend, ...many]), 'plates.xlsx', DATED);
    expect(several.detail).toMatch(/"P9" … name samples, too: if one of these sheets is meant, name it/);
    const alone = await refused(
      await toWorkbook([legend, { name: 'Notes', rows: [['of May']] }]),
      'plates.xlsx',
      DATED,
    );
    expect(alone.detail).not.toContain('option sheet');
  });

  it('says so once, however many batches its sheet has', { tags: 'slow' }, async () => {
    const long = Array.from({ length: 6_000 }, (_, n) => `long-${n}`);
    const bytes = await toWorkbook([sheet('Long', ...long), sheet('Short', 'u1')]);
    expect((await said(bytes)).issues).toMatchObject([{ count: 1, lines: [1] }]);
  });

  it('nothing is said where one sheet alone names samples', { tags: 'slow' }, async () => {
    const legend = { name: 'Legend', rows: [['Field'], ['Sample Name'], ['organism']] };
    const notes = { name: 'Notes', rows: [['Plate 1 was taken in May']] };
    const empty = { name: 'Empty', rows: [['Sample Name', 'organism']] };
    expect(await said(await toWorkbook([sheet('Only', 't1'), notes, empty]))).toMatchObject({
      row: undefined,
      issues: [],
    });
    expect(await said(await toWorkbook([notes, sheet('Only', 't2'), legend]))).toMatchObject({
      counts: { created: 1 },
    });
  });
});
