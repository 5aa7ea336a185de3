/** A table that was compressed with gzip, as sequencing centres and databases send them. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { LIMITS } from './limits.js';
import { tooLarge, wrongKind } from './refusal.js';

const UNPACK = 'Unpack it, and upload the table of samples, as .tsv, .csv or .xlsx.';
const HAS_NAME = 8;
const HAS_EXTRA = 4;
/** Where a tar archive says that it is one. */
const TAR_MARK = { at: 257, text: 'ustar' };

/** The name that the file had before, from the header of RFC 1952; undefined where it keeps none. */
export async function nameInGzip(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
    const flags = buffer[3] as number;
    if ((flags & HAS_NAME) === 0) return undefined;
    const start = 10 + ((flags & HAS_EXTRA) === 0 ? 0 : 2 + buffer.readUInt16LE(10));
    const end = buffer.indexOf(0, start);
    return end > start ? buffer.toString('latin1', start, end) : undefined;
  } finally {
    await file.close();
  }
}

/** @throws RegistryError file.wrong-kind, file.too-large */
export async function* unpackGzip(path: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(path);
  const text = createGunzip();
  packed.once('error', (error) => text.destroy(error));
  packed.pipe(text);
  let bytes = 0;
  try {
    for await (const block of text as AsyncIterable<Buffer>) {
      if (bytes === 0 && block.toString('latin1', TAR_MARK.at, TAR_MARK.at + TAR_MARK.text.length) === TAR_MARK.text)
        throw wrongKind('This is a compressed tar archive.', UNPACK);
      bytes += block.length;
      if (bytes > LIMITS.ratioFrom && bytes > packed.bytesRead * LIMITS.ratio)
        throw tooLarge(`The gzip file unpacks to more than ${LIMITS.ratio} times its size.`);
      if (bytes > LIMITS.outputBytes) throw tooLarge('The gzip file unpacks to more than 4 GiB.');
      yield block;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw wrongKind('The gzip file is damaged or was cut short.', 'Compress it again, or upload the table as it is.');
    throw error;
  } finally {
    packed.destroy();
    text.destroy();
  }
}
