/** A worker that runs by itself, as docs/operations.md has it. Its output is kept in test-output/servers/. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT_DIR, ROOT } from '../support/output.js';
import { freePort, kill, until } from './local-process.js';

export function startWorker(settings: Record<string, string>, name = 'alone'): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'workers', 'ingest.js')], {
    cwd: ROOT,
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const folder = join(OUTPUT_DIR, 'servers');
  mkdirSync(folder, { recursive: true });
  const log = createWriteStream(join(folder, `${Date.now()}-worker-${name}-${child.pid}.log`));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const end = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', end);
  child.once('exit', () => {
    process.off('exit', end);
    log.end();
  });
  return child;
}

export interface MeasuredWorker {
  /** Address and text of its metrics. */
  url: string;
  pid: number;
  metrics(): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Resolves when it shows its metrics. */
export async function startMeasuredWorker(settings: Record<string, string>): Promise<MeasuredWorker> {
  const port = await freePort();
  const child = startWorker({ ...settings, WORKER_METRICS_PORT: String(port) });
  const url = `http://127.0.0.1:${port}/metrics`;
  const metrics = async (): Promise<string> => (await fetch(url)).text();
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the worker ended with ${code} before it showed metrics`);
  });
  ended.catch(() => undefined);
  await Promise.race([ended, until(metrics)]);
  return { url, pid: child.pid as number, metrics, kill: (signal) => kill(child, signal) };
}
