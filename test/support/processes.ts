/** What Linux tells about processes, and how tests kill them. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Direct children of a process whose command line matches. */
export function childrenOf(parent: number, command = /./): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && command.test(commandOf(pid)));
}

/** False for a process that has ended, also when nobody has yet asked for its exit code. */
export function isAlive(pid: number): boolean {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Ends the processes at once. @returns how many of them there still were: one may end by itself before it is met */
export function killNow(pids: readonly (number | undefined)[], signal: NodeJS.Signals = 'SIGKILL'): number {
  return pids.filter((pid) => {
    try {
      return pid !== undefined && process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  }).length;
}

/** What a signal of the system is not obeyed in is no slowness. */
const LONGEST_STOP_MS = 60_000;

/** Stops the processes; resolves when every thread of them stands still, or they are gone. */
export async function standStill(pids: readonly number[]): Promise<void> {
  killNow(pids, 'SIGSTOP');
  const end = performance.now() + LONGEST_STOP_MS;
  for (const pid of pids) {
    while (threadsOf(pid).some((state) => !'TtZX'.includes(state))) {
      if (performance.now() > end) throw new Error(`Process ${pid} does not stand still: ${threadsOf(pid)}`);
      await sleep(1);
    }
  }
}

/** States of a process's threads. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => statOf(`${pid}/task/${thread}`)?.[0] ?? []);
  } catch {
    return [];
  }
}

/** A variable of the environment that the process was started with. */
export const settingOf = (pid: number, name: string): string | undefined =>
  read(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((setting) => setting.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Resident memory in bytes; 0 when the process is gone. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

const parentOf = (pid: number): number => Number(statOf(pid)?.[1] ?? -1);

const commandOf = (pid: number): string => (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');

/** The fields after the command's name, which may itself hold blanks and brackets: state, parent, … */
function statOf(pid: number | string): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
