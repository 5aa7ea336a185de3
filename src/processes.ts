/** Processes of this machine: whether one lives, how one that we started is sent a signal, whether its end is its own doing, and what it has used of the processor. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What operators, orchestrators and a machine short of memory send; a crash has other signals. */
const FROM_OUTSIDE: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

export const isFromOutside = (signal: NodeJS.Signals | null): boolean =>
  signal !== null && FROM_OUTSIDE.includes(signal);

/** False for one that could not be started: the system has no number for it, and the signal would go to our own group of processes. */
export const isStarted = ({ pid }: Pick<ChildProcess, 'pid'>): boolean => pid !== undefined;

export function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (isStarted(child)) child.kill(signal);
}

/** Whether a process of this machine has that number now, whoever's it is. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The same of another process than this one: what has our own number was left by one that is gone. */
export const isAnotherAlive = (pid: number): boolean => pid !== process.pid && isAlive(pid);

/** Milliseconds in a tick of /proc, on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds of processor time that it has used; undefined where the system has no /proc, and of one that has ended. */
export function processorMs({ pid }: Pick<ChildProcess, 'pid'>): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the program's name, which may hold anything: the state is the third field, user and system time the 14th and 15th.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return undefined;
  }
}
