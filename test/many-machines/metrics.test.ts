/** The metrics of real processes: there from the start, answered whatever is away, and true after a kill. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAtWork, SMALL_BATCHES } from '../faults/kill-at-work.js';
import { submissionIdOf } from '../support/api-caller.js';
import { everyMetric } from '../support/every-metric.js';
import { plainSheet } from '../support/plain-sheet.js';
import { killNow, standStill } from '../support/processes.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';
import { without } from '../support/services.js';
import { until } from './local-process.js';
import { dropSchemas, freshSchemaUrl } from './postgres-schema.js';
import { type MeasuredWorker, startMeasuredWorker } from './stand-alone.js';
import { TcpProxy } from './tcp-proxy.js';

const METRICS_TOKEN = 'prometheus-reads-this';
/** What a scrape may take. */
/** Of a store that does not answer the connection itself is given up after 35 s. */
const SCRAPE_MS = 30_000;
const ROWS = 1_500;

/** `name{label="value"}` → value, of the counters in the text. */
function countersOf(text: string, names: readonly string[]): Record<string, number> {
  const lines = [...text.matchAll(/^([a-z_]+)(\{[^}]*\})? (\S+)$/gm)];
  return Object.fromEntries(
    lines
      .filter(([, name]) => names.includes(name as string))
      .map(([, name, labels = '', n]) => [name + labels, Number(n)]),
  );
}

async function counters(): Promise<{ names: string[]; series: string[] }> {
  const all = (await everyMetric()).filter(
    ({ name, type }) => String(type) === 'counter' && !/^(process|nodejs)_/.test(name),
  );
  const series = all.flatMap(({ name, values }) =>
    values.map(({ labels }) => {
      const [label] = Object.entries(labels);
      return label ? `${name}{${label[0]}="${label[1]}"}` : name;
    }),
  );
  // Those with a label, each with all of its values.
  expect(series.length).toBeGreaterThan(15);
  return { names: all.map(({ name }) => name), series };
}

/** Uploads until the worker stands still with more than half of a file before it: of that submission. */
async function stoppedAtWork(server: TestServer, { pid }: MeasuredWorker): Promise<string> {
  for (let uploads = 0; ; uploads++) {
    const id = submissionIdOf(await server.upload(plainSheet({ tag: `left ${uploads}`, rows: ROWS })));
    for (let seen = await server.status(id); seen.submissionStatus === 'ACTIVE'; seen = await server.status(id)) {
      if (seen.phase !== 'REGISTERING') continue;
      await standStill([pid]);
      const { submissionStatus, counts } = await server.status(id);
      if (submissionStatus === 'ACTIVE' && counts.rows < ROWS / 2) return id;
      killNow([pid], 'SIGCONT');
      break;
    }
    await server.settled(id);
  }
}

describe('the metrics of one machine', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { METRICS_TOKEN, ...SMALL_BATCHES } });
  });
  afterAll(() => server.stop());

  it('show every counter at 0 before its first event, and what the service watches', async () => {
    const { names, series } = await counters();
    const { text } = await server.get('/metrics', { token: METRICS_TOKEN });
    const shown = countersOf(text, names);
    expect(shown).toEqual(Object.fromEntries(series.map((name) => [name, 0])));
    for (const part of ['store', 'queue', 'blobs']) expect(text).toMatch(new RegExp(`^${part}_up 1$`, 'm'));
    expect(text).toMatch(/^last_backup_timestamp_seconds 0$/m);
    for (const folder of ['data', 'store', 'blobs', 'audit']) {
      expect(text).toMatch(new RegExp(`^disk_free_bytes\\{folder="${folder}"\\} [1-9]`, 'm'));
      expect(text).toMatch(new RegExp(`^disk_size_bytes\\{folder="${folder}"\\} [1-9]`, 'm'));
    }
    expect(text).toMatch(/^workers_wanted\{program="ingest"\} 1$/m);
    expect(text).toMatch(/^workers_running\{program="indexer"\} 1$/m);
  });

  it('count a worker that is killed and the submission that is taken from it', { tags: 'slow' }, async () => {
    let id: string;
    let uploads = 0;
    do {
      id = submissionIdOf(await server.upload(plainSheet({ tag: `killed ${uploads++}`, rows: ROWS })));
    } while (!(await killAtWork(server, [id])));
    await server.settled(id);
    const { text } = await server.get('/metrics', { token: METRICS_TOKEN });
    expect(text).toMatch(/^worker_deaths_total\{program="ingest"\} 1$/m);
    expect(text).toMatch(/^lease_takeovers_total 1$/m);
  });
});

