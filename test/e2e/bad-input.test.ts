/**
 * Bad input of every kind is answered with a clear problem or row errors: never a 5xx, a hang, a temporary file left
 * behind, or a sample made of a header, comment, blank or receipt line.
 */
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadsKept } from '../many-machines/engines.js';
import type { Answer } from '../support/api-caller.js';
import { startServer, type TestServer } from '../support/server.js';

const HEADER = 'Sample Name\tRelease Date\tCharacteristics[note]\n';
const MiB = 1024 * 1024;
/** Characters, docs/limits.md. */
const LONGEST_CELL = 100_000;
/** What this service takes of a file. */
const LARGEST = 8 * MiB;

interface Characterized {
  characteristics: Record<string, { text: string }[]>;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { MAX_UPLOAD_BYTES: String(LARGEST) } });
});
afterAll(() => server.stop());

/** The characteristic `note` of each sample of a submission, by name. */
async function notesOf(id: string): Promise<Record<string, string | undefined>> {
  const notes = (await server.mapping(id)).sampleNameAccessionPairs.map(async ({ sampleName, sampleAccession }) => {
    const { characteristics } = (await server.get(`/samples/${sampleAccession}`)).json<Characterized>();
    return [sampleName, characteristics.note?.[0]?.text] as const;
  });
  return Object.fromEntries(await Promise.all(notes));
}

/** A problem document that names its code and says something; never an accession. */
function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.text).not.toMatch(/SAMR\d/);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = answer.json<{ status: number; code: string; detail: string; message: string }>();
  expect(problem).toMatchObject({ status, code });
  expect(answer.status).toBe(status);
  expect(problem.detail.length).toBeGreaterThan(10);
  expect(problem.message).toBe(problem.detail);
}

async function stillServes(): Promise<void> {
  const { status } = await server.uploadAndSettle(`${HEADER}alive ${Math.random()}\t2024-01-01\tyes\n`);
  expect(status.submissionStatus).toBe('COMPLETED');
}

/** The stored uploads, once nothing is on its way any more: whatever stays in the folder of incoming ones has leaked. */
async function filesKept(): Promise<string[]> {
  if (process.env.TEST_ENGINES === 'many') return uploadsKept(server.dataDir);
  const files = () =>
    readdirSync(join(server.dataDir, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(server.dataDir, 'blobs', path), { throwIfNoEntry: false })?.isFile(),
    );
  await expect.poll(() => files().filter((path) => path.startsWith('incoming'))).toEqual([]);
  return files();
}

describe('a file that cannot be understood', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'file.empty'],
    ['of a byte-order mark alone', new Uint8Array([0xef, 0xbb, 0xbf]), 'file.empty'],
    ['of line breaks alone', '\n\r\n\r\n', 'file.empty'],
    ['of the header alone', HEADER, 'file.empty'],
    [
      'of header, comments and a receipt alone',
      `Source Name\t${HEADER}# x\t\t\t\n\n********RECEIPT START********\t\t\nStatus\tCOMPLETED\t\n********RECEIPT END********\n`,
      'file.empty',
    ],
    ['of a JPEG', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1, 1, 0]), 'file.*'],
    ['of random bytes', new Uint8Array(4096).map((_, at) => (at * 7919 + (at >> 3)) % 256), 'file.*'],
    ['of NUL bytes', new Uint8Array(1000), 'file.*'],
    ['with an unclosed quote', `${HEADER}a\t2024-01-01\t"never closed\nb\t2024-01-01\tx\n`, 'file.quote-unclosed'],
    [
      'with half of a receipt',
      `${HEADER}a\t2024-01-01\tx\n\n********RECEIPT START********\nCreated\t1\nb\t2024-01-01\tx\n`,
      'file.receipt-unclosed',
    ],
    ['with two Sample Name columns', 'Sample Name\tRelease Date\tsample_name\na\t2024-01-01\tb\n', 'file.header'],
    ['of comma-separated text', 'Name,Date\na,2024-01-01\n', 'file.*'],
    ['of HTML', '<!doctype html><title>Sign in</title>\n<p>Sample Name</p>\n', 'file.*'],
    ['in latin-1', Buffer.from(`${HEADER}caf\xe9\t2024-01-01\tx\n`, 'latin1'), 'file.encoding'],
    [
      'in UTF-16 cut inside a letter',
      Buffer.concat([
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`${HEADER}a\t2024-01-01\tx`, 'utf16le'),
        Buffer.from([0x41]),
      ]),
      'file.encoding',
    ],
  ])('%s is a problem, and nothing is registered', async (what, file, code) => {
    const answer = await server.upload(file, { name: `${what}.tsv` });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.json().code).toMatch(code === 'file.*' ? /^file\./ : new RegExp(`^${code}$`));
    expectProblem(answer, 422, answer.json().code as string);
    await stillServes();
  });

  it('names line and column, and is kept as a FAILED submission', async () => {
    const answer = await server.upload(`${HEADER}a\t2024-01-01\tx\nb\t2024-01-01\t"open\n`, { name: 'open.tsv' });
    expect(answer.json().detail).toMatch(/\b3\b/);
    const id = answer.json<{ submissionId: string }>().submissionId;
    const status = await server.status(id);
    expect(status.submissionStatus).toBe('FAILED');
    expect(status.problem).toMatchObject({ code: 'file.quote-unclosed' });
    expect(status.counts).toEqual({ rows: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 });
  });

  it('of a large file of the wrong kind is refused at once', async () => {
    const answer = await server.upload(`alias\ttitle\ttaxon_id\n${'a\tb\t9606\n'.repeat(200_000)}`);
    expectProblem(answer, 422, 'file.header');
  });
});

