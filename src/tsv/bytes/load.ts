import { decodeBlocks } from './decode.js';
import type { RowReader } from './row-reader.js';

export interface LoadedBlock {
  /** Bytes of the file up to the reader's position; exact at the end of a block, in proportion within it. */
  bytesAt(position: number): number;
  last: boolean;
}

/** Feeds a file to a reader, block by block. @throws RegistryError file.encoding, file.not-understood */
export async function* loadBlocks(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
  reader: RowReader,
): AsyncGenerator<LoadedBlock> {
  for await (const { text, from, to, last } of decodeBlocks(bytes, encoding, () => reader.nextLine)) {
    reader.load(text, last);
    const length = reader.text.length;
    yield {
      last,
      bytesAt: (position) => (position >= length ? to : from + Math.floor(((to - from) * position) / length)),
    };
  }
}
