/**
 * The disk is full, really: the data folder is a file system of a few MiB.
 *
 * @module-tag slow
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditFiles } from '../../src/audit/files.js';
import { verifyAudit } from '../../src/audit/verify.js';
import { submissionIdOf } from '../support/api-caller.js';
import { runCommand } from '../support/command.js';
import { checkSubmission } from '../support/invariants.js';
import { lacksMount } from '../support/mounts.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const dataDir = mkdtempSync(join(tmpdir(), 'registry-full-'));

const whichDisk = /The disk of \S*registry-full-\S+ has \d+ bytes left; make room there\.\n/;

const mount = () => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir], { stdio: 'ignore' });
const unmount = () => execFileSync('umount', ['-l', dataDir]);

describe.skipIf(lacksMount('disk-full', mount, unmount))('a full disk', () => {
  let server: TestServer;
  const ballast = join(dataDir, 'ballast');
  const block = Buffer.alloc(16 * 1024, 1);
  const fill = () => {
    for (const size of [block.length, 512, 1]) {
      try {
        for (;;) writeFileSync(ballast, block.subarray(0, size), { flag: 'a' });
      } catch {
        // full to this size
      }
    }
  };
  beforeAll(async () => {
    mount();
    server = await startServer({ dataDir });
  });
  afterAll(async () => {
    await server?.stop();
    unmount();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('an upload that finds no room is refused with 507 and leaves nothing', async () => {
    const answer = await server.upload(plainSheet({ tag: 'big', rows: 800_000 }));
    expect(answer.status).toBe(507);
    expect(answer.json()).toMatchObject({ code: 'storage.full', status: 507 });
    const later = await server.uploadAndSettle(plainSheet({ tag: 'small', rows: 100 }));
    expect(later.status.counts.created).toBe(100);
  });

  it('acknowledges no change without its line in the audit log, says that it is not ready, and recovers', async () => {
    const change = (n: number) =>
      server.call('/samples', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `full ${n}`, release: '2024-01-01T00:00:00Z' }),
      });
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await server.call('/files', {
      method: 'POST',
      headers: { ...tus, 'upload-length': '4000000', 'upload-metadata': 'filename YQ==' },
    });
    const acknowledged: string[] = [];
    let refused = 0;
    for (let n = 0; n < 60 && refused < 5; n++) {
      fill();
      const answer = await change(n);
      if (answer.status === 201) acknowledged.push(answer.headers.get('x-request-id') as string);
      else {
        expect([answer.status, answer.json()]).toMatchObject([507, { code: 'storage.full' }]);
        refused++;
      }
    }
    expect(refused).toBe(5);
    const ready = await server.get('/health/ready');
    expect([ready.status, ready.json()]).toMatchObject([
      503,
      { status: 'down', checks: { blobs: 'down', store: 'down' } },
    ]);
    const asked = await runCommand(['operations'], { env: { HOME: tmpdir(), DATA_DIR: dataDir } });
    expect(asked.stdout).toMatch(/^disk of data \(\S+\): FULL, 0\.0 GiB of 0\.0 GiB free$/m);
    expect(asked.stdout).toMatch(/^store: DOES NOT ANSWER: The disk of \S+ has \d+ bytes left; make room there\.$/m);
    expect(asked.code).toBe(4);
    const piece = await server.call(begun.headers.get('location') as string, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: new Uint8Array(4_000_000),
    });
    expect(piece.status, piece.text).toBe(507);
    rmSync(ballast);
    await expect.poll(async () => (await server.get('/health/ready')).status).toBe(200);
    const after = await change(1000);
    expect(after.status).toBe(201);
    acknowledged.push(after.headers.get('x-request-id') as string);
    const { faults } = await verifyAudit(join(dataDir, 'audit'));
    expect(faults).toEqual([]);
    const lines = auditFiles(join(dataDir, 'audit')).map((name) => readFileSync(join(dataDir, 'audit', name), 'utf8'));
    for (const id of acknowledged) expect(lines.join('')).toContain(`"requestId":"${id}","outcome":201`);
  });

  it('a service that cannot start for it says which disk is full', async () => {
    await server.stop();
    fill();
    const elsewhere = mkdtempSync(join(tmpdir(), 'registry-audit-full-'));
    const fault = new RegExp(`The service could not start: ${whichDisk.source}`);
    await expect(startServer({ dataDir })).rejects.toThrow(fault);
    const auditThere = { AUDIT_DIR: join(dataDir, 'new-audit') };
    await expect(startServer({ dataDir: elsewhere, env: auditThere })).rejects.toThrow(fault);
    for (const folder of [elsewhere, join(dataDir, 'new-audit')]) rmSync(folder, { recursive: true, force: true });
    rmSync(ballast);
    server = await startServer({ dataDir });
  });

  it('a piece of a resumable upload that finds no room is refused with 507, and what has arrived goes on later', async () => {
    const tus = { 'tus-resumable': '1.0.0' };
    const begun = await server.call('/files', {
      method: 'POST',
      headers: { ...tus, 'upload-length': '30000000', 'upload-metadata': 'filename YQ==' },
    });
    const address = begun.headers.get('location') as string;
    const piece = await server.call(address, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      body: new Uint8Array(30_000_000),
    });
    expect([piece.status, piece.json()]).toMatchObject([507, { code: 'storage.full' }]);
    expect((await server.call(address, { method: 'DELETE', headers: tus })).status).toBe(204);
  });

  it('processing that runs out of room goes on, without a row lost or doubled, when there is room again', async () => {
    const rows = 40_000;
    writeFileSync(ballast, Buffer.alloc(10 * 1024 * 1024));
    const answer = await server.upload(plainSheet({ tag: 'full', rows }));
    expect(answer.status).toBe(202);
    const id = submissionIdOf(answer);
    await expect.poll(() => server.output()).toContain('storage.full');
    rmSync(ballast);
    const ended = await server.settled(id);
    if (ended.submissionStatus === 'FAILED') {
      expect((await server.call(`/submissions/${id}/retry`, { method: 'POST' })).status).toBeLessThan(300);
      await server.settled(id);
    }
    expect((await checkSubmission(server, id)).status.counts).toMatchObject({ created: rows, rejected: 0 });
  });

  it('a backup that finds no room names the disk that is full: its own, not that of the store', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'registry-not-full-'));
    const env = { HOME: tmpdir(), DATA_DIR: elsewhere };
    const other = await startServer({ dataDir: elsewhere });
    expect((await other.uploadAndSettle(plainSheet({ tag: 'saved', rows: 2_000 }))).status.counts.created).toBe(2_000);
    const free = [0, 600 * 1024];
    for (const [at, bytes] of free.entries()) {
      fill();
      truncateSync(ballast, statSync(ballast).size - bytes);
      const { code, stderr } = await runCommand(['backup', join(dataDir, `saved-${at}`)], { env });
      expect([code, stderr]).toEqual([3, expect.stringMatching(whichDisk)]);
    }
    rmSync(ballast);
    const { code, stdout } = await runCommand(['backup', join(dataDir, 'saved')], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 submissions, 1 uploaded files')]);
    await other.stop();
    rmSync(elsewhere, { recursive: true, force: true });
  });
});
