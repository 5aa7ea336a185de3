/** Which files below a folder hold a text, whatever they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their names. A running service makes files and takes them away: one that is gone by now holds nothing. */
export const filesHolding = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && contentOf(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
