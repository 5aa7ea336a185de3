import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainSheet } from '../support/plain-sheet.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
/** The one that was killed, on whose folder the last test goes on. */
let killed: TestServer | undefined;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await killed?.stop();
});

/** Places at which a file of so many rows is cut. */
const [CUTS, ROWS] = PROOF ? [20, 5_000] : [6, 1_500];
const TUS = { 'tus-resumable': '1.0.0' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const digest = (bytes: Buffer, algorithm = 'sha256') => createHash(algorithm).update(bytes);

async function create(file: Buffer, metadata: Record<string, string> = {}, token?: string): Promise<string> {
  const answer = await server.call('/files', {
    method: 'POST',
    ...(token ? { token } : {}),
    headers: {
      ...TUS,
      'upload-length': String(file.length),
      'upload-metadata': Object.entries({ filename: 'plate.tsv', ...metadata })
        .map(([name, value]) => `${name} ${base64(value)}`)
        .join(','),
    },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.headers.get('location') as string;
}

const patch = (url: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
  server.call(url, {
    method: 'PATCH',
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...headers },
    body: new Uint8Array(body),
  });

const offsetOf = async (url: string): Promise<number> =>
  Number((await server.call(url, { method: 'HEAD', headers: TUS })).headers.get('upload-offset'));

/** Declares the rest of the file, sends some of it, and hangs up when some of that has come. */
function cutAt(url: string, file: Buffer, from: number, to: number): Promise<void> {
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'PATCH',
      headers: {
        ...TUS,
        authorization: `Bearer ${server.adminToken}`,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': from,
        'content-length': file.length - from,
      },
    });
    sending.on('error', () => resolve());
    sending.on('close', () => resolve());
    const stored = join(server.dataDir, 'resumable', url.split('/').at(-1) as string);
    const hangUp = (): void => {
      if (statSync(stored).size > from) sending.destroy();
      else if (!sending.destroyed) setTimeout(hangUp, 5);
    };
    sending.write(file.subarray(from, to), hangUp);
  });
}

