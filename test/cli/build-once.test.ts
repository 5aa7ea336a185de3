/**
 * What brings a clone to where it runs: the first build of it is not followed by another, which would begin by deleting it under whoever runs.
 *
 * @module-tag slow
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

let clone: string;

/** A clone with programs that build as the real ones do: by deleting, and making anew, dist/ and web/dist/. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'build-once-'));
  for (const folder of ['src', 'workers', 'bench', 'web/src', 'scripts', 'node_modules'])
    mkdirSync(join(clone, folder), { recursive: true });
  for (const script of ['setup.mjs', 'build.mjs'])
    cpSync(join(ROOT, 'scripts', script), join(clone, 'scripts', script));
  writeFileSync(join(clone, 'scripts', 'bundle.mjs'), '');
  writeFileSync(join(clone, 'scripts', 'install-driver.mjs'), '');
  writeFileSync(join(clone, 'src', 'program.ts'), '');
  writeFileSync(join(clone, 'web', 'src', 'page.ts'), '');
  const page =
    "const fs = require('fs'); fs.mkdirSync('web/dist', { recursive: true }); fs.writeFileSync('web/dist/page.html', '')";
  const server = "const fs = require('fs'); fs.rmSync('dist', { recursive: true, force: true }); fs.mkdirSync('dist')";
  const scripts = {
    build: 'node scripts/build.mjs',
    'build:server': `node -e "${server}"`,
    'build:page': `node -e "${page}"`,
  };
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(join(clone, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: {} }));
});
afterEach(() => rmSync(clone, { recursive: true }));

function setUp(): boolean {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['-e', "import('./scripts/setup.mjs').then(({ setUp }) => setUp())"],
    { cwd: clone, encoding: 'utf8' },
  );
  expect(status).toBe(0);
  return stdout.includes('Building');
}

it('a clone is built once, by whichever command comes first, and again when a source has changed or is gone', () => {
  expect(setUp()).toBe(true);
  expect(existsSync(join(clone, 'web', 'dist', 'page.html'))).toBe(true);
  expect(setUp()).toBe(false);
  const built = Date.parse(readFileSync(join(clone, 'dist', '.built'), 'utf8'));
  utimesSync(join(clone, 'src', 'program.ts'), new Date(), new Date(built + 1_000));
  expect(setUp()).toBe(true);
  utimesSync(join(clone, 'src', 'program.ts'), new Date(built - 1_000), new Date(built - 1_000));
  expect(setUp()).toBe(false);
  rmSync(join(clone, 'web', 'src', 'page.ts'));
  expect(setUp()).toBe(true);
  expect(setUp()).toBe(false);
});
