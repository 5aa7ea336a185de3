/** What is said of a workbook names the sheet that was read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
async function refused(bytes: Buffer, name: string): Promise<{ code: string; detail: string; recorded: string }> {
  const answer = await server.upload(bytes, { name });
  const said = answer.status === 422 ? answer.json<Refused>() : undefined;
  const { problem } = await server.settled(said?.submissionId ?? submissionIdOf(answer));
  const { code, message } = problem as { code: string; message: string };
  return { code: said?.code ?? code, detail: said?.detail ?? message, recorded: message };
}

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
            'Of the workbook the sheet "Plate 1" was read alone; "Plate 2" names samples, too. If these are to be registered, upload the workbook once more, naming the sheet with the option sheet.',
        },
      ],
    });
    expect(await said(two, { sheet: 'Plate 2' })).toMatchObject({ counts: { created: 1 }, row: undefined, issues: [] });
    const many = await toWorkbook(Array.from({ length: 13 }, (_, n) => sheet(`P${n}`, `v${n}`)));
    const { issues, row } = await said(many);
    expect(issues[0]?.message).toContain('"P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10" … name samples');
    expect(row?.split('\t')).toHaveLength(14);
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
