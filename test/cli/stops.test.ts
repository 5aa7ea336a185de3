/**
 * Programs that run until they are asked to stop, or until nobody looks any more: they leave nothing running behind.
 *
 * @module-tag slow
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCommand } from '../support/command.js';
import { ROOT } from '../support/output.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stops-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('mirror', () => {
  it('ends in order on SIGTERM while the other registry is away, or does not answer', async () => {
    const away = createServer((_, response) => response.writeHead(503).end());
    const silent = createServer(() => undefined);
    for (const [name, other] of Object.entries({ away, silent })) {
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      const asked = once(other, 'request');
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const mirror = startCommand(['mirror', url], { cwd: folder, env: { DATA_DIR: join(folder, name) } });
      await asked;
      mirror.kill('SIGTERM');
      expect(await once(mirror, 'exit'), name).toEqual([0, null]);
      other.closeAllConnections();
      other.close();
    }
  });
});

describe('npm start', () => {
  it('ends the service where a signal comes to npm alone, which hands it to its shell and no further', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', HOME: folder, PORT: '0', DATA_DIR: join(folder, 'npm') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let shown = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (shown.includes('listening on http')) npm.kill('SIGTERM');
    });
    // The service has the other end of it until it ends.
    await once(npm.stdout, 'end');
    expect(shown).toContain('listening on http');
  });
});

describe('the demo', () => {
  /** Settings of a registry that runs for real, in the environment of whoever looks at the demo. */
  const real = () => ({
    AUDIT_DIR: join(folder, 'audit'),
    PUBLIC_URL: 'https://samples.example.org',
    STORE_URL_FILE: join(folder, 'none'),
    ADMIN_TOKEN_FILE: join(folder, 'none'),
    MAX_UPLOAD_BYTES: '1',
  });
  const start = (args: string[], tmp: string) =>
    spawn(process.execPath, [join(ROOT, 'scripts', 'demo.mjs'), ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: tmp, ...real() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const place = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };

  it('ends its registry when its reader has seen enough, and deletes the data', async () => {
    const tmp = place('seen');
    const demo = start([], tmp);
    await once(demo.stdout, 'data');
    demo.stdout.destroy();
    await once(demo, 'exit');
    expect(readdirSync(tmp)).toEqual([]);
  });

  it('takes no setting of a registry that runs for real', async () => {
    const tmp = place('real');
    const demo = start(['--once', join(ROOT, 'samples-tsv', 'small.tsv')], tmp);
    let shown = '';
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    expect([await once(demo, 'exit'), shown]).toEqual([[0, null], expect.stringContaining('COMPLETED')]);
    expect(readdirSync(folder)).not.toContain('audit');
  });
});
