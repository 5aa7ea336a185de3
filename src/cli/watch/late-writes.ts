/**
 * A program that holds its file open writes into it wherever it has been moved. What comes behind the bytes that were
 * sent is not registered, and must not lie in `done` as if it were.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SubmissionDocument } from '../../client/documents.js';
import type { WatchedFolder } from './folder.js';
import type { JournalEntry } from './journal.js';

/** How long files that have their place are looked at, and how many of them. */
const LOOK_FOR_MS = 10 * 60_000;
const MOST = 200;

interface Settled {
  entry: JournalEntry;
  size: number;
  /** The file itself: one that was put in its place is somebody's own. */
  inode: number;
  until: number;
}

/** What was written to it since, in words; undefined where the file is what was sent, or gone. */
export async function lateWrite(
  path: string,
  { fileSize, sha256 }: Pick<SubmissionDocument, 'fileSize' | 'sha256'>,
): Promise<string | undefined> {
  const file = await found(path);
  if (file === undefined) return undefined;
  if (file.size === fileSize && (sha256 === undefined || (await sha256Of(path)) === sha256)) return undefined;
  return describeLateWrite(fileSize, file.size);
}

const found = (path: string) => stat(path).catch(() => undefined);

const describeLateWrite = (sent: number, size: number): string =>
  `The file was written to after it had been taken: ${sent} bytes were sent, and it has ${size} now. ` +
  'The rows of the result beside it are registered; send those that are missing there as a sheet of their own. ' +
  'What writes slowly should write under a name that ends in .part and rename it, or put a .ready file beside it in the end.';

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of createReadStream(path)) hash.update(block as Buffer);
  return hash.digest('hex');
}

/** Files in `done`, looked at for a while. Times are of a clock that nobody sets. */
export class LateWrites {
  private readonly settled = new Map<string, Settled>();

  constructor(private readonly folder: WatchedFolder) {}

  private pathOf({ place }: JournalEntry): string {
    return join(this.folder.outcomeFolder('done'), place as string);
  }

  /** One that has its place; `size`: the bytes that were sent of it. */
  async add(entry: JournalEntry, size: number, now = performance.now()): Promise<void> {
    const file = await found(this.pathOf(entry));
    if (file === undefined) return;
    this.settled.set(entry.key, { entry, size, inode: file.ino, until: now + LOOK_FOR_MS });
    const [first] = this.settled.keys();
    if (this.settled.size > MOST) this.settled.delete(first as string);
  }

  /** Those that have grown since, each once. */
  async take(now = performance.now()): Promise<{ entry: JournalEntry; reason: string }[]> {
    const grown: { entry: JournalEntry; reason: string }[] = [];
    for (const [key, { entry, size, inode, until }] of this.settled) {
      const file = now < until ? await found(this.pathOf(entry)) : undefined;
      const same = file?.ino === inode;
      if (same && file.size === size) continue;
      this.settled.delete(key);
      if (same && file.size > size) grown.push({ entry, reason: describeLateWrite(size, file.size) });
    }
    return grown;
  }
}
