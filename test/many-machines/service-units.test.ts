/** deploy/systemd: units that systemd takes, for programs and settings that there are. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, SETTINGS } from '../../src/config.js';
import { ROOT } from '../support/output.js';
import { lacks } from './local-process.js';

const FOLDER = join(ROOT, 'deploy', 'systemd');
const PREFIX = '/opt/sample-registry';
const units = readdirSync(FOLDER);
const textOf = (unit: string): string => readFileSync(join(FOLDER, unit), 'utf8');
/** All values that a unit gives a name, in their order. */
const valuesOf = (unit: string, name: string): string[] =>
  [...textOf(unit).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value as string);

describe.each(units)('%s', (unit) => {
  it('starts a command that the package has, as an ordinary user', () => {
    const [program, command] = (valuesOf(unit, 'ExecStart')[0] ?? '').split(' ');
    expect(program).toBe(`${PREFIX}/bin/sample-registry`);
    const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { bin: Record<string, string> };
    expect(Object.keys(bin)).toEqual(['sample-registry']);
    const help = execFileSync(
      process.execPath,
      [join(ROOT, bin['sample-registry'] as string), command as string, '--help'],
      {
        encoding: 'utf8',
      },
    );
    expect(help).toContain(`sample-registry ${command}`);
    expect(valuesOf(unit, 'User')).toEqual(['sample-registry']);
  });

  it('has settings that there are, and the folder in which the program may write', () => {
    const settings = Object.fromEntries(
      (valuesOf(unit, 'Environment')[0] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
    );
    expect(Object.keys(settings).filter((name) => name !== 'NODE_ENV' && !(name in SETTINGS.shape))).toEqual([]);
    expect(settings.DATA_DIR).toBe(`/var/lib/${valuesOf(unit, 'StateDirectory')[0]}`);
    expect(valuesOf(unit, 'ProtectSystem')).toEqual(['strict']);
  });

  it('gives it the time that it may take to end, and does not start it again with settings that it refuses', () => {
    const { SHUTDOWN_SECONDS } = loadConfig({});
    expect(Number(valuesOf(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(SHUTDOWN_SECONDS);
    expect(valuesOf(unit, 'Restart')).toEqual(['always']);
    const [, command] = (valuesOf(unit, 'ExecStart')[0] ?? '').split(' ');
    const { status } = spawnSync(process.execPath, [join(ROOT, 'dist', 'src', 'cli', 'main.js'), command as string], {
      env: { PATH: process.env.PATH, PORT: 'none' },
    });
    expect(valuesOf(unit, 'RestartPreventExitStatus')).toEqual([String(status)]);
  });
});

describe.skipIf(lacks('systemd-analyze'))('systemd', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'units-'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'sample-registry'), '#!/bin/sh\n', { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What it says of a unit whose package is installed in a folder of this test. */
  const said = (unit: string, change: (text: string) => string = (text) => text): string => {
    const path = join(folder, unit);
    writeFileSync(path, change(textOf(unit)).replaceAll(PREFIX, folder));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    return stdout + stderr;
  };

  it.each(units)('takes %s as it is', { tags: 'slow' }, (unit) => {
    expect(said(unit)).toBe('');
    const misspelt = said(unit, (text) => text.replace('RestartSec=', 'RestartSecs='));
    expect(misspelt).toMatch(/Unknown key (name )?'RestartSecs'/);
  });
});
