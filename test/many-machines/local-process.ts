/** Servers that a test starts for itself, because it is going to hurt them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Use as `describe.skipIf(lacks('redis-server'))(…)`: skipped without the program, except in CI, where that is a failure. */
export function lacks(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return false;
  } catch {
    const message = `${program} is missing: install it (apt-get install ${program}).`;
    if (process.env.CI === 'true') throw new Error(message);
    console.warn(`skipped: ${message}`);
    return true;
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Ends what hangs: how soon it comes is no question of a test. */
export const PATIENCE_MS = 120_000;

/** Repeats `probe` until it resolves; throws its last error when it never does. */
export async function until<T>(probe: () => Promise<T> | T): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(50);
    }
  }
}

export function start(
  program: string,
  parameters: string[],
  options: { uid?: number; gid?: number } = {},
): ChildProcess {
  const child = spawn(program, parameters, { stdio: 'ignore', ...options });
  const end = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** Resolves when it is gone. */
export async function kill(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
