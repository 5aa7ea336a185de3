/** What is said of a workbook names the sheet that was read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { SharedServer } from '../support/shared-server.js';
import { toXlsx } from './sheets.js';

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
