/** A zip printed as it is read: of its files, nothing is held but the piece at hand. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { timeSlices } from '../../registry/time-slices.js';

export interface ZipEntry {
  /** Path within the archive, of safe names (archive-names.ts). */
  name: string;
  /** Milliseconds since 1970. */
  modified: number;
  /** Asked for when the entries before it are done. */
  content: () => AsyncIterable<string | Buffer>;
  /** Called with what the archive holds of it, when all of it was read. */
  written?: (measures: Measures) => void;
}

export interface Measures {
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
}

const PIECE = 64 * 1024;

/** An error of a content is one of the archive, which then has no end. */
export async function* zipStream(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  let atHand: Readable | undefined;
  // Whoever stops reading the archive stops the file at hand too.
  out.once('close', () => atHand?.destroy());
  for (const { name, modified, content, written } of entries) {
    zip.addReadStreamLazy(name, { mtime: new Date(modified) }, (done) => {
      const pieces = inPieces(content());
      const source = Readable.from(written ? measured(pieces, written) : pieces, { objectMode: false });
      source.once('error', (error) => out.destroy(error));
      atHand = source;
      done(null, source);
    });
  }
  zip.end();
  yield* out as AsyncIterable<Buffer>;
}

/** Texts together in pieces worth compressing. */
async function* inPieces(content: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  let piece = '';
  const nextSlice = timeSlices();
  for await (const part of content) {
    await nextSlice();
    if (typeof part !== 'string') {
      yield part;
      continue;
    }
    piece += part;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

async function* measured(pieces: AsyncIterable<Buffer>, written: (measures: Measures) => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
    yield piece;
  }
  written({ size, sha256: hash.digest('hex') });
}
