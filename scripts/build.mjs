/** `npm run build`: the programs and the page, and when that was, so that nobody builds them a second time (setup.mjs). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, STAMP } from './setup.mjs';

// Made by the first build of a clone, it would be a change of web/ that is newer than that build.
mkdirSync(join(ROOT, 'web', 'dist'), { recursive: true });
const started = new Date();
for (const part of ['build:server', 'build:page']) {
  const { status } = spawnSync('npm', ['run', '--silent', part], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status || 1);
}
writeFileSync(STAMP, started.toISOString());
