/**
 * What passes through on its way to the blob store: its first bytes are kept, because the header is read before anyone is
 * answered, and all are looked over, so that a large file need not be read once more for that.
 */
import { PlainBytes } from '../reading/check-readable.js';

/** As much of a file as its header row may take. */
export const HEAD_BYTES = 1024 * 1024;

export interface WatchedUpload {
  source: AsyncIterable<Buffer>;
  /** The first bytes, once `source` has been read to its end. */
  head(): Buffer;
  /** Of the whole of `source`, then. */
  arePlain(): boolean;
}

/** `onLarge`: called once, when `large` bytes have come. */
export function watchUpload(upload: AsyncIterable<Buffer>, large: number, onLarge: () => void): WatchedUpload {
  const kept: Buffer[] = [];
  const seen = new PlainBytes();
  let size = 0;
  async function* pass(): AsyncGenerator<Buffer> {
    for await (const block of upload) {
      if (size < HEAD_BYTES) kept.push(Buffer.from(block.subarray(0, HEAD_BYTES - size)));
      if (size < large && size + block.length >= large) onLarge();
      size += block.length;
      seen.add(block);
      yield block;
    }
  }
  return { source: pass(), head: () => Buffer.concat(kept), arePlain: () => seen.arePlain };
}

/** The first bytes of a stored file. */
export async function readHead(open: (range: { end: number }) => AsyncIterable<Buffer>): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of open({ end: HEAD_BYTES })) blocks.push(block);
  return Buffer.concat(blocks);
}
