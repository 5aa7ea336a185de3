/**
 * A real Prometheus reads a real service and worker: each rule and each panel of docs/grafana gets an answer.
 *
 * @module-tag slow
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { plainSheet } from '../support/plain-sheet.js';
import { alertRules, dashboardQueries } from '../support/queries.js';
import { startServer, type TestServer } from '../support/server.js';
import { freePort, kill, lacks, start, until } from './local-process.js';
import { type MeasuredWorker, startMeasuredWorker } from './stand-alone.js';

const METRICS_TOKEN = 'prometheus-reads-this';
const RULES = join(ROOT, 'docs', 'grafana', 'alerts.yml');

describe.skipIf(lacks('prometheus'))('docs/grafana against a Prometheus', () => {
  let folder: string;
  let server: TestServer;
  let worker: MeasuredWorker;
  let url: string;
  let prometheus: ReturnType<typeof start>;

  const ask = async <T>(path: string): Promise<T> => {
    const { data } = (await (await fetch(`${url}/api/v1/${path}`)).json()) as { data: T };
    return data;
  };
  const query = async (text: string): Promise<number[]> => {
    const { result } = await ask<{ result: { value: [number, string] }[] }>(`query?query=${encodeURIComponent(text)}`);
    return result.map(({ value }) => Number(value[1]));
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-prometheus-'));
    server = await startServer({ env: { METRICS_TOKEN } });
    worker = await startMeasuredWorker({ DATA_DIR: server.dataDir });
    const scraped = [new URL(server.url).host, new URL(worker.url).host];
    writeFileSync(
      join(folder, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [RULES],
        scrape_configs: [
          {
            job_name: 'sample-registry',
            authorization: { credentials: METRICS_TOKEN },
            static_configs: [{ targets: scraped }],
          },
        ],
      }),
    );
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = start('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    await server.uploadAndSettle(plainSheet({ tag: 'p', rows: 30 }));
    // What a rate needs: two scrapes of each.
    await until(async () => expect(await query('min(count_over_time(store_up[5m])) >= bool 3')).toEqual([1]));
    await until(async () => expect(await query('count(up == 1)')).toEqual([2]));
  });
  afterAll(async () => {
    await kill(prometheus);
    await worker.kill('SIGTERM');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes the rules as they are', async () => {
    execFileSync('promtool', ['check', 'rules', RULES]);
    const { groups } = await ask<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
      'rules',
    );
    const rules = groups.flatMap(({ rules }) => rules);
    expect(rules.map(({ name }) => name).sort()).toEqual(
      alertRules()
        .map(({ alert }) => alert)
        .sort(),
    );
    expect(rules.filter(({ lastError }) => lastError)).toEqual([]);
  });

  it.each(dashboardQueries())('the panel %s has data', async (text) => {
    expect((await query(text)).length).toBeGreaterThan(0);
  });

  it.each(alertRules())('the rule $alert looks at something that is there', async ({ expr }) => {
    const decided = expr.replace(/ (==|>|<) /, ' $1 bool ');
    expect(decided).not.toBe(expr);
    const answers = await query(decided);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect([0, 1]).toContain(answer);
  });

  it('no rule holds for a healthy service but the one for backups, of which there is none', async () => {
    const holding = await Promise.all(
      alertRules().map(async ({ alert, expr }) => ((await query(expr)).length > 0 ? alert : '')),
    );
    expect(holding).toContain('NoRecentBackup');
    for (const away of ['StoreAway', 'FilesAway', 'QueueAway', 'WorkersMissing', 'WorkersDie', 'SearchStandsStill'])
      expect(holding).not.toContain(away);
  });
});
