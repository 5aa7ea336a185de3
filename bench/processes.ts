/** Wall time and summed memory of a running service, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

function statOf(pid: string): { parent: number; kilobytes: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/PPid:\s+(\d+)/.exec(status)?.[1] ?? 0);
    return { parent, kilobytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) };
  } catch {
    return undefined;
  }
}

/** Resident bytes of a process and all below it. */
export function residentBytes(root: number): number {
  const all = new Map<number, { parent: number; kilobytes: number }>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(entry) : undefined;
    if (stat) all.set(Number(entry), stat);
  }
  let kilobytes = all.get(root)?.kilobytes ?? 0;
  for (const { parent, kilobytes: own } of all.values()) {
    for (let up = parent; up > 1; up = all.get(up)?.parent ?? 0) {
      if (up !== root) continue;
      kilobytes += own;
      break;
    }
  }
  return kilobytes * 1024;
}

/** Watches the summed memory while `work` runs. */
export async function peakBytes<T>(root: number, work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = residentBytes(root);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(root));
  }, 40);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(timer);
  }
}
