/** The entries of a zip, read by a library other than the one that made it; it refuses names that lead out of the archive. */
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry } from 'yauzl';

/** Name → bytes, in the order of the archive. */
export function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (broken, zip) => {
      if (broken) return reject(broken);
      zip.on('error', reject);
      zip.on('end', () => resolve(entries));
      zip.on('entry', (entry: Entry) =>
        zip.openReadStream(entry, async (unreadable, stream) => {
          if (unreadable) return reject(unreadable);
          entries.set(entry.fileName, await buffer(stream));
          zip.readEntry();
        }),
      );
      zip.readEntry();
    });
  });
}
