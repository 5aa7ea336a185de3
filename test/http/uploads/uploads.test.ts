/** The bulk route over HTTP: small and large, forms in any order, raw files. What is in the files is other suites' matter. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';
import { file, form, type Part, sheet } from './forms.js';

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

  it('of commas is answered with tabs, under the name of what it is', async () => {
    const answer = await service.upload(sheet().replaceAll('\t', ','), { token, name: 'mine.csv' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.text.split('\n', 1)[0]).toContain('\tSample Identifier');
    expect(answer.headers.get('content-disposition')).toContain('filename="mine.tsv"');
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
