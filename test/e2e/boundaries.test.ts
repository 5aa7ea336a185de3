/** Small or large: fewer than 20 000 bytes and fewer than 200 samples, else large. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, submissionIdOf } from '../support/api-caller.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;
beforeAll(async () => {
  server = await SharedServer.of('boundaries');
});

const HEADER = 'Sample Name\tRelease Date\tCharacteristics[note]';

/** A sheet of so many rows; with `bytes`, padded to exactly that size in its last cell. */
function sheet(tag: string, rows: number, bytes?: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `${tag}-${row}\t2024-01-01\tn`);
  const text = `${[HEADER, ...lines].join('\n')}\n`;
  return bytes === undefined ? text : `${text.slice(0, -1)}${'n'.repeat(bytes - text.length)}\n`;
}

function expectSmall(answer: Answer, rows: number): void {
  expect(answer.status).toBe(201);
  expect(answer.headers.get('content-type')).toMatch(/^text\/tab-separated-values/);
  expect(answer.text).toContain('********RECEIPT START********');
  // The receipt may name accessions too: of samples that had these names before.
  const [data = ''] = answer.text.split('********RECEIPT START********');
  expect(data.match(/\bSAMR\d+/g)?.length).toBe(rows);
}

/** Two lines, the label and the id, nothing else. */
function expectLarge(answer: Answer): void {
  expect(answer.status).toBe(202);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const lines = answer.text.split(/\r?\n/);
  expect(lines).toEqual(['Submission ID', submissionIdOf(answer), '']);
}

async function expectRegistered(answer: Answer, rows: number): Promise<void> {
  const { counts, submissionStatus } = await server.settled(submissionIdOf(answer));
  expect(submissionStatus).toBe('COMPLETED');
  expect(counts).toEqual({ rows, created: rows, updated: 0, unchanged: 0, rejected: 0 });
}

describe('a file of few rows', () => {
  it('is small at 19 999 bytes', async () => {
    const answer = await server.upload(sheet('below', 50, 19_999));
    expectSmall(answer, 50);
    await expectRegistered(answer, 50);
  });

  it.each([20_000, 20_001])('is large at %i bytes', async (bytes) => {
    const answer = await server.upload(sheet(`at-${bytes}`, 50, bytes));
    expectLarge(answer);
    await expectRegistered(answer, 50);
  });
});

describe('a file of few bytes', () => {
  it('is small at 199 rows', async () => {
    const answer = await server.upload(sheet('below', 199));
    expectSmall(answer, 199);
    await expectRegistered(answer, 199);
  });

  it.each([200, 201])('is large at %i rows', async (rows) => {
    const file = sheet(`at-${rows}`, rows);
    expect(file.length).toBeLessThan(20_000);
    const answer = await server.upload(file);
    expectLarge(answer);
    await expectRegistered(answer, rows);
  });

  it('counts samples, not lines: blank ones and a receipt do not make it large', async () => {
    const lines = sheet('skipped', 199).trimEnd().split('\n');
    const padded = lines.flatMap((line, at) => (at % 2 === 1 ? [line, '', '\t\t'] : [line]));
    const receipt = ['********RECEIPT START********', 'Status\tCOMPLETED', '********RECEIPT END********'];
    const answer = await server.upload(`${[...padded, ...receipt].join('\n')}\n`);
    expectSmall(answer, 199);
  });

  it('counts samples also when cells hold line breaks', async () => {
    const lines = Array.from({ length: 150 }, (_, row) => `broken-${row}\t2024-01-01\t"one\ntwo"`);
    const answer = await server.upload(`${[HEADER, ...lines].join('\n')}\n`);
    expectSmall(answer, 150);
  });

  it('is small also as a raw body', async () => {
    const answer = await server.upload(sheet('raw', 199), { raw: 'text/tab-separated-values' });
    expectSmall(answer, 199);
  });
});

it('answers a small file with its status document when JSON is asked for', async () => {
  const answer = await server.upload(sheet('as-json', 3), { headers: { accept: 'application/json' } });
  expect(answer.status).toBe(201);
  expect(answer.json()).toMatchObject({
    submissionId: submissionIdOf(answer),
    submissionStatus: 'COMPLETED',
    phase: 'DONE',
    counts: { rows: 3, created: 3 },
  });
});
