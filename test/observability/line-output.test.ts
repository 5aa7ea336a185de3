/** A log whose lines find no room, or no reader: the program goes on, and hears of it only how many are lost. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { LineOutput } from '../../src/observability/line-output.js';
import { createLog } from '../../src/observability/log.js';

const folder = mkdtempSync(join(tmpdir(), 'registry-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the lines of a log', () => {
  it('on a full disk keep nobody waiting and end nothing, the last words of a process neither', () => {
    const full = openSync('/dev/full', 'w');
    try {
      const log = createLog('info', 'x', new LineOutput(full));
      for (let n = 0; n < 700; n++) log.info({ n, filler: 'x'.repeat(500) }, 'line');
      log.fatal('the end');
    } finally {
      closeSync(full);
    }
  });

  it('are written in their order when they can be, as many as are held, and say how many are lost', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const first = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const written = openSync(path, 'w');
    closeSync(first);
    const output = new LineOutput(written);
    const heard: number[] = [];
    output.onLost = (lines) => {
      heard.push(lines);
      output.write('lost\n');
    };
    const lines = Array.from({ length: 1_000 }, (_, n) => `${n} ${'x'.repeat(1_000)}\n`);
    for (const line of lines) output.write(line);
    const second = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    // Waits for the reader: a pipe holds less than what is held for it.
    output.write('again\n');
    closeSync(second);
    closeSync(written);
    const [held = '', rest] = (await read).split('again\n');
    const kept = held.split('\n').length - 1;
    expect(kept).toBeGreaterThan(200);
    expect(held).toBe(lines.slice(0, kept).join(''));
    expect([heard, rest]).toEqual([[lines.length - kept], 'lost\n']);
  });
});
