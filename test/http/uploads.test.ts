/** The bulk route over HTTP: forms in any order, raw files, refusals, downloads, events. What is in the files is other suites' matter. */
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { type Service, startService } from './service.js';

let service: Service;
let token: string;
beforeAll(async () => {
  service = await startService({ env: { MAX_UPLOAD_BYTES: '3000000' } });
  token = await service.token('lab-1');
});
afterAll(() => service.stop());

interface SubmissionPage {
  _embedded: { submissions: { submissionId: string }[] };
  _links: { next?: { href: string } };
}

let files = 0;
/** A table that was never uploaded before. */
function sheet(rows = 2, release = true): string {
  files += 1;
  const lines = Array.from({ length: rows }, (_, at) =>
    [`f${files}-${at}`, 'Homo sapiens', ...(release ? ['2020-01-01'] : [])].join('\t'),
  );
  return `${['Sample Name', 'Characteristics[organism]', ...(release ? ['Release Date'] : [])].join('\t')}\n${lines.join('\n')}\n`;
}
const blobs = (): number =>
  readdirSync(join(service.folder, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;
const submissions = async (): Promise<number> =>
  (await service.get('/submissions?size=200')).json<{ _embedded?: { submissions: unknown[] } }>()._embedded?.submissions
    .length ?? 0;

type Part = [name: string, value: string | { fileName: string; content: string }];

/** A multipart body with its parts in exactly this order. */
function form(...parts: Part[]): { headers: Record<string, string>; body: string } {
  const boundary = 'test-boundary-7e1c';
  const spelt = parts.map(([name, value]) =>
    typeof value === 'string'
      ? `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      : `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${value.fileName}"\r\nContent-Type: text/plain\r\n\r\n${value.content}\r\n`,
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${spelt.join('')}--${boundary}--\r\n`,
  };
}
const file = (content: string, fileName = 'samples.tsv'): Part => ['file', { fileName, content }];
const sendForm = (...parts: Part[]) => service.call('/submissions', { method: 'POST', token, ...form(...parts) });

describe('a small upload', () => {
  it('answers 201 with the result as a download, and its address', async () => {
    const answer = await service.upload(sheet(), { token, name: 'my sheet.tsv' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers.get('content-type')).toBe('text/tab-separated-values;charset=UTF-8');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="my sheet.tsv"; filename*=UTF-8''my%20sheet.tsv`,
    );
    expect(answer.headers.get('location')).toBe(`${service.url}/submissions/${submissionIdOf(answer)}`);
    expect(answer.text).toMatch(/SAMR\d+/);
    expect(answer.text).toContain('RECEIPT START');
  });

  it('answers the status document when JSON is asked for', async () => {
    const answer = await service.upload(sheet(), { token, headers: { accept: 'application/json' } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(answer.json()).toMatchObject({
      submissionStatus: 'COMPLETED',
      counts: { rows: 2, created: 2 },
      submitterDetails: 'lab-1',
    });
  });

  it('answers the first submission when the same bytes come again', async () => {
    const content = sheet();
    const first = await service.upload(content, { token });
    const again = await service.upload(content, { token });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(submissionIdOf(again)).toBe(submissionIdOf(first));
    const fresh = await service.upload(content, { token, options: { duplicate: 'allow' } });
    expect(submissionIdOf(fresh)).not.toBe(submissionIdOf(first));
  });

  it('refuses a key that came with another file', async () => {
    const headers = { 'idempotency-key': 'order 66' };
    expect((await service.upload(sheet(), { token, headers })).status).toBe(201);
    const other = await service.upload(sheet(), { token, headers });
    expect([other.status, other.json<{ code: string }>().code]).toEqual([422, 'submission.key-reused']);
    expect((await service.upload(sheet(), { token, headers: { 'idempotency-key': ' '.repeat(300) } })).status).not.toBe(
      500,
    );
  });
});

describe('a large upload', () => {
  it('answers 202 with two lines and the mapping once it is done', async () => {
    const answer = await service.upload(sheet(250), { token });
    expect(answer.status).toBe(202);
    const id = submissionIdOf(answer);
    expect(answer.text).toBe(`Submission ID\n${id}\n`);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await service.settled(id, token);
    const mapping = await service.mapping(id, token);
    expect(mapping.sampleNameAccessionPairs).toHaveLength(250);
    expect(mapping.sampleNameAccessionPairs[0]?.sampleAccession).toMatch(/^SAMR\d+$/);
  });
});

describe('options', () => {
  it.each([
    ['in front of the file', (content: string): Part[] => [['releaseDate', '2021-02-03'], file(content)]],
    ['behind the file', (content: string): Part[] => [file(content), ['releaseDate', '2021-02-03']]],
  ])('count %s', async (_, parts) => {
    const answer = await sendForm(...parts(sheet(1, false)));
    expect(answer.status, answer.text).toBe(201);
    const accession = /SAMR\d+/.exec(answer.text)?.[0];
    expect((await service.get(`/samples/${accession}`)).json()).toMatchObject({ release: '2021-02-03T00:00:00.000Z' });
  });

  it('count behind a file that is larger than any buffer', async () => {
    const content = sheet(60_000, false);
    const answer = await sendForm(file(content), ['releaseDate', '2021-02-03'], ['dryRun', 'true']);
    expect(answer.status, answer.text.slice(0, 300)).toBe(202);
    const status = await service.status(submissionIdOf(answer), token);
    expect(status).toMatchObject({ options: { dryRun: true, releaseDate: '2021-02-03T00:00:00.000Z' } });
    await service.call(`/submissions/${submissionIdOf(answer)}`, { method: 'DELETE', token });
  });

  it('count in the query of a raw file', async () => {
    const answer = await service.upload(sheet(1, false), {
      token,
      raw: 'text/tab-separated-values',
      options: { releaseDate: '2021-02-03' },
    });
    expect(answer.status, answer.text).toBe(201);
  });

  it('are refused with every fault at once, wherever they stand, and nothing is kept', async () => {
    const [before, count] = [blobs(), await submissions()];
    for (const parts of [
      [['mode', 'maybe'], ['releaseDate', '21/11/2024'], file(sheet())],
      [file(sheet()), ['mode', 'maybe'], ['releaseDate', '21/11/2024']],
    ] as Part[][]) {
      const answer = await sendForm(...parts);
      expect(answer.status).toBe(400);
      const { errors } = answer.json<{ errors: { dataPath: string; errors: string[] }[] }>();
      expect(errors.map(({ dataPath }) => dataPath).sort()).toEqual(['/mode', '/releaseDate']);
      expect(JSON.stringify(errors)).toContain('2024-11-21');
    }
    expect([blobs(), await submissions()]).toEqual([before, count]);
  });

  it('that are misspelt are refused, others that nobody knows are ignored', async () => {
    const wrong = await sendForm(['Release_Date', '2021-01-01'], file(sheet()));
    expect([wrong.status, wrong.json<{ detail: string }>().detail]).toEqual([
      400,
      expect.stringContaining('write releaseDate'),
    ]);
    expect((await sendForm(['_charset_', 'utf-8'], ['submit', 'Go'], file(sheet()))).status).toBe(201);
  });
});

describe('refusals', () => {
  it('name the line and the mend of a file that cannot be understood, and keep only the FAILED submission', async () => {
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
    ['a form without boundary', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
  ])('of %s are 400 and leave nothing behind', async (_, sent) => {
    const [before, count] = [blobs(), await submissions()];
    const answer = await service.call('/submissions', { method: 'POST', token, ...sent });
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, 'request.invalid']);
    expect([blobs(), await submissions()]).toEqual([before, count]);
  });

  it.each(['application/json', 'application/x-www-form-urlencoded', 'image/png'])(
    'of a body of type %s are 415',
    async (type) => {
      const answer = await service.upload(sheet(), { token, raw: type });
      expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
        415,
        expect.stringContaining('multipart/form-data'),
      ]);
    },
  );

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
    await expect.poll(async () => [blobs(), await submissions()], { timeout: 5000 }).toEqual([before, count]);
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

