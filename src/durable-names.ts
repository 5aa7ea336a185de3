/** A power cut leaves the names of a folder as they were when it was last synced; a new folder is a name in the one above it. */
import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
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

/** The same of a file's bytes. */
export const syncFile = syncFolder;

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
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(resolve(path), { recursive: true });
  for (const above of foldersAbove(path, first)) await syncFolder(above);
}

/** The same for who may not be interrupted. */
export function makeFolderNow(path: string, mode?: number): void {
  const first = mkdirSync(resolve(path), { recursive: true, ...(mode === undefined ? {} : { mode }) });
  for (const above of foldersAbove(path, first)) syncNow(above);
}

/** Those in which names are new when folders were made from `first` down to `path`, the lowest one first. */
function foldersAbove(path: string, first: string | undefined): string[] {
  const above: string[] = [];
  for (let made = resolve(path); first !== undefined && made.length >= first.length; made = dirname(made))
    above.push(dirname(made));
  return above;
}
