/**
 * A machine that has nothing left to start a process with, for a while: the worker is there afterwards, and the service throughout.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createLog, type Logger } from '../../src/observability/log.js';
import { type Supervisor, superviseWorkers } from '../../src/wiring/supervise-workers.js';

const folder = mkdtempSync(join(tmpdir(), 'worker-'));
const entry = join(folder, 'worker.mjs');
writeFileSync(entry, "process.send({ alive: true, work: {} }); process.on('message', () => {});");
const program = process.execPath;
let supervisor: Supervisor | undefined;
afterEach(async () => {
  process.execPath = program;
  await supervisor?.stop(1_000);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Larger than what the system hands to a program. */
const TOO_LARGE = 'x'.repeat(4 * 1024 * 1024);

it.each(['at once', 'a moment later'])(
  'a worker that cannot be started, as the system says %s, is tried again until it can',
  async (when) => {
    const env: NodeJS.ProcessEnv = when === 'at once' ? { TOO_LARGE } : {};
    if (when !== 'at once') process.execPath = '/no/such/program';
    let failures = 0;
    const log = createLog('silent', 'test');
    log.error = (() => void failures++) as Logger['error'];
    let beats = 0;
    supervisor = superviseWorkers({
      entry,
      count: 1,
      silenceMs: 60_000,
      restartAfterMs: [10],
      onWork: () => beats++,
      env,
      log,
    });
    await expect.poll(() => failures).toBeGreaterThan(3);
    expect(supervisor.pids()).toEqual([]);
    delete env.TOO_LARGE;
    process.execPath = program;
    await expect.poll(() => beats).toBeGreaterThan(0);
    expect(supervisor.pids()).toHaveLength(1);
  },
);

it('a service that stops does not wait for a worker that never was', async () => {
  process.execPath = '/no/such/program';
  const log = createLog('silent', 'test');
  supervisor = superviseWorkers({ entry, count: 2, silenceMs: 60_000, restartAfterMs: [60_000], env: {}, log });
  await supervisor.stop(60_000);
  expect(supervisor.pids()).toEqual([]);
});
