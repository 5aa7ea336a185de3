/** docs/api.md is run: every command block in order, as it stands, against the service. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../support/output.js';
import { startService } from './service.js';

const run = promisify(execFile);

it('the commands of docs/api.md work as they stand', async () => {
  const guide = readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands);
  expect(blocks.length).toBeGreaterThan(10);
  const service = await startService();
  const folder = mkdtempSync(join(tmpdir(), 'sample-registry-guide-'));
  const script = ['set -e', 'set -o pipefail', ...blocks.map((block) => `${block}\necho`)].join('\n');
  const env = { PATH: process.env.PATH, HOME: folder, BASE: service.url, TOKEN: await service.token('lab-1') };
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env, maxBuffer: 1 << 24 });
  await service.stop();
  rmSync(folder, { recursive: true });
  expect(stdout).toContain('"name":"liver 1a"');
  expect(stdout).toContain('"version":2');
  expect(stdout).toContain('"text":"43"');
  expect(stdout).toMatch(/liver 3\tHomo sapiens\t2020-01-01\tSAMR\d+/);
  expect(stdout).toContain('"counts":{"rows":2,"created":0,"updated":2,"unchanged":0,"rejected":0}');
});