describe('strange content in a file that can be understood', () => {
  it('5 MB in one cell are refused by name, the longest cell is kept whole, and the next row is not touched', {
    tags: 'slow',
  }, async () => {
    const cells = { huge: 'x'.repeat(5 * MiB), longest: 'y'.repeat(LONGEST_CELL), small: 'z' };
    const rows = Object.entries(cells).map(([name, note]) => `${name}\t2024-01-01\t${note}\n`);
    const { id, status } = await server.uploadAndSettle(HEADER + rows.join(''));
    expect(status.counts).toEqual({ rows: 3, created: 2, updated: 0, unchanged: 0, rejected: 1 });
    expect(status.issues).toMatchObject([{ code: 'cell.too-long', column: 'Characteristics[note]', lines: [2] }]);
    expect(await notesOf(id)).toEqual({ longest: cells.longest, small: cells.small });
  });

  it('100 000 columns are refused: no header row is that long', { tags: 'slow' }, async () => {
    const columns = Array.from({ length: 100_000 }, (_, at) => `Characteristics[c${at}]`);
    const values = columns.map((_, at) => `v${at}`);
    const answer = await server.upload(
      `Sample Name\tRelease Date\t${columns.join('\t')}\nwide\t2024-01-01\t${values.join('\t')}\n`,
    );
    expectProblem(answer, 422, 'file.header');
    expect(answer.json().detail).toContain('1 MiB');
  });

  it('3 000 columns: every value in its column', { tags: 'slow' }, async () => {
    const columns = Array.from({ length: 3_000 }, (_, at) => `Characteristics[c${at}]`);
    const values = columns.map((_, at) => `v${at}`);
    const { id } = await server.uploadAndSettle(
      `Sample Name\tRelease Date\t${columns.join('\t')}\nwide\t2024-01-01\t${values.join('\t')}\n`,
    );
    const [pair] = (await server.mapping(id)).sampleNameAccessionPairs;
    const sample = (await server.get(`/samples/${pair?.sampleAccession}`)).json<Characterized>();
    const read = Object.entries(sample.characteristics).map(([name, [value]]) => `${name} ${value?.text}`);
    expect(read.sort()).toEqual(values.map((value, at) => `c${at} ${value}`).sort());
  });

  it('a NUL is refused by row, any other control character is kept as it is', async () => {
    const sheet = `${HEADER}nul\t2024-01-01\ta\0b\nbell\t2024-01-01\ta\x07b\nplain\t2024-01-01\tc\n`;
    const { id, status } = await server.uploadAndSettle(sheet);
    expect(status.counts).toEqual({ rows: 3, created: 2, updated: 0, unchanged: 0, rejected: 1 });
    expect(status.issues[0]).toMatchObject({ code: 'cell.control-character', lines: [2] });
    expect(await notesOf(id)).toEqual({ bell: 'a\x07b', plain: 'c' });
  });

  it('UTF-16 with a byte-order mark is read', async () => {
    const text = Buffer.from(`${HEADER}größe\t2024-01-01\t脾臓\n`, 'utf16le');
    const { id } = await server.uploadAndSettle(Buffer.concat([Buffer.from([0xff, 0xfe]), text]));
    expect((await server.mapping(id)).sampleNameAccessionPairs[0]?.sampleName).toBe('größe');
  });

  it('no sample is made of a header, comment, blank or receipt line', async () => {
    const receipt = '********RECEIPT START********\t\t\nx\tfake\t2024-01-01\tx\n********RECEIPT END********\t\t\n';
    const header = `Source Name\t${HEADER}`;
    const sheet = `${header}x\treal-1\t2024-01-01\tx\n\n\t\t\t\n# comment\n#\t\t2024-01-01\tx\n${receipt}\nx\treal-2\t2024-01-01\tx\n`;
    const { id, status } = await server.uploadAndSettle(sheet);
    const names = (await server.mapping(id)).sampleNameAccessionPairs.map(({ sampleName }) => sampleName);
    expect(names).toEqual(['real-1', 'real-2']);
    expect(status.counts).toEqual({ rows: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 });
  });
});

