/**
 * A large file that is still being sent: the thread that reads it is started meanwhile.
 *
 * @module-tag slow
 */
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.js';

const PIECE = `${'s'.repeat(99)}\n`.repeat(1000);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

it.runIf(process.platform === 'linux')('is awaited by a thread of the worker', async () => {
  const [worker] = server.ingestPids();
  const threads = () => readdirSync(`/proc/${worker}/task`).length;
  // A small one starts what every file needs.
  await server.uploadAndSettle('Sample Name\tRelease Date\nfirst\t2024-01-01\n');
  const before = threads();
  const sending = request(`${server.url}/submissions?name=large.tsv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'text/tab-separated-values' },
  });
  try {
    sending.write(PIECE);
    await expect.poll(threads).toBeGreaterThan(before);
  } finally {
    const closed = new Promise((resolve) => sending.on('error', () => undefined).once('close', resolve));
    sending.destroy();
    await closed;
  }
});
