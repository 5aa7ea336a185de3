/**
 * What becomes of a command's work when what it prints or saves cannot be written: by the shell, as its user would see it.
 *
 * @module-tag slow
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { SharedServer } from '../support/shared-server.js';

let server: SharedServer;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  server = await SharedServer.of('output-that-fails');
  folder = mkdtempSync(join(tmpdir(), 'output-'));
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    SAMPLE_REGISTRY_URL: server.url,
    SAMPLE_REGISTRY_TOKEN: await server.token('ada'),
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Of what others have registered in the shared service nothing is printed. */
const OWN = '--filter account:output-that-fails-ada';

/** `sr` is the command; its own exit code is what `CODE` prints on the shell's standard error. */
const CODE = 'echo "code $?" >&2';
function shell(script: string, more: Record<string, string> = {}): Promise<{ stdout: string; stderr: string }> {
  const sr = `sr() { '${process.execPath}' '${BIN}' "$@"; }`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', `${sr}\n${script}`], { cwd: folder, env: { ...env, ...more } }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

describe('a reader that has seen enough', () => {
  it('ends no upload: every file is registered, and the exit code is that of the work', async () => {
    const names = ['a', 'b', 'c', 'd'].map((tag) => {
      writeFileSync(join(folder, `${tag}.tsv`), plainSheet({ tag: `head-${tag}`, rows: 2 }));
      return `${tag}.tsv`;
    });
    writeFileSync(join(folder, 'bad.tsv'), 'no table\n');
    const { stderr } = await shell(`( sr upload ${names.join(' ')} bad.tsv; ${CODE} ) | head -1 > seen.txt`);
    expect(stderr).toContain('code 4');
    const { stdout } = await shell('sr list');
    expect(names.filter((name) => !stdout.includes(name))).toEqual([]);
  });

  it('ends what is only to be printed, as done', async () => {
    for (const command of ['list --limit 9999999', `samples export ${OWN}`, `search ${OWN} --limit 9999999`]) {
      const { stderr } = await shell(`( sr ${command}; ${CODE} ) | true`);
      expect(stderr, command).toBe('code 0\n');
    }
  });

  it('of standard error changes nothing either', async () => {
    const { stdout } = await shell('{ ( sr get SAMR999999999 2>&1 >/dev/null; echo "code $?" >&3 ) | true; } 3>&1');
    expect(stdout).toBe('code 4\n');
  });
});

describe('a place that is full', () => {
  it.skipIf(!existsSync('/dev/full'))('is said in a line, and ends with 1', async () => {
    for (const command of ['list', `samples export ${OWN}`, 'profile list --json']) {
      const { stderr } = await shell(`sr ${command} > /dev/full; ${CODE}`);
      expect(stderr, command).toMatch(/^Standard output cannot be written: ENOSPC[^\n]*\ncode 1\n$/);
    }
  });

  it('leaves no file that looks whole, at whatever byte it is reached', async () => {
    writeFileSync(join(folder, 'long.tsv'), plainSheet({ tag: 'long', rows: 150 }));
    const [uploaded] = (await shell('sr upload long.tsv --wait --json')).stdout.trim().split('\n');
    const { submissionId } = (JSON.parse(uploaded as string) as { submission: { submissionId: string } }).submission;
    await shell(`sr result ${submissionId} -o whole.tsv`);
    expect(readFileSync(join(folder, 'whole.tsv')).length).toBeGreaterThan(4096);
    // A write that reaches the limit writes what fits and reports no error; the next one does.
    const commands = [
      `result ${submissionId} -o cut.tsv`,
      `samples export ${OWN} -o cut.tsv`,
      `samples export ${OWN} --keep -o cut.tsv`,
    ];
    for (const command of commands) {
      const { stderr } = await shell(`ulimit -f 2; sr ${command}; ${CODE}`);
      expect(stderr, command).toMatch(/EFBIG.*\n(.*\n)*code 1\n$/);
      expect(existsSync(join(folder, 'cut.tsv')), command).toBe(false);
    }
    // What was begun with --keep goes on where it stopped.
    await shell(`sr samples export ${OWN} --keep -o cut.tsv`);
    expect(readFileSync(join(folder, 'cut.tsv'), 'utf8')).toContain('long_149');
  });

  it('that is a folder keeps nothing behind', async () => {
    const { stderr } = await shell(`mkdir place; sr samples export ${OWN} -o place; ${CODE}`);
    expect(stderr).toContain('code 1');
    expect(readdirSync(folder).filter((name) => name.startsWith('place'))).toEqual(['place']);
  });
});

describe('a download that breaks on its way to standard output', () => {
  it('is the fault of the line: exit code 3, as of one that is saved', async () => {
    const way = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc'));
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const url = `http://127.0.0.1:${(way.address() as AddressInfo).port}`;
    for (const command of ['result x', 'samples export', 'template --accession SAMR1']) {
      const { stderr } = await shell(`sr ${command} > part.txt; ${CODE}`, { SAMPLE_REGISTRY_URL: url });
      expect(stderr, command).toMatch(/cannot be reached: .*\ncode 3\n$/);
    }
    way.close();
  });
});