describe.skipIf(without('postgres'))('the metrics of many machines', () => {
  let proxy: TcpProxy;
  let server: TestServer;
  let worker: MeasuredWorker;
  let folder: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-metrics-'));
    const store = new URL(freshSchemaUrl());
    proxy = await TcpProxy.open(Number(store.port));
    store.port = String(proxy.port);
    settings = {
      STORE_URL: store.href,
      BLOB_URL: `file:${join(folder, 'blobs')}`,
      METRICS_TOKEN,
      LEASE_SECONDS: '2',
      ...SMALL_BATCHES,
      LOG_LEVEL: 'error',
    };
    server = await startServer({ env: { ...settings, WORKERS: '0' } });
    worker = await startMeasuredWorker(settings);
  });
  afterAll(async () => {
    proxy.fix();
    await worker.kill('SIGTERM');
    await server.stop();
    await proxy.close();
    await dropSchemas();
    rmSync(folder, { recursive: true, force: true });
  });

  it('show every counter at 0 in a worker that runs by itself, too', { tags: 'slow' }, async () => {
    const { names, series } = await counters();
    const text = await worker.metrics();
    expect(countersOf(text, names)).toEqual(Object.fromEntries(series.map((name) => [name, 0])));
    expect(text).toMatch(/^store_up 1$/m);
  });

  // The short form takes the harder one: what nobody refuses is waited for.
  it.each<'silence' | 'refuse'>(PROOF ? ['silence', 'refuse'] : ['silence'])(
    'answer while the store is away (%s), and say so',
    { tags: 'slow' },
    async (how) => {
      proxy[how]();
      const signal = () => AbortSignal.timeout(SCRAPE_MS);
      const ask = async (url: string, token: string) =>
        fetch(url, { signal: signal(), headers: { authorization: `Bearer ${token}` } });
      // What was asked a moment ago is remembered for some seconds.
      await until(async () => {
        for (const url of [`${server.url}/metrics`, worker.url]) {
          const answer = await ask(url, METRICS_TOKEN);
          const text = await answer.text();
          expect(text).toMatch(/^store_up 0$/m);
          expect(text).toMatch(/^blobs_up 1$/m);
          expect(text).toMatch(/^ingest_rows_total\{outcome="created"\} 0$/m);
        }
      });
      expect(await (await ask(`${server.url}/metrics`, METRICS_TOKEN)).text()).toMatch(/^queue_waiting Nan$/m);
      const refused = await ask(`${server.url}/metrics`, server.adminToken);
      expect(refused.status).toBe(503);
      proxy.fix();
      await until(async () => expect(await worker.metrics()).toMatch(/^store_up 1$/m));
      await until(async () => expect((await server.get('/metrics')).text).toMatch(/^store_up 1$/m));
    },
  );

  it('count what is taken from a worker that was killed, in the one that goes on', { tags: 'slow' }, async () => {
    const id = await stoppedAtWork(server, worker);
    await worker.kill('SIGKILL');
    worker = await startMeasuredWorker(settings);
    await server.settled(id);
    expect(await worker.metrics()).toMatch(/^lease_takeovers_total 1$/m);
    expect(await server.status(id)).toMatchObject({ submissionStatus: 'COMPLETED', counts: { created: ROWS } });
  });
});
