/** Processes that we start: how one is sent a signal, and whether its end is its own doing. */
import type { ChildProcess } from 'node:child_process';

/** What operators, orchestrators and a machine short of memory send; a crash has other signals. */
const FROM_OUTSIDE: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

export const isFromOutside = (signal: NodeJS.Signals | null): boolean =>
  signal !== null && FROM_OUTSIDE.includes(signal);

/** False for one that could not be started: the system has no number for it, and the signal would go to our own group of processes. */
export const isStarted = ({ pid }: Pick<ChildProcess, 'pid'>): boolean => pid !== undefined;

export function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (isStarted(child)) child.kill(signal);
}
