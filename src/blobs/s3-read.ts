/**
 * The bytes of one object. A worker may read a file for many minutes, and storage cuts connections that are slow or
 * old: reading then goes on from the byte where it stopped.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { RegistryError } from '../registry/errors.js';
import { type BlobRange, notAsStored } from '../submissions/blobs.js';
import { asBlobError } from './s3-errors.js';

/** Cuts in a row, without a byte between them, before the reader hears of it. */
const MAX_CUTS = 5;
/**
 * How long storage may say nothing, all attempts together, before the reader hears of it: each attempt of the client may be silent for
 * a minute, and there are thirty of them. A worker that reads keeps its place for as long.
 */
export const SILENT_MS = 120_000;

export async function* readObject(
  client: S3Client,
  object: { Bucket: string; Key: string },
  key: string,
  range: BlobRange,
  silentMs: number,
): AsyncGenerator<Buffer> {
  let position = range.start ?? 0;
  const seen: { etag?: string } = {};
  let cuts = 0;
  let heard = performance.now();
  while (range.end === undefined || position < range.end) {
    const left = heard + silentMs - performance.now();
    try {
      for await (const block of readOnce(client, object, { ...range, start: position }, key, seen, left)) {
        position += block.length;
        cuts = 0;
        yield block;
        heard = performance.now(); // what the reader takes is not the silence of storage
      }
      return;
    } catch (error) {
      if (isAtEnd(error, position, range, key)) return;
      const failure = asBlobError(error, key);
      if (isPassing(failure) && performance.now() - heard >= silentMs) throw isSilent(silentMs, failure);
      cuts += 1;
      if (!isPassing(failure) || cuts > MAX_CUTS) throw failure;
      await pause(50 * 2 ** cuts);
    }
  }
}

/** Whether nothing is left to read at this place. @throws RegistryError where the object is shorter than what was stored */
function isAtEnd(error: unknown, position: number, { size = 0 }: BlobRange, key: string): boolean {
  if ((error as { name?: string }).name !== 'InvalidRange') return false;
  if (position < size) throw notAsStored(key, position, size);
  return true;
}

async function* readOnce(
  client: S3Client,
  object: { Bucket: string; Key: string },
  { start = 0, end, size }: BlobRange,
  key: string,
  seen: { etag?: string },
  silentMs: number,
): AsyncGenerator<Buffer> {
  const condition = seen.etag === undefined ? {} : { IfMatch: seen.etag };
  const request = new GetObjectCommand({ ...object, ...rangeFrom(start, end), ...condition });
  // Ends the wait for the answer alone: once that has begun, the client cuts a connection that falls silent.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), silentMs);
  const answer = await client.send(request, { abortSignal: over.signal }).finally(() => clearTimeout(timer));
  if (start > 0 && !answer.ContentRange?.startsWith(`bytes ${start}-`)) throw new Error('it ignores ranges');
  const found = Number(answer.ContentRange?.split('/')[1] ?? answer.ContentLength);
  if (size !== undefined && found !== size) throw notAsStored(key, found, size);
  if (answer.ETag !== undefined) seen.etag = answer.ETag;
  let left = end === undefined ? Number.POSITIVE_INFINITY : end - start;
  for await (const block of answer.Body as AsyncIterable<Buffer>) {
    yield block.length > left ? block.subarray(0, left) : block;
    left -= block.length;
    if (left < 0) return; // some servers give more than was asked for
  }
}

const isSilent = (ms: number, cause: Error): RegistryError =>
  new RegistryError(
    'service.unavailable',
    `The storage of uploaded files is away: it has said nothing for ${Math.round(ms / 1000)} s`,
    { cause },
  );

const isPassing = (error: Error): boolean => error instanceof RegistryError && error.code === 'service.unavailable';

function rangeFrom(start: number, end: number | undefined): { Range?: string } {
  if (start === 0 && end === undefined) return {};
  return { Range: `bytes=${start}-${end === undefined ? '' : end - 1}` };
}
