/** With what the driver of the database is compiled after `npm ci`, where no binary of it can be fetched. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

/** Newer ones have a driver that brings its binary. */
const isCompiled = Number.parseInt(process.versions.node, 10) < 22;

let folder: string;
let node: string;
const made = (): string => join(folder, 'project', 'made.json');

/** A project whose driver is there once its step of installation has run, and a Node of its own. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'install driver ü '));
  const driver = join(folder, 'project', 'node_modules', 'better-sqlite3');
  for (const path of [driver, join(folder, 'project', 'scripts'), join(folder, 'node', 'bin')])
    mkdirSync(path, { recursive: true });
  const file = 'install-driver.mjs';
  cpSync(join(ROOT, 'scripts', file), join(folder, 'project', 'scripts', file));
  const install = 'node make.js';
  writeFileSync(join(driver, 'package.json'), JSON.stringify({ name: 'better-sqlite3', scripts: { install } }));
  writeFileSync(
    join(driver, 'make.js'),
    `const { npm_config_nodedir: nodedir, CFLAGS: flags } = process.env;
     require('node:fs').writeFileSync(${JSON.stringify(made())}, JSON.stringify({ nodedir, flags }));`,
  );
  const open = `module.exports = class { constructor() { require(${JSON.stringify(made())}); } close() {} };`;
  writeFileSync(join(driver, 'index.js'), open);
  node = join(folder, 'node', 'bin', 'node');
  copyFileSync(process.execPath, node);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function install(headers: string | undefined, nodedir?: string): { nodedir?: string; flags?: string } {
  rmSync(made(), { force: true });
  rmSync(join(folder, 'node', 'include'), { recursive: true, force: true });
  if (headers !== undefined) {
    mkdirSync(join(folder, 'node', 'include', 'node'), { recursive: true });
    const lines = headers
      .split('.')
      .map((part, at) => `#define NODE_${['MAJOR', 'MINOR', 'PATCH'][at]}_VERSION ${part}`);
    writeFileSync(join(folder, 'node', 'include', 'node', 'node_version.h'), `${lines.join('\n')}\n`);
  }
  const { npm_config_nodedir, ...given } = process.env;
  // What this machine has set is no matter of the test.
  const env = { ...given, npm_config_userconfig: join(folder, 'no'), npm_config_globalconfig: join(folder, 'none') };
  const { status, stderr } = spawnSync(node, [join(folder, 'project', 'scripts', 'install-driver.mjs')], {
    env: { ...env, ...(nodedir === undefined ? {} : { npm_config_nodedir: nodedir }) },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(readFileSync(made(), 'utf8'));
}

it.runIf(isCompiled)('headers that lie beside this Node are taken, and none are fetched', () => {
  expect(install(process.versions.node)).toEqual({ nodedir: join(folder, 'node'), flags: '-O2 ' });
});

it.runIf(isCompiled)('headers of another version are not', () => {
  expect(install('20.0.99').nodedir).toBeUndefined();
});

it.runIf(isCompiled)('none are taken where none are there, and what somebody has set stands', { tags: 'slow' }, () => {
  expect(install(undefined).nodedir).toBeUndefined();
  expect(install(process.versions.node, '/elsewhere').nodedir).toBe('/elsewhere');
});
