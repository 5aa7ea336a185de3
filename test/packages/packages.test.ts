import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** `lists`: of the licences of what is inside the programs and the page, by path. */
function check(packages: Record<string, object>, lists: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  for (const [path, text] of Object.entries(lists)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
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

  it.each([
    [
      'a program',
      'dist/THIRD-PARTY-LICENSES.txt',
      (name: string) => `@a/b 1.2.3 (MIT)\n\nMIT License\n\n${'-'.repeat(80)}\n\n${name} 1.0.0 (MPL-2.0)\n`,
    ],
    [
      'the page',
      'web/dist/licences.md',
      (name: string) => `# Licenses\n\n## @a/b - 1.2.3 (MIT)\n\nMIT License\n\n## ${name} - 1.0.0 (MPL-2.0)\n`,
    ],
  ])('asks of a tool that the build put into %s what it asks of all that is shipped', (_, list, inside) => {
    const tools = {
      'node_modules/@a/b': { license: 'MIT', dev: true },
      'node_modules/c': { license: 'MPL-2.0', dev: true },
      'node_modules/d': { license: 'MPL-2.0', dev: true },
    };
    expect(check(tools, { [list]: inside('@a/b').split('MIT License')[0] as string }).code).toBe(0);
    const { code, printed } = check(tools, { [list]: inside('c') });
    expect(printed).toContain('node_modules/c: MPL-2.0');
    expect(printed).not.toContain('node_modules/d');
    expect(code).toBe(1);
  });
});
