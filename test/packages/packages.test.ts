import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function check(packages: Record<string, object>): { code: number | null; printed: string } {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  const run = spawnSync(process.execPath, [join(ROOT, 'scripts', 'check-packages.mjs'), folder], { encoding: 'utf8' });
  return { code: run.status, printed: run.stdout + run.stderr };
}

describe('the look at packages', () => {
  it.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT'])('lets %s pass', (license) => {
    expect(check({ 'node_modules/a': { license } })).toMatchObject({ code: 0 });
  });

  it.each(['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', 'MPL-2.0'])('refuses %s for what is shipped', (license) => {
    const { code, printed } = check({ 'node_modules/a': { license: 'MIT' }, 'node_modules/b': { license } });
    expect(printed).toContain(`node_modules/b: ${license}`);
    expect(code).toBe(1);
  });

  it('refuses a package that names no licence, and takes MPL-2.0 for tools', () => {
    expect(check({ 'node_modules/a': {} }).code).toBe(1);
    expect(check({ 'node_modules/a': { license: 'MPL-2.0', dev: true } }).code).toBe(0);
  });
});
