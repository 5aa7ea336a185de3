import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { RegistryError } from '../../registry/errors.js';

/** Less than a small upload with its samples takes. */
export const LEAST_BYTES = 2 * 1024 * 1024;

/** @throws RegistryError storage.full when the file system of the folder has next to no room left */
export async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_BYTES) throw isFull(folder, bavail * bsize);
}

const isFull = (folder: string, bytes: number, cause?: unknown): RegistryError =>
  new RegistryError('storage.full', `The disk of ${folder} has ${bytes} bytes left; make room there.`, { cause });

/**
 * Why something in the folder could not be opened or written: that its disk is full, where that is so. SQLite calls that an I/O error, the
 * system names no folder, and a store believes it of its own disk whichever it writes to.
 */
export function whyNotOpened(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^(ENOSPC|EDQUOT|storage\.full|SQLITE_(FULL|IOERR|CANTOPEN)\w*)$/.test(code)) return error;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LEAST_BYTES ? isFull(folder, bavail * bsize, error) : error;
  } catch {
    return error;
  }
}
