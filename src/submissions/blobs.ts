/** PORT: where uploaded files lie. A blob is there whole and durable, or not at all; it never changes. */
import type { Readable } from 'node:stream';

export interface StoredBlob {
  key: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
}

export interface Blobs {
  /**
   * Stores the stream under the key, hashing on the way; durable (file and folder synced) when it resolves. If the
   * source fails or ends early, or `maxBytes` is passed, nothing is left behind.
   * @throws RegistryError file.too-large, storage.full
   */
  put(key: string, source: AsyncIterable<Buffer>, options: { maxBytes: number }): Promise<StoredBlob>;
  /** The bytes, from `start` to before `end` where given. Emits RegistryError not-found when there is no such blob. */
  open(key: string, range?: { start?: number; end?: number }): Readable;
  /** A local file with these bytes when the blobs are files of this machine; lets a reader skip a copy. */
  localPath?(key: string): string | undefined;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Rejects with the reason when blobs cannot be stored now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
