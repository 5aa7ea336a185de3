/** Scripts of package.json end when what npm has started for them has ended (scripts/end-with-npm.mjs). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/output.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'end-with-npm-'));
  const imported = JSON.stringify(join(ROOT, 'scripts', 'end-with-npm.mjs'));
  writeFileSync(
    join(folder, 'serves.mjs'),
    `import { endWithNpm } from ${imported};
const begin = globalThis.setInterval;
let looks = 0;
globalThis.setInterval = (...given) => { looks++; return begin(...given); };
endWithNpm();
process.on('SIGTERM', () => { process.stdout.write('ended'); process.exit(); });
process.on('SIGUSR1', () => { process.stdout.write(looks + ' looks'); process.exit(); });
begin(() => undefined, 60_000);
process.stdout.write(process.pid + ' ');`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A shell that runs the program and ends without a word to it, as npm's does. */
const byShell = (script: string): ChildProcess =>
  spawn('/bin/sh', ['-c', `"${process.execPath}" serves.mjs; true`], {
    cwd: folder,
    env: { npm_lifecycle_script: script },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** What the program prints after its shell was ended, and after `signal` where it goes on without. */
async function printedBy(script: string, signal?: NodeJS.Signals): Promise<string> {
  const shell = byShell(script);
  let printed = '';
  shell.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = once(shell, 'close');
  await once(shell.stdout as NodeJS.ReadableStream, 'data');
  const pid = Number.parseInt(printed, 10);
  printed = '';
  shell.kill('SIGTERM');
  await once(shell, 'exit');
  if (signal) process.kill(pid, signal);
  await ended;
  return printed;
}

describe('a program whose shell has ended', () => {
  it('ends in order where npm has started it', async () => {
    expect(await printedBy('node serves.mjs')).toBe('ended');
  });

  it('does not look for its shell where npm has started something else', async () => {
    expect(await printedBy('node other.mjs', 'SIGUSR1')).toBe('0 looks');
  });
});
