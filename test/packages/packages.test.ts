import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, because the check runs it as it is
import { licencesOf } from '../../scripts/licences.mjs';
import { ROOT } from '../support/output.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A project of these packages. `lists`: of the licences of what is inside the programs and the page, by path. */
function project(packages: Record<string, object>, lists: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  for (const [path, text] of Object.entries(lists)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** The packages that are refused, with their licences. */
const refused = (packages: Record<string, object>, lists?: Record<string, string>): string[] =>
  licencesOf(project(packages, lists)).refused;

describe('the look at packages', () => {
  it.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT'])('lets %s pass', (license) => {
    expect(refused({ 'node_modules/a': { license } })).toEqual([]);
  });

  it.each(['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', 'MPL-2.0'])('refuses %s for what is shipped', (license) => {
    const found = refused({ 'node_modules/a': { license: 'MIT' }, 'node_modules/b': { license } });
    expect(found).toEqual([`node_modules/b: ${license}`]);
  });

  it('refuses a package that names no licence, and takes MPL-2.0 for tools', () => {
    expect(refused({ 'node_modules/a': {} })).toEqual(['node_modules/a: no licence is named']);
    expect(refused({ 'node_modules/a': { license: 'MPL-2.0', dev: true } })).toEqual([]);
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
    expect(refused(tools, { [list]: inside('@a/b').split('MIT License')[0] as string })).toEqual([]);
    expect(refused(tools, { [list]: inside('c') })).toEqual(['node_modules/c: MPL-2.0']);
  });

  it.each([
    ['MIT', 0, 'Licences: 1 packages, 0 refused.\n'],
    ['GPL-3.0', 1, 'Licences: 1 packages, 1 refused.\nnode_modules/a: GPL-3.0\n'],
  ])('as a program, for %s, ends with %i and says why', (license, code, printed) => {
    const words = [join(ROOT, 'scripts', 'check-packages.mjs'), project({ 'node_modules/a': { license } })];
    const run = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect([run.status, run.stdout + run.stderr]).toEqual([code, printed]);
  });
});