describe('a resumable upload', () => {
  it(`that is cut at ${CUTS} places goes on from where it was cut, and is the file that was sent`, async () => {
    const file = Buffer.from(plainSheet({ tag: 'cut', rows: ROWS }));
    const url = await create(file, { sha256: digest(file).digest('hex') });
    const step = Math.ceil(file.length / (CUTS + 1));
    let cuts = 0;
    for (let at = step; at < file.length; at += step) {
      const from = await offsetOf(url);
      await cutAt(url, file, from, at);
      expect(await offsetOf(url)).toBeGreaterThan(from);
      cuts++;
    }
    expect(cuts).toBe(CUTS);
    const from = await offsetOf(url);
    expect(from).toBeLessThan(file.length);
    const last = await patch(url, from, file.subarray(from));
    expect(last.status, last.text).toBe(204);
    const id = last.headers.get('submission-id') as string;
    expect(last.headers.get('content-location')).toBe(`${server.url}/submissions/${id}`);
    const status = await server.settled(id);
    expect(status).toMatchObject({ submissionStatus: 'COMPLETED', fileName: 'plate.tsv', counts: { created: ROWS } });
    expect((await server.get(`/submissions/${id}/original`)).bytes.equals(file)).toBe(true);
    // Who lost the last answer asks again and hears the same.
    const again = await server.call(url, { method: 'HEAD', headers: TUS });
    expect(again.headers.get('submission-id')).toBe(id);
    expect(again.headers.get('upload-offset')).toBe(String(file.length));
  });

  it('is one submission to everybody who asks while it is made: the last answer may be lost', {
    tags: 'slow',
  }, async () => {
    const file = Buffer.from(plainSheet({ tag: 'asked', rows: 30_000 }));
    const url = await create(file);
    await patch(url, 0, file.subarray(0, -10));
    let answered = false;
    const last = patch(url, file.length - 10, file.subarray(-10)).finally(() => {
      answered = true;
    });
    const asking = Array.from({ length: 4 }, async () => {
      const heard = new Set<string>();
      while (!answered) {
        const { status, headers } = await server.call(url, { method: 'HEAD', headers: TUS });
        const whole = headers.get('upload-offset') === String(file.length);
        if (whole || status !== 200) heard.add(`${status} ${headers.get('submission-id')}`);
      }
      return [...heard];
    });
    const id = (await last).headers.get('submission-id');
    expect((await Promise.all(asking)).flat().filter((heard) => heard !== `200 ${id}`)).toEqual([]);
    expect(await server.settled(id as string)).toMatchObject({ counts: { created: 30_000 } });
  });

  it('is understood by the client of the protocol, options included', { tags: 'slow' }, async () => {
    const file = Buffer.from(plainSheet({ tag: 'client', rows: 300 }));
    const headers = await new Promise<{ id: string | undefined }>((resolve, reject) => {
      const upload = new Upload(file, {
        endpoint: `${server.url}/files`,
        chunkSize: 5_000,
        headers: { authorization: `Bearer ${server.adminToken}` },
        metadata: { filename: 'client.tsv', dryRun: 'true' },
        onError: reject,
        onSuccess: ({ lastResponse }) => resolve({ id: lastResponse.getHeader('Submission-Id') }),
      });
      upload.start();
    });
    const status = await server.settled(headers.id as string);
    expect(status).toMatchObject({ fileName: 'client.tsv', counts: { created: 300 }, options: { dryRun: true } });
  });

  it.each(['sha256', 'sha1', 'md5'])(
    'refuses a piece whose %s is wrong and takes the right one',
    { tags: 'slow' },
    async (algorithm) => {
      const file = Buffer.from(plainSheet({ tag: algorithm, rows: 500 }));
      const url = await create(file);
      const [first, rest] = [file.subarray(0, 9_000), file.subarray(9_000)];
      const wrong = await patch(url, 0, first, {
        'upload-checksum': `${algorithm} ${digest(randomBytes(9), algorithm).digest('base64')}`,
      });
      expect(wrong.status).toBe(460);
      expect(await offsetOf(url)).toBe(0);
      const right = await patch(url, 0, first, {
        'upload-checksum': `${algorithm} ${digest(first, algorithm).digest('base64')}`,
      });
      expect(right.status).toBe(204);
      const last = await patch(url, 9_000, rest, {
        'upload-checksum': `${algorithm} ${digest(rest, algorithm).digest('base64')}`,
      });
      expect(last.headers.get('submission-id')).toBeTruthy();
    },
  );

  it('refuses a whole file that is not the one its SHA-256 speaks of', { tags: 'slow' }, async () => {
    const file = Buffer.from(plainSheet({ tag: 'other', rows: 10 }));
    const url = await create(file, { sha256: digest(randomBytes(9)).digest('hex') });
    const answer = await patch(url, 0, file);
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ code: 'file.checksum' });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    const list = (await server.get('/submissions?size=200')).json<{
      _embedded: { submissions: { sha256: string }[] };
    }>();
    expect(list._embedded.submissions.map(({ sha256 }) => sha256)).not.toContain(digest(file).digest('hex'));
  });

  it('is its account’s alone', { tags: 'slow' }, async () => {
    const file = Buffer.from(plainSheet({ tag: 'mine', rows: 10 }));
    const url = await create(file, {}, await server.token('ada'));
    const token = await server.token('bo');
    for (const method of ['HEAD', 'DELETE']) {
      expect((await server.call(url, { method, token, headers: TUS })).status).toBe(404);
    }
    expect((await server.call(url, { method: 'HEAD', token: null, headers: TUS })).status).toBe(401);
    expect(
      (await server.call('/files', { method: 'POST', token: null, headers: { ...TUS, 'upload-length': '5' } })).status,
    ).toBe(401);
    const forged = await create(file, { account: 'ada', admin: 'true', submission: 'x' }, token);
    expect((await server.call(forged, { method: 'HEAD', token, headers: TUS })).status).toBe(200);
    expect((await server.call(forged, { method: 'HEAD', token: await server.token('ada'), headers: TUS })).status).toBe(
      404,
    );
  });

  it('is refused at once when it is too large or its options cannot be taken', async () => {
    const large = await server.call('/files', {
      method: 'POST',
      headers: { ...TUS, 'upload-length': String(2 ** 40) },
    });
    expect(large.status).toBe(413);
    const bad = await server.call('/files', {
      method: 'POST',
      headers: { ...TUS, 'upload-length': '5', 'upload-metadata': `mode ${base64('everything')}` },
    });
    expect(bad.status).toBe(400);
    expect(bad.text).toContain('mode');
    expect((await server.call('/files/../../etc/passwd', { method: 'HEAD', headers: TUS })).status).toBe(404);
  });

  it('is not read back: what it was lies with its submission', { tags: 'slow' }, async () => {
    const url = await create(Buffer.from('Sample Name\n'));
    const read = await server.call(url, { headers: TUS });
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'DELETE, HEAD, OPTIONS, PATCH']);
    expect(read.json()).toMatchObject({ code: 'method.not-allowed', detail: expect.stringContaining('submission') });
  });

  it('goes on after the server was killed', { tags: 'slow' }, async () => {
    const file = Buffer.from(plainSheet({ tag: 'killed', rows: 2_000 }));
    const url = await create(file);
    await patch(url, 0, file.subarray(0, 30_000));
    await server.kill('SIGKILL');
    killed = server;
    server = await startServer({ dataDir: killed.dataDir, env: { ADMIN_TOKEN: killed.adminToken } });
    const here = url.replace(killed.url, server.url);
    expect(await offsetOf(here)).toBe(30_000);
    const last = await patch(here, 30_000, file.subarray(30_000));
    expect((await server.settled(last.headers.get('submission-id') as string)).counts.created).toBe(2_000);
  });
});
