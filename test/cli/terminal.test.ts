/**
 * Commands at a terminal, which `script` of util-linux is for them: what draws on it ends with the command.
 *
 * @module-tag slow
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopWorkers } from '../faults/kill-at-work.js';
import { BIN } from '../support/command.js';
import { plainSheet } from '../support/plain-sheet.js';
import { startServer, type TestServer } from '../support/server.js';

const hasScript = (): boolean => {
  try {
    return /util-linux/.test(execFileSync('script', ['--version']).toString());
  } catch {
    return false;
  }
};

let server: TestServer;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startServer({ env: { LEASE_SECONDS: '120' } });
  folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    SAMPLE_REGISTRY_URL: server.url,
    SAMPLE_REGISTRY_TOKEN: await server.token('ada'),
  };
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const SHOWN = '\u001b[?25h';
const HIDDEN = '\u001b[?25l';

/** `until`: what it shows before `typed` is typed, such as Ctrl-C. */
function atTerminal(words: string, until = '', typed = ''): Promise<{ code: number | null; shown: string }> {
  const child = spawn('script', ['-qec', `'${process.execPath}' '${BIN}' ${words}`, '/dev/null'], { cwd: folder, env });
  let shown = '';
  let waits = typed !== '';
  return new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (!waits || !shown.includes(until)) return;
      waits = false;
      child.stdin.write(typed);
    });
    child.once('close', (code) => resolve({ code, shown }));
  });
}

describe.runIf(hasScript())('a bar on a terminal', () => {
  it('is gone when a command fails, which then ends: cursor there, exit code as without it', async () => {
    writeFileSync(join(folder, 'bad.tsv'), 'no table\n');
    for (const words of ['status nothing --wait', 'upload bad.tsv', 'upload bad.tsv --wait --result out.tsv']) {
      const { code, shown } = await atTerminal(words);
      expect(code, words).toBe(4);
      expect(shown.lastIndexOf(SHOWN), words).toBeGreaterThan(shown.lastIndexOf(HIDDEN));
    }
  });

  it('lets Ctrl-C end the command, at once', async () => {
    writeFileSync(join(folder, 'held.tsv'), plainSheet({ tag: 'held', rows: 3_000 }));
    const goOn = await stopWorkers(server);
    try {
      const { code, shown } = await atTerminal('upload held.tsv --wait', 'queued', '\u0003');
      expect(code).toBe(130);
      expect(shown.lastIndexOf(SHOWN)).toBeGreaterThan(shown.lastIndexOf(HIDDEN));
    } finally {
      goOn();
    }
  });
});