describe('a request that is not an upload', () => {
  it.each<[string, Record<string, string>, string, number]>([
    ['of an unknown media type', { 'content-type': 'image/png' }, 'x', 415],
    ['of multipart without a boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    [
      'of multipart without a file',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="mode"\r\n\r\npartial\r\n--b--\r\n',
      400,
    ],
    [
      'of multipart that ends early',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.tsv"\r\n\r\nSample',
      400,
    ],
  ])('%s is a problem', async (_what, headers, body, status) => {
    const before = await filesKept();
    const answer = await server.call('/submissions', { method: 'POST', headers, body });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await filesKept()).toEqual(before);
  });

  it.each([
    ['mode', 'everything', 400, 'request.invalid'],
    ['update', 'sometimes', 400, 'request.invalid'],
    ['releaseDate', '21/11/2024', 400, 'request.invalid'],
    ['encoding', 'klingon', 400, 'request.invalid'],
    ['dryRun', 'maybe', 400, 'request.invalid'],
    ['unknownColumns', 'eat', 400, 'request.invalid'],
    ['checklist', 'no-such-checklist', 422, 'checklist.unknown'],
  ])('with the option %s=%s names the option and the value', async (option, value, status, code) => {
    const before = await filesKept();
    const answer = await server.upload(`${HEADER}a\t2024-01-01\tx\n`, { options: { [option]: value } });
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
    expect(answer.json().detail).toContain(option);
    expect(answer.json().detail).toContain(value);
    expect((await filesKept()).length).toBe(before.length);
  });

  it('with two files is refused', async () => {
    const form = new FormData();
    for (const name of ['a.tsv', 'b.tsv']) form.append('file', new File([`${HEADER}${name}\t2024-01-01\tx\n`], name));
    const answer = await server.call('/submissions', { method: 'POST', body: form });
    expectProblem(answer, 400, 'request.invalid');
  });

  it('larger than this service takes is 413 and leaves nothing behind', async () => {
    const before = await filesKept();
    const answer = await server.upload(`${HEADER}${'x'.repeat(LARGEST + MiB)}`).catch(() => undefined);
    if (answer) expectProblem(answer, 413, 'file.too-large');
    await stillServes();
    expect((await filesKept()).length).toBe(before.length + 1);
  });
});

describe('a connection', () => {
  /** Writes these pieces to the server and resolves to what came back once the connection is closed. */
  function exchange(write: (socket: import('node:net').Socket) => void): Promise<string> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let received = '';
      socket.on('data', (data) => {
        received += data.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(received));
      socket.once('connect', () => write(socket));
    });
  }

  const request = (length: number) =>
    `POST /submissions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.adminToken}\r\n` +
    `Content-Type: text/tab-separated-values\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;

  it('that declares 2 GB is reported 413 without its bytes being awaited', { tags: 'slow' }, async () => {
    const received = await exchange((socket) => {
      socket.write(`${request(2 ** 31)}${HEADER}`);
      setTimeout(() => socket.destroy(), 5 * 60_000).unref();
    });
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toContain('file.too-large');
    await stillServes();
  });

  it('cut in the middle of an upload leaves no file, no sample and no running submission', async () => {
    const before = await filesKept();
    const listed = (await server.get('/submissions?size=1')).text;
    for (const sent of [0, 10, 100_000, 3 * MiB]) {
      await exchange((socket) => {
        socket.write(request(5 * MiB));
        socket.write(`${HEADER}cut-${sent}\t2024-01-01\t${'x'.repeat(sent)}`, () =>
          setTimeout(() => socket.destroy(), 100),
        );
      });
    }
    expect(await filesKept()).toEqual(before);
    expect((await server.get('/submissions?size=1')).json()._embedded).toEqual(JSON.parse(listed)._embedded);
    await stillServes();
  });
});
