import { spawn } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Tally } from './mixed-load.js';

const PROGRAM = fileURLToPath(new URL('reader-process.mjs', import.meta.url));

/** `perSecond` reads of these addresses by a process of its own, until the signal. */
export async function readBeside(url: string, paths: string[], perSecond: number, signal: AbortSignal): Promise<Tally> {
  const child = spawn(process.execPath, [PROGRAM, url, String(perSecond), ...paths], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  signal.addEventListener('abort', () => child.stdin.end(), { once: true });
  const { answers, failures } = (await json(child.stdout)) as { answers: [number, number][]; failures: string[] };
  const tally = new Tally();
  for (const [status, ms] of answers) tally.add(status, ms);
  tally.failures.push(...failures);
  return tally;
}
