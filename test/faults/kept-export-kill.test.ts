/**
 * The server is killed while it makes a whole result that is to be kept: it is made again, and nothing else is left.
 *
 * @module-tag slow
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standStill } from '../support/processes.js';
import { PROOF } from '../support/proof.js';
import { startServer, type TestServer } from '../support/server.js';

const ROWS = PROOF ? 20_000 : 8_000;

interface Kept {
  exportId: string;
  state: string;
  phase: string;
  samples: number;
}

describe('the server is killed while it makes a kept export', () => {
  let dataDir: string;
  let server: TestServer;
  const env = { LEASE_SECONDS: '1', LOG_LEVEL: 'warn' };
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'registry-kept-kill-'));
    server = await startServer({ dataDir, env });
  });
  afterEach(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const files = (folder: string, ending = ''): string[] =>
    readdirSync(join(dataDir, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));

  /** Orders an export and stops the server while its file is not whole; one that was too quick is removed. To its address. */
  async function stoppedWhileItMakes(token: string): Promise<string> {
    for (;;) {
      const ordered = await server.call('/samples/exports?format=ndjson', { method: 'POST', token });
      expect(ordered.status, ordered.text).toBe(202);
      const path = `/samples/exports/${ordered.json<Kept>().exportId}`;
      const begun = async () => files('blobs/incoming').length === 1 || files('blobs', '.export').length > 0;
      await expect.poll(begun, { interval: 2 }).toBe(true);
      await standStill([server.pid]);
      if (files('blobs/incoming').length === 1) return path;
      await server.kill('SIGCONT');
      expect((await server.call(path, { method: 'DELETE', token })).status).toBe(204);
      await expect.poll(() => files('blobs', '.export')).toEqual([]);
    }
  }

  it('another process begins anew, and its file is whole', async () => {
    const token = await server.token('keeper');
    const rows = Array.from({ length: ROWS }, (_, at) => `s${at}\t2020-01-01\t${'x'.repeat(1_000)}${at}`);
    await server.uploadAndSettle(['Sample Name\tRelease Date\tCharacteristics[note]', ...rows].join('\n'), { token });
    const path = await stoppedWhileItMakes(token);
    const kept = async () => (await server.get(path, { token })).json<Kept>();
    const { adminToken } = server;
    await server.kill('SIGKILL');
    server = await startServer({ dataDir, env: { ...env, ADMIN_TOKEN: adminToken } });
    expect(await kept()).toMatchObject({ state: 'ACTIVE' });
    expect(files('exports')).toEqual([]);
    await expect.poll(async () => (await kept()).state).toBe('COMPLETED');
    const { samples } = await kept();
    expect(samples).toBe(ROWS);
    const { text } = await server.get(`${path}/file`, { token });
    expect(text.split('\n').filter(Boolean)).toHaveLength(ROWS);
    expect(files('exports')).toEqual([]);
    expect(files('blobs/incoming')).toEqual([]);
    expect(files('blobs', '.export')).toHaveLength(1);
    expect(files('blobs', '-2.export')).toHaveLength(1);
  });
});
