/**
 * Limits of settings, each of a service of its own in this process; and one as it is shipped, whose metrics count what its worker does.
 *
 * @module-tag slow
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stopWorkers } from '../faults/kill-at-work.js';
import { type Service, startService } from '../http/service.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const sheet = (n: number, rows = 2): string => plainSheet({ tag: `l${n}`, rows });
const sample = { name: 'x', release: '2024-01-01T00:00:00Z' };

describe('a limited service', () => {
  let server: Service;
  afterEach(() => server.stop());
  const limitedBy = async (env: Record<string, string>) => {
    server = await startService({ env });
  };

  it('tells with each change what is left, and refuses the next with 429 and a time to come back', async () => {
    await limitedBy({ RATE_WRITES_PER_MINUTE: '3' });
    const token = await server.token('ada');
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await server.send('POST', '/samples', sample, { token }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"write";q=3;w=60');
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"write";r=2;t=\d+$/);
    const refused = answers[3];
    expect(refused?.headers.get('content-type')).toBe('application/problem+json');
    expect(refused?.json()).toMatchObject({ code: 'rate.limited', status: 429 });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    // Others, and reads, are not touched.
    expect((await server.send('POST', '/samples', sample, { token: await server.token('bo') })).status).toBe(201);
    const made = answers[0]?.json<{ accession: string }>().accession;
    for (let n = 0; n < 10; n++) expect((await server.get(`/samples/${made}`)).status).toBe(200);
  });

  it('counts uploads by account, lists by address, and sign-ins by address', async () => {
    await limitedBy({ RATE_UPLOADS_PER_MINUTE: '1', RATE_READS_PER_MINUTE: '2', RATE_SIGN_INS_PER_MINUTE: '2' });
    /** Sent at once: of those that come one after the other, on a slow machine the last is of the next minute. */
    const statuses = async (...sent: Promise<{ status: number }>[]): Promise<number[]> =>
      (await Promise.all(sent)).map(({ status }) => status).sort();
    expect(await statuses(server.upload(sheet(1)), server.upload(sheet(3)))).toEqual([201, 429]);
    expect((await server.upload(sheet(2), { token: await server.token('bo') })).status).toBe(201);
    const list = (token?: null) => server.get('/samples', token === null ? { token } : {});
    expect(await statuses(list(), list(), list(null))).toEqual([200, 200, 429]);
    const signIn = () => server.send('POST', '/auth/token', { username: 'a', password: 'b' }, { token: null });
    expect(await statuses(signIn(), signIn(), signIn())).toEqual([401, 401, 429]);
  });

  it('refuses uploads beyond the quotas of submissions and of bytes', async () => {
    await limitedBy({ QUOTA_SUBMISSIONS_PER_DAY: '2' });
    for (const [n, status] of [201, 201, 429].entries()) {
      expect((await server.upload(sheet(n))).status).toBe(status);
    }
    await server.stop();
    await limitedBy({ QUOTA_BYTES_PER_DAY: '5000' });
    expect((await server.upload(sheet(1, 30))).status).toBe(201);
    const beyond = await server.upload(sheet(2, 90));
    expect(beyond.json()).toMatchObject({ code: 'rate.limited', detail: expect.stringContaining('bytes') });
    expect((await server.upload(sheet(3, 1))).status).toBe(201);
  });
});

describe('the service as it is shipped', () => {
  const METRICS_TOKEN = 'prometheus-reads-this';
  let server: TestServer;
  beforeAll(async () => {
    // A worker that stands still is not taken for dead meanwhile.
    server = await startServer({ env: { METRICS_TOKEN, QUOTA_WAITING: '2', LEASE_SECONDS: '120' } });
  });
  afterAll(() => server.stop());

  it('tells /metrics to administrators and the token of its own, and counts what happens', async () => {
    const { id } = await server.uploadAndSettle(plainSheet({ tag: 'm', rows: 50, badEvery: 10 }));
    await server.get(`/submissions/${id}/mapping`);
    expect((await server.get('/metrics', { token: null })).status).toBe(401);
    expect((await server.get('/metrics', { token: await server.token('ada') })).status).toBe(403);
    expect((await server.get('/metrics')).status).toBe(200);
    const { text, headers } = await server.get('/metrics', { token: METRICS_TOKEN });
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/http_request_duration_seconds_count\{method="POST",route="\/submissions",status="201"\} 1/);
    expect(text).toMatch(/route="\/submissions\/:id\/mapping",status="200"/);
    expect(text).toMatch(/^submissions\{state="COMPLETED_WITH_ERRORS"\} 1$/m);
    expect(text).toMatch(/^queue_waiting 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).toMatch(/^search_index_lag_changes \d+$/m);
    expect(text).not.toContain(id);
    await expect
      .poll(async () => (await server.get('/metrics')).text)
      .toMatch(/^ingest_rows_total\{outcome="created"\} 45$/m);
    const after = (await server.get('/metrics')).text;
    expect(after).toMatch(/^ingest_rows_total\{outcome="rejected"\} 5$/m);
    expect(after).toMatch(/^submissions_ended_total\{state="COMPLETED_WITH_ERRORS"\} 1$/m);
  });

  it('refuses uploads beyond the quota of waiting ones', async () => {
    const goOn = await stopWorkers(server);
    try {
      for (const [n, status] of [202, 202, 429].entries()) {
        const answer = await server.upload(sheet(n, 1000));
        expect(answer.status, answer.text).toBe(status);
      }
      expect((await server.upload(sheet(9, 1000), { token: await server.token('bo') })).status).toBe(202);
    } finally {
      goOn();
    }
  });
});
