/**
 * The disk has become read-only, really, as one does of which the system could not write a block.
 *
 * @module-tag slow
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.js';
import { lacksMount } from '../support/mounts.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-read-only-'));
const disk = join(folder, 'disk');
const dataDir = join(disk, 'data');
const run = (program: string, ...words: string[]) => execFileSync(program, words, { stdio: 'ignore' });

function mount(): void {
  mkdirSync(disk, { recursive: true });
  run('truncate', '-s', '64M', join(folder, 'image'));
  run('mkfs.ext4', '-q', join(folder, 'image'));
  run('mount', '-o', 'loop', join(folder, 'image'), disk);
}
const unmount = () => run('umount', '-l', disk);

describe.skipIf(lacksMount('disk-read-only', mount, unmount))('a disk that has become read-only', () => {
  let server: TestServer;
  let accession: string;
  beforeAll(async () => {
    mount();
    server = await startServer({ dataDir });
    const { id } = await server.uploadAndSettle(plainSheet({ tag: 'before', rows: 3 }));
    accession = (await server.mapping(id)).sampleNameAccessionPairs[0]?.sampleAccession ?? '';
    run('mount', '-o', 'remount,abort', disk);
  });
  afterAll(async () => {
    await server?.stop();
    unmount();
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses what would be written as what passes, blames no bug, and goes on answering what is read', async () => {
    const sample = { name: 'x', release: '2024-01-01T00:00:00Z' };
    const begun = { 'tus-resumable': '1.0.0', 'upload-length': '4000', 'upload-metadata': 'filename YQ==' };
    const answers = [
      await server.send('POST', '/samples', sample),
      await server.upload(plainSheet({ tag: 'after', rows: 3 })),
      await server.call('/files', { method: 'POST', headers: begun }),
      await server.send('PUT', `/samples/${accession}`, { ...sample, accession }),
      await server.send('POST', '/tokens', { account: 'ada', createAccount: true, scopes: ['read'], name: 'n' }),
    ];
    for (const answer of answers) {
      expect(answer.json(), answer.text).toMatchObject({ status: 503, code: 'service.unavailable' });
      expect(answer.headers.get('retry-after')).toBeTruthy();
    }
    expect(server.output()).not.toContain('unexpected error');
    expect((await server.get(`/samples/${accession}`)).status).toBe(200);
  });

  it('says that it is not ready, and why; an operator who asks hears it, too', async () => {
    const ready = await server.get('/health/ready', { token: null });
    expect(ready.status).toBe(503);
    expect(ready.json()).toMatchObject({ checks: { audit: 'down', blobs: 'down' } });
    // The line is on its way through a pipe.
    await expect.poll(() => server.output()).toMatch(/the audit log cannot be written to .*read-only file system/i);
    const asked = await runCommand(['operations'], { env: { HOME: tmpdir(), DATA_DIR: dataDir } });
    expect(asked).toMatchObject({ code: 4, stdout: expect.stringMatching(/blobs: .*EROFS/) });
  });
});
