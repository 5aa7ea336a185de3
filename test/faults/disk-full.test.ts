/** The disk is full, really: the data folder is a file system of a few MiB. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submissionIdOf } from '../support/api-caller.js';
import { checkSubmission } from '../support/invariants.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const dataDir = mkdtempSync(join(tmpdir(), 'registry-full-'));
const mounted = mount();
if (!mounted && process.env.CI) throw new Error('This test mounts a small file system and needs to be root.');
if (!mounted) console.warn('disk-full: skipped, a small file system can be mounted by root only');

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!mounted)('a full disk', () => {
  let server: TestServer;
  const ballast = join(dataDir, 'ballast');
  beforeAll(async () => {
    server = await startServer({ dataDir });
  });
  afterAll(async () => {
    await server?.stop();
    execFileSync('umount', ['-l', dataDir]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('an upload that finds no room is refused with 507 and leaves nothing', async () => {
    const answer = await server.upload(plainSheet({ tag: 'big', rows: 800_000 }));
    expect(answer.status).toBe(507);
    expect(answer.json()).toMatchObject({ code: 'storage.full', status: 507 });
    const later = await server.uploadAndSettle(plainSheet({ tag: 'small', rows: 100 }));
    expect(later.status.counts.created).toBe(100);
  });

  it('processing that runs out of room goes on, without a row lost or doubled, when there is room again', async () => {
    const rows = 40_000;
    writeFileSync(ballast, Buffer.alloc(10 * 1024 * 1024));
    const answer = await server.upload(plainSheet({ tag: 'full', rows }));
    expect(answer.status).toBe(202);
    const id = submissionIdOf(answer);
    await expect.poll(() => server.output(), { timeout: 30_000 }).toContain('storage.full');
    rmSync(ballast);
    const ended = await server.settled(id, undefined, 60_000);
    if (ended.submissionStatus === 'FAILED') {
      expect((await server.call(`/submissions/${id}/retry`, { method: 'POST' })).status).toBeLessThan(300);
      await server.settled(id);
    }
    expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: rows, rejected: 0 });
  });
});