describe('a submission', () => {
  it('offers its status, result, errors, mapping and original as downloads', async () => {
    const content = sheet();
    const id = submissionIdOf(await service.upload(content, { token, name: 'ä "q" \\ ..%2F€.tsv' }));
    const original = await service.get(`/submissions/${id}/original`, { token });
    expect(original.text).toBe(content);
    expect(original.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[ -~]*"; filename\*=UTF-8''[\w%.~-]+$/,
    );
    expect(original.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await service.result(id, token)).split('\n')[1]).toMatch(/^f\d+-0\t.*\tSAMR\d+$/);
    expect((await service.get(`/submissions/${id}/errors`, { token })).status).toBe(200);
    expect((await service.mapping(id, token)).sampleNameAccessionPairs).toHaveLength(2);
    const head = await service.call(`/submissions/${id}/result`, { method: 'HEAD', token });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('does not exist for other accounts, in any of its addresses', async () => {
    const id = submissionIdOf(await service.upload(sheet(), { token }));
    const other = await service.token('lab-2');
    for (const rest of ['', '/result', '/mapping', '/errors', '/original', '/events']) {
      expect((await service.get(`/submissions/${id}${rest}`, { token: other })).status).toBe(404);
      expect((await service.get(`/submissions/${id}${rest}`, { token: null })).status).toBe(401);
    }
    expect((await service.call(`/submissions/${id}`, { method: 'DELETE', token: other })).status).toBe(404);
    expect((await service.get(`/submissions/${id}`)).status).toBe(200);
    expect((await service.get('/submissions/not-an-id', { token })).status).toBe(404);
    expect((await service.get('/submissions', { token: other })).json()).not.toHaveProperty('_embedded');
  });

  it('is listed newest first, page by page', async () => {
    const pager = await service.token('pager');
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) ids.unshift(submissionIdOf(await service.upload(sheet(), { token: pager })));
    const listed: string[] = [];
    let next: string | undefined = '/submissions?size=2';
    while (next) {
      const page: SubmissionPage = (await service.get(next, { token: pager })).json<SubmissionPage>();
      listed.push(...page._embedded.submissions.map(({ submissionId }) => submissionId));
      next = page._links.next?.href.slice(service.url.length);
    }
    expect(listed).toEqual(ids);
  });

  it('tells its progress as events, to its end', async () => {
    const answer = await service.upload(sheet(3000), { token });
    const response = await fetch(`${service.url}/submissions/${submissionIdOf(answer)}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).split('\n\n').filter((block) => block.includes('event:'));
    const states = events.map(
      (block) => (JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as { submissionStatus: string }).submissionStatus,
    );
    expect(states.at(-1)).toBe('COMPLETED');
    expect(events.at(-1)).toContain('event: end');
    expect(states.slice(0, -1).every((state) => state === 'ACTIVE')).toBe(true);
  });

  it('that has ended stays as it is when it is cancelled, and cannot be retried', async () => {
    const id = submissionIdOf(await service.upload(sheet(), { token }));
    const cancelled = await service.call(`/submissions/${id}`, { method: 'DELETE', token });
    expect([cancelled.status, cancelled.json<{ submissionStatus: string }>().submissionStatus]).toEqual([
      200,
      'COMPLETED',
    ]);
    const retried = await service.call(`/submissions/${id}/retry`, { method: 'POST', token });
    expect([retried.status, retried.json<{ code: string }>().code]).toEqual([409, 'submission.final']);
  });
});
