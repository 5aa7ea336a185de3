/** The zip package of a workbook, or an archive: parts by name, each as a bounded stream. */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { RegistryError } from '../registry/errors.js';
import { shorten } from '../registry/row-issue.js';
import { LIMITS } from './limits.js';
import { damaged, tooLarge, wrongKind } from './refusal.js';

export class Package {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws RegistryError file.not-understood, file.wrong-kind, file.too-large */
  static async open(path: string): Promise<Package> {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) => {
        if (opened) resolve(opened);
        else
          reject(
            damaged(
              `The file is no whole zip package (${error?.message ?? 'unknown reason'}); it may have been cut short.`,
            ),
          );
      });
    });
    return new Package(zip, await listEntries(zip));
  }

  names(): string[] {
    return [...this.entries.keys()];
  }

  /** Names of its files as they are written, without folders. */
  fileNames(): string[] {
    return [...this.entries.values()].map(({ fileName }) => fileName).filter((name) => !name.endsWith('/'));
  }

  has(name: string): boolean {
    return this.entries.has(name.toLowerCase());
  }

  /**
   * The unzipped bytes of a part, counted as they come: what a package says of its own sizes is not believed. Read to its
   * end, it has the checksum that the package says.
   * @throws RegistryError file.too-large; file.not-understood when there is no such part or it is damaged
   */
  async *read(name: string, maxBytes: number): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name.toLowerCase());
    if (!entry) throw damaged(`The zip package has no part ${shorten(name)}.`);
    if (entry.uncompressedSize > maxBytes)
      throw tooLarge(`The part ${shorten(name)} of the zip package unzips to more than ${mib(maxBytes)}.`);
    const stream = await this.#openEntry(entry, name);
    let bytes = 0;
    let sum = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw tooLarge(`The part ${shorten(name)} of the zip package unzips to more than ${mib(maxBytes)}.`);
        if (bytes > LIMITS.ratioFrom && bytes > entry.compressedSize * LIMITS.ratio) {
          throw tooLarge(
            `The part ${shorten(name)} of the zip package unzips to more than ${LIMITS.ratio} times its size.`,
          );
        }
        sum = crc32(chunk, sum);
        yield chunk;
      }
      if (sum !== entry.crc32) throw partDamaged(name, 'its checksum is another');
    } catch (error) {
      throw error instanceof RegistryError ? error : partDamaged(name, (error as Error).message);
    } finally {
      stream.destroy();
    }
  }

  /** A small part whole, as text; undefined when there is none. */
  async text(name: string): Promise<string | undefined> {
    if (!this.has(name)) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(name, LIMITS.partBytes)) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  close(): void {
    this.zip.close();
  }

  #openEntry(entry: Entry, name: string): Promise<Readable> {
    return new Promise((resolve, reject) => {
      this.zip.openReadStream(entry, (error, stream) => {
        if (stream) resolve(stream);
        else
          reject(
            damaged(
              `The part ${shorten(name)} of the zip package cannot be unzipped (${error?.message ?? 'unknown reason'}).`,
            ),
          );
      });
    });
  }
}

const partDamaged = (name: string, why: string): RegistryError =>
  damaged(`The part ${shorten(name)} of the zip package is damaged (${why}).`);

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > LIMITS.entries) {
    return Promise.reject(tooLarge(`The zip package has ${zip.entryCount} parts; at most ${LIMITS.entries} are read.`));
  }
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      const name = entry.fileName.toLowerCase();
      if (entries.has(name)) return reject(damaged(`The zip package has two parts called ${shorten(entry.fileName)}.`));
      if ((entry.generalPurposeBitFlag & 1) !== 0)
        return reject(wrongKind('The file is protected with a password.', 'Take the password off and save it again.'));
      entries.set(name, entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', (error: Error) =>
      reject(damaged(`The zip package's list of parts cannot be read (${shorten(error.message)}).`)),
    );
    zip.readEntry();
  });
}
