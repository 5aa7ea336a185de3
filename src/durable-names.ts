/** A power cut leaves the names of a folder as they were when it was last synced; a new folder is a name in the one above it. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The same of a file's bytes or a folder's names, for who may not be interrupted. */
export function syncNow(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a folder, and those above it, that a power cut does not take with all that is in them. One that is there is none to make. */
export function makeFolder(path: string, mode?: number): void {
  const last = resolve(path);
  const first = mkdirSync(last, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  if (first === undefined) return;
  for (let made = last; ; made = dirname(made)) {
    syncNow(dirname(made));
    if (made === first) return;
  }
}
