import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../processes.js';
import { type AuditHeads, openLine } from './entry.js';

/** Lines are far shorter. */
const TAIL_BYTES = 256 * 1024;

/** Files of a folder's audit log, oldest first. */
export function auditFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^audit-.+\.jsonl$/.test(name))
    .sort();
}

/** Number and hash of the last line of each file; on the disk, for a line that is mentioned and then lost would look like one that was cut off. */
export function readHeads(folder: string): AuditHeads['heads'] {
  return auditFiles(folder).flatMap((file) => {
    const last = lastLine(join(folder, file));
    return last ? [{ file, seq: last.seq, hash: last.hash }] : [];
  });
}

function lastLine(path: string): { seq: number; hash: string } | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, tail, 0, tail.length, size - tail.length);
    fsyncSync(file);
    const lines = tail.toString('utf8').split('\n');
    // Behind the last end of line is nothing, or a piece of a line whose writer was killed.
    return openLine(lines.at(-2) ?? '');
  } finally {
    closeSync(file);
  }
}

/**
 * Removes files that nobody has written to since `before`. `record` writes their names into the log first, so that a
 * check knows that they are missing rightly; it is not called when there are none. Several processes may do it at the
 * same time: what is gone is gone.
 */
export function expireAuditFiles(folder: string, before: number, record: (names: string[]) => void): string[] {
  const old = auditFiles(folder).filter((name) => (mtimeOf(join(folder, name)) ?? before) < before);
  if (old.length > 0) record(old);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old;
}

const mtimeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** Removes the space that processes of this machine that are no longer alive had set aside (reserve.ts). */
export function removeAbandonedReserves(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, host, pid] = /^reserve-(.+)-(\d+)-[\da-f]{6}$/.exec(name) ?? [];
    if (host !== hostname().replace(/[^\w-]/g, '_')) continue;
    const path = join(folder, name);
    if (Number(pid) === process.pid ? isFromBefore(path) : !isAlive(Number(pid))) rmSync(path, { force: true });
  }
}

/** A container that is started again gives its process the number that the killed one had. */
const isFromBefore = (path: string): boolean => (mtimeOf(path) ?? 0) < Date.now() - process.uptime() * 1000;
