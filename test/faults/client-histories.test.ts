/**
 * The checker of clients' calls, which goes over every file of these suites, bites: a service that loses an update, reads
 * what is over or commits twice is noticed by what its clients saw, and by that alone.
 *
 * @module-tag slow
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiCaller, submissionIdOf } from '../support/api-caller.js';
import { beginLog, endLog } from '../support/call-log.js';
import { checkCalls } from '../support/check-calls.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Passed, TamperingProxy } from './tampering-proxy.js';

let server: TestServer;
let proxy: TamperingProxy | undefined;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(async () => {
  // What was planted is not for the checker of the file itself.
  beginLog();
  await proxy?.close();
  proxy = undefined;
});

type Tamper = Parameters<typeof TamperingProxy.open>[1];

/** What is found in the calls that are made through a way on which that happens. */
async function findIn(tamper: Tamper, calls: (api: ApiCaller) => Promise<void>): Promise<string> {
  proxy = await TamperingProxy.open(server.url, tamper);
  beginLog();
  await calls(new ApiCaller(proxy.url, server.adminToken));
  return checkCalls(endLog()).join('\n');
}

const sound: Tamper = (request, pass) => pass(request);

const body = (note: string) => ({
  name: 'racer',
  release: '2024-01-15T00:00:00Z',
  characteristics: { note: [{ text: note }] },
});

/** Two see the same sample, and each writes it under the condition that it is so. */
async function race(api: ApiCaller): Promise<void> {
  const made = await api.send('POST', '/samples', body('first'));
  expect(made.status).toBe(201);
  const { accession } = made.json<{ accession: string }>();
  const seen = await api.get(`/samples/${accession}`);
  const headers = { 'if-match': seen.headers.get('etag') as string };
  for (const note of ['one', 'other'])
    await api.send('PUT', `/samples/${accession}`, { ...body(note), accession }, { headers });
  await api.get(`/samples/${accession}`);
}

/** The same dry run is carried out by two requests. */
async function commitTwice(api: ApiCaller, tag: string): Promise<void> {
  const { id } = await api.uploadAndSettle(plainSheet({ tag, rows: 3 }), { options: { dryRun: 'true' } });
  for (let time = 0; time < 2; time++) {
    const answer = await api.call(`/submissions/${id}/commit`, { method: 'POST' });
    expect([200, 201, 202]).toContain(answer.status);
    await api.settled(submissionIdOf(answer));
  }
}

describe('what clients were answered', () => {
  it('is explained where nothing is broken', async () => {
    const found = await findIn(sound, async (api) => {
      await race(api);
      await commitTwice(api, 'sound');
      await api.get('/submissions');
    });
    expect(found).toBe('');
  });

  it('shows a lost update', async () => {
    const unconditional: Tamper = ({ headers, ...request }, pass) => {
      const { 'if-match': _, ...others } = headers;
      return pass({ ...request, headers: others });
    };
    expect(await findIn(unconditional, race)).toMatch(/PUT .* demanded what .* showed and overwrote what PUT/);
  });

  it('shows a stale read after a write', async () => {
    const known = new Map<string, Promise<Passed>>();
    const remembered: Tamper = (request, pass) => {
      if (request.method !== 'GET') return pass(request);
      const answer = known.get(request.path) ?? pass(request);
      known.set(request.path, answer);
      return answer;
    };
    expect(await findIn(remembered, race)).toMatch(/GET .* answered what SAM\w+ was before PUT/);
  });

  it('shows a commit that was carried out twice', async () => {
    let commits = 0;
    const sheet = plainSheet({ tag: 'twice', rows: 3 });
    const twice: Tamper = (request, pass) => {
      if (!request.path.endsWith('/commit') || commits++ === 0) return pass(request);
      const headers = { ...request.headers, 'content-type': 'text/tab-separated-values' };
      return pass({ ...request, headers, path: '/submissions?duplicate=allow', body: Buffer.from(sheet) });
    };
    const found = await findIn(twice, (api) => commitTwice(api, 'twice'));
    expect(found).toMatch(/commit .* was answered by 2 submissions/);
  });
});
