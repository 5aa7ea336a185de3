/**
 * The README's way from a fresh clone to a receipt, run as it is written.
 *
 * @module-tag slow
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { document } from '../docs/section.js';
import { ROOT } from '../support/output.js';

const MOST_COMMANDS = 5;

/** The commands of the fenced block below a heading, without their comments. */
function commandsBelow(heading: string): string[] {
  const [, below = ''] = document('README.md').split(`\n## ${heading}\n`);
  const block = /^```sh\n([\s\S]*?)^```$/m.exec(below.split('\n## ')[0] ?? '')?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

let folder: string;
let clone: string;
let env: Record<string, string>;
let running: ChildProcess[];
beforeEach(async () => {
  running = [];
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  // A clone that is installed and built already, and whose data and files of results go away with it.
  clone = join(folder, 'sample-registry');
  mkdirSync(clone);
  for (const name of readdirSync(ROOT)) {
    if (!/^(\.git|data|test-output)$|\.result\.tsv$/.test(name)) symlinkSync(join(ROOT, name), join(clone, name));
  }
  const port = await freePort();
  const { PATH = '' } = process.env;
  env = { PATH, HOME: folder, PORT: String(port), SAMPLE_REGISTRY_URL: `http://127.0.0.1:${port}` };
});
afterEach(async () => {
  for (const child of running) await endGroup(child);
  rmSync(folder, { recursive: true, force: true });
});

/** 8080 may be somebody's; the commands find another one in the environment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function start(command: string): ChildProcess {
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], { cwd: clone, env, detached: true });
  running.push(child);
  return child;
}

/** As Ctrl-C in its terminal: everything that the command has started is reported. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-(child.pid as number), 'SIGINT');
  await ended;
}

async function run(command: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = start(command);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

it('leads from a fresh clone to a receipt with the commands of the README', async () => {
  const [serve = '', ...commands] = commandsBelow('From a fresh clone to a receipt');
  expect(1 + commands.length).toBeLessThanOrEqual(MOST_COMMANDS);
  expect(serve).toBe('npm start');
  const server = start(serve);
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
  }
  await expect.poll(() => printed).toMatch(/listening on http/);

  let last = '';
  for (const command of commands) {
    const { code, stdout, stderr } = await run(command);
    expect([command, code, code === 0 ? '' : stderr]).toEqual([command, 0, '']);
    last = stdout;
  }
  expect(last).toContain('********RECEIPT START********');
  expect(last).toMatch(/^Status\s+COMPLETED$/m);
  expect(last.match(/\bSAMR\d+\b/g)).toHaveLength(6);
  expect(readdirSync(clone)).toContain('data');
});
