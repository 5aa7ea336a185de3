/**
 * What a request costs the process that answers: the longest time that the event loop did nothing else, and resident
 * memory at its peak above what it was before. Both are read from outside (Prometheus' default metrics, /proc).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Answer } from '../support/api-caller.js';
import type { TestServer } from '../support/server.js';

export interface Cost {
  status: number;
  /** Longest stretch, milliseconds. */
  loopMs: number;
  memoryMb: number;
  answerBytes: number;
}

export const BOUNDS = { loopMs: 250, memoryMb: 64 } as const;

/** Beyond a bound is worst, then what is nearest to one. */
export const weight = ({ loopMs, memoryMb }: Cost): number =>
  Math.max(loopMs / BOUNDS.loopMs, memoryMb / BOUNDS.memoryMb);

/** The least of two runs, of up to six where that is beyond a bound: what the machine does beside it only adds. */
export async function costOf(server: TestServer, send: () => Promise<Answer>): Promise<Cost> {
  let least: Cost | undefined;
  for (let run = 0; run < 2 || (run < 6 && least && weight(least) > 1); run++) {
    const cost = await costOnce(server, send);
    least = {
      status: cost.status,
      answerBytes: cost.answerBytes,
      loopMs: Math.min(cost.loopMs, least?.loopMs ?? Number.POSITIVE_INFINITY),
      memoryMb: Math.min(cost.memoryMb, least?.memoryMb ?? Number.POSITIVE_INFINITY),
    };
  }
  return least as Cost;
}

async function costOnce(server: TestServer, send: () => Promise<Answer>): Promise<Cost> {
  await loopMs(server);
  const worked = mainThreadMs(server.pid);
  const before = memory(server.pid, 'VmRSS');
  // Sets the peak back to the present (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
  const answer = await send();
  return {
    status: answer.status,
    // On a busy machine the loop is late for other reasons; longer than the thread worked, nothing held it up.
    loopMs: Math.min(mainThreadMs(server.pid) - worked, await loopMs(server)),
    memoryMb: Math.max(0, Math.round((memory(server.pid, 'VmHWM') - before) / 1024)),
    answerBytes: answer.bytes.length,
  };
}

/** Longest since it was asked last. */
async function loopMs(server: TestServer): Promise<number> {
  const { text } = await server.get('/metrics');
  const seconds = /^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('/metrics does not tell how late the event loop was.');
  return Math.round(Number(seconds) * 1000);
}

/** Processor time of the thread that answers requests. */
const mainThreadMs = (pid: number): number =>
  Math.round(Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6);

/** kB. */
export function memory(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (found === undefined) throw new Error(`No ${what} of process ${pid}.`);
  return Number(found);
}
