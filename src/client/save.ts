import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { syncFolder } from '../durable-names.js';
import { connectionFailure } from './http.js';

/**
 * Writes a download under a name beside its place, makes it durable, and gives it its name. A connection that breaks
 * on the way leaves nothing behind.
 * @throws UnavailableError when the download broke
 */
export async function saveStream(source: Readable, path: string, from: string): Promise<void> {
  const partial = `${path}.part`;
  const file = await open(partial, 'w');
  try {
    for await (const chunk of readOrFail(source, from)) await file.write(chunk);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
  await file.close();
  await rename(partial, path);
  await syncFolder(dirname(path));
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
