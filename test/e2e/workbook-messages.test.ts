/** What is said of a workbook names the sheet that was read; an archive is called one. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { startServer, type TestServer } from '../support/server.js';
import { removeScratch, zip } from '../workbooks/raw-workbook.js';
import { toXlsx } from './sheets.js';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  removeScratch();
  await server?.stop();
});

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
    [
      'made for something else',
      'file.wrong-kind',
      [
        ['Source Name', 'Assay Name'],
        ['a', 'b'],
      ],
    ],
  ])('%s is answered with the sheet that was read', async (_, code, rows) => {
    const answer = await refused(await toXlsx(rows, 'Field notes'), 'study.xlsx');
    expect(answer.code).toBe(code);
    expect(answer.detail).toMatch(/^Sheet "Field notes" of the workbook: /);
    expect(answer.recorded).toBe(answer.detail);
  });

  it('and is an ISA-Tab archive is called a zip archive of so many files, with the study table to send', async () => {
    const archive = await zip({
      'i_Investigation.txt': 'ONTOLOGY SOURCE REFERENCE\n',
      's_Mouse Study.txt': 'Source Name\tSample Name\n',
      'a_assay.txt': 'Sample Name\tAssay Name\n',
    });
    const { code, detail } = await refused(readFileSync(archive), 'isa.zip');
    expect(code).toBe('file.wrong-kind');
    expect(detail).toContain('zip archive with 3 files');
    expect(detail).toContain('ISA-Tab');
    expect(detail).toContain('upload the study table s_Mouse Study.txt');
    expect(detail).not.toContain('workbook');
  });

  it('and is another archive is reported to be unpacked, with its files named', async () => {
    const { code, detail } = await refused(readFileSync(await zip({ 'data/table.tsv': 'Sample Name\n' })), 'data.zip');
    expect(code).toBe('file.wrong-kind');
    expect(detail).toBe(
      'This is a zip archive with 1 file (data/table.tsv). Unpack it, and upload the table of samples in it, as .tsv, .csv or .xlsx.',
    );
  });
});
