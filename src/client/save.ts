import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { syncFolder } from '../durable-names.js';
import { connectionFailure } from './http.js';

/**
 * What a file is called while it comes: as no other is. Of two programs that save under one name, an hourly export and the one of the hour
 * before, say, each would write into what the other has written.
 */
const partialOf = (path: string): string => `${path}.${randomBytes(4).toString('hex')}.part`;

/** A download that nobody has written to for so long is nobody's any more. */
const ABANDONED_MS = 24 * 3600_000;

/** What that needs of a name. */
export const PARTIAL_BYTES = partialOf('').length;

/**
 * Writes a download under a name beside its place, makes it durable, and gives it its name. One that breaks on the way, or
 * that there is no room for, leaves nothing behind; what a program that was killed left is taken away by the next one that saves under the
 * same name, a day later.
 * @throws UnavailableError when the download broke
 */
export async function saveStream(source: Readable, path: string, from: string): Promise<void> {
  const partial = partialOf(path);
  await removeAbandoned(path);
  try {
    const file = await open(partial, 'w');
    try {
      await writeFile(file, readOrFail(source, from));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    // Of a place where no file can be made nothing was read yet.
    source.destroy();
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** That a folder cannot be looked into, or a file not be removed, stops no download. */
async function removeAbandoned(path: string): Promise<void> {
  const [folder, prefix] = [dirname(path), `${basename(path)}.`];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!(name.startsWith(prefix) && /^[0-9a-f]{8}\.part$/.test(name.slice(prefix.length)))) continue;
    const abandoned = join(folder, name);
    const written = await stat(abandoned).catch(() => undefined);
    if (written && Date.now() - written.mtimeMs > ABANDONED_MS) await rm(abandoned, { force: true }).catch(() => {});
  }
}

/** @throws UnavailableError when the download breaks */
export async function* readOrFail(source: Readable, from: string): AsyncIterable<Buffer> {
  try {
    for await (const chunk of source) yield chunk as Buffer;
  } catch (error) {
    throw connectionFailure(error, from);
  }
}

export function bodyOf(response: Response): Readable {
  return response.body ? Readable.fromWeb(response.body as WebStream<Uint8Array>) : Readable.from([]);
}
