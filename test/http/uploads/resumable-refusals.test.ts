/** Refusals of resumable uploads that are the registry's and not the protocol's: problems like everywhere else. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiCaller } from '../../support/api-caller.js';
import { type Service, startService } from '../service.js';

let service: Service;
const lines: string[] = [];
beforeAll(async () => {
  service = await startService({ env: { QUOTA_BYTES_PER_DAY: '1000' }, log: (line) => lines.push(line) });
});
afterAll(() => service.stop());

const TUS = { 'tus-resumable': '1.0.0' };
const begin = (length: number, token: string | null, caller: ApiCaller = service) =>
  caller.call('/files', { method: 'POST', token, headers: { ...TUS, 'upload-length': String(length) } });
const COMMON = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'tus-resumable': '1.0.0' };

it('an upload that fails here is answered with an id under which the log has the reason, and the next does not fail with it', async () => {
  const folder = join(service.folder, 'resumable');
  rmSync(folder, { recursive: true });
  // What is out of order is no part of the description.
  const answer = await begin(10, service.adminToken, new ApiCaller(service.url, service.adminToken));
  const { errorId, code } = answer.json<{ errorId: string; code: string }>();
  expect([answer.status, code, answer.headers.get('content-type')]).toEqual([
    500,
    'internal',
    'application/problem+json',
  ]);
  expect(lines.filter((line) => line.includes(errorId) && line.includes('ENOENT'))).toHaveLength(1);
  expect(answer.text).not.toContain('ENOENT');
  mkdirSync(folder);
  expect((await begin(10, service.adminToken)).status).toBe(201);
});

it.each([
  ['without a token', () => begin(10, null), 401, { 'www-authenticate': 'Bearer realm="sample registry"' }],
  [
    'with one that is not valid',
    () => begin(10, 'nobodys'),
    401,
    { 'www-authenticate': 'Bearer realm="sample registry", error="invalid_token"' },
  ],
  [
    'of more than an account may send',
    async () => begin(1001, await service.token('lab-1')),
    429,
    { 'retry-after': /^\d+$/ },
  ],
  ['of more than the service takes', () => begin(2 ** 40, service.adminToken), 413, {}],
  [
    'of another',
    async () => {
      const at = (await begin(10, await service.token('lab-1'))).headers.get('location') ?? '';
      return service.call(at, { method: 'DELETE', token: await service.token('lab-2'), headers: TUS });
    },
    404,
    {},
  ],
] as const)('an upload %s', async (_, answered, status, headers) => {
  const answer = await answered();
  expect([answer.status, answer.json()]).toEqual([
    status,
    expect.objectContaining({ status, type: expect.any(String) }),
  ]);
  for (const [name, value] of Object.entries({ ...COMMON, ...headers }))
    expect(answer.headers.get(name)).toMatch(value);
});

it('a file that is refused is one submission that failed, whoever asks for it again', async () => {
  const token = await service.token('lab-3');
  const file = 'no\theader\n1\t2\n';
  const at = (await begin(file.length, token)).headers.get('location') ?? '';
  const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const refused = await service.call(at, { method: 'PATCH', token, headers, body: file });
  const { submissionId, code } = refused.json<{ submissionId: string; code: string }>();
  expect([refused.status, code]).toEqual([422, 'file.header']);
  for (let asked = 0; asked < 2; asked++) {
    const { status, headers: seen } = await service.call(at, { method: 'HEAD', token, headers: TUS });
    expect([status, seen.get('submission-id')]).toEqual([200, submissionId]);
  }
  const { _embedded } = (await service.call('/submissions', { token })).json<{
    _embedded: { submissions: { submissionId: string; submissionStatus: string }[] };
  }>();
  expect(_embedded.submissions).toMatchObject([{ submissionId, submissionStatus: 'FAILED' }]);
});

it('bytes that came before by another upload are said to have, whoever lost the answer', async () => {
  const token = await service.token('lab-4');
  const file = 'Sample Name\tRelease Date\none\t2024-01-01\n';
  const sent = async () => {
    const at = (await begin(file.length, token)).headers.get('location') ?? '';
    const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const last = await service.call(at, { method: 'PATCH', token, headers, body: file });
    const asked = await service.call(at, { method: 'HEAD', token, headers: TUS });
    return [last, asked].map(({ headers: seen }) => [seen.get('submission-id'), seen.get('idempotent-replayed')]);
  };
  const first = await sent();
  const id = first[0]?.[0] as string;
  expect(first).toEqual([
    [id, null],
    [id, null],
  ]);
  await service.settled(id, token);
  expect(await sent()).toEqual([
    [id, 'true'],
    [id, 'true'],
  ]);
  const other = (await begin(file.length, token)).headers.get('location') ?? '';
  expect((await service.call(other, { method: 'HEAD', token, headers: TUS })).headers.has('idempotent-replayed')).toBe(
    false,
  );
});

it('an upload that an administrator began may do with the pieces of a lesser token what that token may do', async () => {
  const body = { name: 'theirs', release: '2024-01-01T00:00:00Z' };
  const theirs = await service.send('POST', '/samples', body, { token: await service.token('lab-1') });
  const { accession } = theirs.json<{ accession: string }>();
  const sheet = Buffer.from(`Sample Identifier\tSample Name\tRelease Date\n${accession}\tmine\t2024-01-01\n`);
  const endedBy = async (token: string): Promise<string> => {
    const at = (await begin(sheet.length, service.adminToken)).headers.get('location') ?? '';
    const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const sent = await service.call(at, { method: 'PATCH', token, headers, body: sheet });
    expect(sent.status, sent.text).toBe(204);
    const { submissionStatus } = await service.settled(sent.headers.get('submission-id') ?? '');
    return submissionStatus;
  };
  expect(await endedBy(await service.token('admin', ['read', 'submit']))).toBe('FAILED');
  expect(await endedBy(service.adminToken)).toBe('COMPLETED');
});
