/**
 * What is read of a submission, held to what was stored: its upload, or the text of its workbook. A size that is not
 * the stored one is found before the first byte, a byte that is another one when the reading reaches the end: the
 * reader gets an error instead of an end, so a damaged file never passes for a whole one.
 */
import { createHash } from 'node:crypto';
import { crc32, createGunzip } from 'node:zlib';
import { RegistryError } from '../../registry/errors.js';
import type { Blobs } from '../blobs.js';
import type { Submission } from '../submission.js';
import { readHead } from '../uploads/upload-head.js';

/** Can be posted to a thread. */
export interface StoredSource {
  key: string;
  /** Bytes of the text. */
  size: number;
  /** Of the blob, hex; absent for the text of a workbook. */
  sha256?: string;
  /** Of the blob: compared instead of its SHA-256, which took a fifth of the time of reading a large sheet. */
  crc32?: number;
  /** Bytes of the blob when it holds the text compressed (gzip, which carries a checksum of its own). */
  packed?: number;
}

export const tableKey = (blobKey: string): string => `${blobKey}.table`;

/** The upload as it came. */
export const originalOf = ({ blobKey, fileSize, sha256, crc32 }: StoredFile): StoredSource => ({
  key: blobKey,
  size: fileSize,
  sha256,
  ...(crc32 === undefined ? {} : { crc32 }),
});

export type StoredFile = Pick<Submission, 'blobKey' | 'fileSize' | 'sha256' | 'crc32'>;

export function sourceOf(submission: StoredFile & Pick<Submission, 'options'>): StoredSource {
  const { readAs } = submission.options;
  if (!readAs) return originalOf(submission);
  return {
    key: tableKey(submission.blobKey),
    size: readAs.bytes,
    ...(readAs.packed === undefined ? {} : { packed: readAs.packed }),
  };
}

export interface TextRange {
  /** To before this byte. */
  end?: number;
  /** Who reads it is done with each block when asking for the next; its memory may be used again. */
  passing?: boolean;
}

/**
 * The text from its beginning, to before `end` where given; read to its end, it is the text that was stored.
 * @throws RegistryError not-found, storage.damaged
 */
export async function* openSource(
  blobs: Pick<Blobs, 'open' | 'blocks' | 'delete'>,
  source: StoredSource,
  { end = Number.POSITIVE_INFINITY, passing = false }: TextRange = {},
): AsyncGenerator<Buffer> {
  if (source.packed !== undefined) return yield* unpack(blobs, source, end);
  const whole = end >= source.size;
  const sum = whole ? sumFor(source) : undefined;
  const range = { size: source.size, ...(whole ? {} : { end }) };
  const blocks = passing && blobs.blocks ? blobs.blocks(source.key, range) : blobs.open(source.key, range);
  for await (const block of blocks as AsyncIterable<Buffer>) {
    sum?.add(block);
    yield block;
  }
  if (sum && !sum.isRight()) throw damaged(source.key);
}

interface Sum {
  add(block: Buffer): void;
  isRight(): boolean;
}

/** Of what is read from its beginning to its end. */
function sumFor({ sha256, crc32: expected }: StoredSource): Sum | undefined {
  if (expected !== undefined) {
    let crc = 0;
    return {
      add: (block) => {
        crc = crc32(block, crc);
      },
      isRight: () => crc === expected,
    };
  }
  if (sha256 === undefined) return undefined;
  const hash = createHash('sha256');
  return { add: (block) => hash.update(block), isRight: () => hash.digest('hex') === sha256 };
}

/** Bytes of a text that is kept while it is read again and again: as much as most uploads have, and all of it within a head. */
export const KEPT_BYTES = 256 * 1024;

/**
 * `openSource` for one who reads a text from its beginning several times: a short one is read, and compared with what was stored, once, and
 * not at all where it is `known`. Each opening is five trips to the thread pool, and a small upload is begun three times.
 */
export function openRepeatedly(
  blobs: Pick<Blobs, 'open' | 'blocks' | 'delete'>,
  source: StoredSource,
  known?: Buffer,
): (range?: TextRange) => AsyncGenerator<Buffer> {
  if (source.size > KEPT_BYTES) return (range) => openSource(blobs, source, range);
  let kept = known && Promise.resolve(known);
  return async function* read({ end = source.size } = {}) {
    kept ??= readHead((range) => openSource(blobs, source, range));
    const text = await kept;
    if (text.length > 0) yield text.subarray(0, end);
  };
}

/** A text that does not unpack is removed: it is made again from its workbook for the next reader. */
async function* unpack(
  blobs: Pick<Blobs, 'open' | 'delete'>,
  { key, size }: StoredSource,
  end: number,
): AsyncGenerator<Buffer> {
  const stored = blobs.open(key);
  const text = createGunzip();
  let unread: unknown;
  stored.once('error', (error) => {
    unread = error;
    text.destroy(error);
  });
  stored.pipe(text);
  let read = 0;
  try {
    for await (const block of text as AsyncIterable<Buffer>) {
      const piece = block.subarray(0, end - read);
      read += piece.length;
      if (piece.length > 0) yield piece;
      if (read >= end && read < size) return;
    }
  } catch (error) {
    if (unread !== undefined) throw unread;
    await blobs.delete(key);
    throw damaged(key, error);
  } finally {
    stored.destroy();
    text.destroy();
  }
  if (read === size) return;
  await blobs.delete(key);
  throw damaged(key);
}

const damaged = (key: string, cause?: unknown): RegistryError =>
  new RegistryError(
    'storage.damaged',
    `The stored file ${key} is not the file that was stored: tell the operators, who can restore it from a backup.`,
    { cause },
  );

/** What is wrong with a stored file: its presence and size are looked at, with `whole` every byte, by its SHA-256. Changes nothing. */
export async function faultOfSource(
  blobs: Pick<Blobs, 'open'>,
  source: StoredSource,
  whole: boolean,
): Promise<'missing' | 'damaged' | undefined> {
  const { crc32: _, ...bySha256 } = source;
  const reading = whole
    ? openSource({ open: (key, range) => blobs.open(key, range), delete: async () => {} }, bySha256)
    : blobs.open(source.key, { end: 1, size: source.packed ?? source.size });
  try {
    for await (const _ of reading);
    return undefined;
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'not-found') return 'missing';
    if (!(error instanceof RegistryError && error.code === 'storage.damaged')) throw error;
    // Text that was made again may be packed in another number of bytes than it was at first.
    return whole || source.packed === undefined ? 'damaged' : faultOfSource(blobs, source, true);
  }
}
