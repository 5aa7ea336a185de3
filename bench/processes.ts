/** Summed memory of a running service, read from /proc: what is shared between its processes is counted once (PSS). */
import { readdirSync, readFileSync } from 'node:fs';

function parentOf(pid: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/PPid:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    return undefined;
  }
}

/** Proportional share of memory in kilobytes: the node binary's pages, shared by all, would otherwise count in each. */
function kilobytesOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The process below this one whose command line matches. */
export function childOf(root: number, command: RegExp): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || parentOf(entry) !== root) continue;
    if (command.test(readFileSync(`/proc/${entry}/cmdline`, 'utf8'))) return Number(entry);
  }
  throw new Error(`the service has no process ${command}`);
}

/** Bytes of memory of one process with its threads. */
export const ownBytes = (pid: number): number => 1024 * kilobytesOf(pid);

/** Bytes of memory of a process and all below it. */
export function memoryBytes(root: number): number {
  return 1024 * familyOf(root).reduce((sum, pid) => sum + kilobytesOf(pid), 0);
}

/** The process and all below it. */
function familyOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+$/.test(entry) ? parentOf(entry) : undefined;
    if (parent !== undefined) parents.set(Number(entry), parent);
  }
  return [...parents.keys()].filter((pid) => {
    for (let up: number | undefined = pid; up; up = parents.get(up)) if (up === root) return true;
    return false;
  });
}

/** Of the clock that /proc counts processors' time in. */
const TICKS = 100;

/** Processors' time of a process, all below it that live, and those of them that have ended, but for some. */
export const cpuSeconds = (root: number, without: readonly number[] = []): number =>
  familyOf(root)
    .filter((pid) => !without.includes(pid))
    .reduce((sum, pid) => sum + ticksOf(pid) / TICKS, 0);

function ticksOf(pid: number): number {
  try {
    // Behind the name in parentheses, which may hold anything: fields 14 to 17 are own and waited-for user and system time.
    const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) as string).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
}

/** Watches the memory while `work` runs, by default that of all processes together. */
export async function peakBytes<T>(
  root: number,
  work: () => Promise<T>,
  bytes: (root: number) => number = memoryBytes,
): Promise<{ result: T; peak: number }> {
  let peak = bytes(root);
  const timer = setInterval(() => {
    peak = Math.max(peak, bytes(root));
  }, 100);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}
