import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { driverFor } from '../../src/store/sqlite/driver.js';

const run = promisify(execFile);
const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('the SQLite driver', () => {
  it.each([
    [20, 'better-sqlite3'],
    [22, 'better-sqlite3-13'],
    [24, 'better-sqlite3-13'],
    [26, 'better-sqlite3-13'],
  ])('of Node %i is %s', (major, name) => {
    expect(driverFor(major)).toBe(name);
  });

  it('of this Node lets threads with an open store end, by themselves and when they are stopped', {
    tags: 'slow',
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'driver-'));
    folders.push(folder);
    const { stdout, stderr } = await run(process.execPath, [
      program('./threads-process.mjs'),
      join(folder, 'a.db'),
      '24',
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: '24 threads ended, 24 rows\n', stderr: '' });
  });
});

describe('a process that uses S3-compatible storage', () => {
  it('prints no warning of a library about this version of Node', async () => {
    const open = `import { openBlobs } from '${new URL('../../dist/src/blobs/open.js', import.meta.url).href}';
      (await openBlobs('s3://key:secret@bucket?endpoint=http://127.0.0.1:9'));`;
    const { stderr } = await run(process.execPath, ['--input-type=module', '-e', open]);
    expect(stderr).toBe('');
  });
});
