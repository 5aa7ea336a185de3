/**
 * The process that works on one submission alone ends with the worker that started it, whenever that dies.
 *
 * @module-tag slow
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

let folder: string;
let child: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alone-'));
  child = fork(join(ROOT, 'dist', 'workers', 'alone.js'), [], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function begun(): Promise<void> {
  for (;;) {
    const [message] = await once(child, 'message');
    if ('begun' in message) return;
  }
}

describe('a process that was not yet given its submission ends', () => {
  it.each<[string, () => unknown]>([
    ['when its parent is gone', () => child.disconnect()],
    ['when it is asked to stop', () => child.kill('SIGTERM')],
  ])('%s', async (_, end) => {
    await begun();
    const ended = once(child, 'exit');
    end();
    expect(await ended).toEqual([0, null]);
  });
});
