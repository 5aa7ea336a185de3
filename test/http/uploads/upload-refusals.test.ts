/** Uploads that are refused: why, how early, and that nothing of them stays. */
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../service.js';
import { file, form, sheet } from './forms.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService({ env: { MAX_UPLOAD_BYTES: '3000000' } });
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

const blobs = (): number =>
  readdirSync(join(service.folder, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;
const submissions = async (): Promise<number> =>
  (await service.get('/submissions?size=200')).json<{ _embedded?: { submissions: unknown[] } }>()._embedded?.submissions
    .length ?? 0;

describe('refusals', () => {
  it('name the line and the fix of a file that cannot be understood, and keep only the FAILED submission', async () => {
    const answer = await service.upload('alias\ttitle\nx\ty\n', { token });
    expect(answer.status).toBe(422);
    const problem = answer.json<{ code: string; submissionId: string }>();
    expect(problem.code).toMatch(/^file\./);
    expect((await service.status(problem.submissionId, token)).submissionStatus).toBe('FAILED');
  });

  it.each([
    ['a form without file', form(['mode', 'partial'])],
    ['a file without file name', form(['file', 'Sample Name\nx\n'])],
    ['two files', form(file('Sample Name\nx\n'), file('Sample Name\ny\n', 'b.tsv'))],
    [
      'a form that ends in the middle',
      { ...form(file('Sample Name\nx\n')), body: form(file('Sample Name\nx\n')).body.slice(0, -30) },
    ],
    ['a form with an empty boundary', { headers: { 'content-type': 'multipart/form-data; boundary=' }, body: 'x' }],
    ['a form with a quoted empty one', { headers: { 'content-type': 'multipart/form-data; boundary=""' }, body: 'x' }],
    ['a form without boundary', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
  ])('of %s are 400 and leave nothing behind', async (_, sent) => {
    const [before, count] = [blobs(), await submissions()];
    const answer = await service.call('/submissions', { method: 'POST', token, ...sent });
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
    expect([blobs(), await submissions()]).toEqual([before, count]);
  });

  it.each(['text/html', 'application/x-www-form-urlencoded', 'image/png'])(
    'of a body of type %s are 415',
    async (type) => {
      const answer = await service.upload(sheet(), { token, raw: type });
      expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
        415,
        expect.stringContaining('multipart/form-data'),
      ]);
    },
  );

  it('of a file that is compressed on its way are 415', async () => {
    const answer = await service.upload(sheet(), { token, raw: 'text/csv', headers: { 'content-encoding': 'gzip' } });
    expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
      415,
      'The Content-Encoding is "gzip"; send the file as it is.',
    ]);
  });

  it('of a length that is declared too large come before the body', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${service.url}/submissions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'text/tab-separated-values',
          'content-length': 2 ** 31,
        },
      });
      call.once('response', (response) => {
        resolve(response.statusCode);
        call.destroy();
      });
      call.once('error', reject);
      call.write('Sample Name\n');
    });
    expect(status).toBe(413);
  });

  it.each(['raw', 'form'])(
    'of a body that grows too large (%s, length not declared) are 413 and leave nothing',
    async (way) => {
      const before = blobs();
      const sent = form(file(sheet(200_000)));
      const { status, code } = await sendChunked(
        way === 'form' ? sent.headers : { 'content-type': 'text/tab-separated-values' },
        way === 'form' ? sent.body : sheet(200_000),
      );
      expect([status, code]).toEqual([413, 'file.too-large']);
      expect(blobs()).toBe(before);
    },
  );

  it.each(['raw', 'form'])('leave nothing of a connection that is cut (%s)', async (way) => {
    const [before, count] = [blobs(), await submissions()];
    const { headers, body } =
      way === 'form'
        ? form(file(sheet(5000)))
        : { headers: { 'content-type': 'text/tab-separated-values' }, body: sheet(5000) };
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = Object.entries({
      host: 'x',
      authorization: `Bearer ${token}`,
      'content-length': body.length,
      ...headers,
    });
    socket.write(
      `POST /submissions HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    );
    socket.write(body.slice(0, 100_000));
    await sleep(100);
    socket.destroy();
    await expect.poll(async () => [blobs(), await submissions()]).toEqual([before, count]);
  });
});

/** Sends a body in chunks and reads the answer as soon as it comes. */
function sendChunked(
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number | undefined; code: string }> {
  return new Promise((resolve, reject) => {
    const call = request(`${service.url}/submissions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    let answered = false;
    call.once('error', (error) => answered || reject(error));
    call.once('response', async (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        status: response.statusCode,
        code: (JSON.parse(Buffer.concat(chunks).toString()) as { code: string }).code,
      });
      call.destroy();
    });
    call.end(body);
  });
}
