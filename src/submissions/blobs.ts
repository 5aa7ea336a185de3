/** PORT: where uploaded files lie. A blob is there whole and durable, or not at all; it never changes. */
import type { Readable } from 'node:stream';
import { RegistryError } from '../registry/errors.js';

export interface StoredBlob {
  key: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
  crc32: number;
}

/** A blob of which it was not said yet whether it stays. */
export type PendingBlob = Pick<StoredBlob, 'key' | 'sha256'> & { account: string };

export interface BlobRange {
  start?: number;
  end?: number;
  /** Bytes that the whole blob must have. */
  size?: number;
}

/** Of one that comes, or is announced, with more bytes than are taken. */
export const fileTooLarge = (maxBytes: number): RegistryError =>
  new RegistryError('file.too-large', `The file is larger than ${maxBytes} bytes; split it and upload the parts.`);

export interface Blobs {
  /**
   * Stores the stream under the key, hashing on the way; durable (file and folder synced) when it resolves. Its blocks may be written
   * after the next ones were asked for, so their memory must not be used again. If the source fails or ends early, or `maxBytes` is
   * passed, nothing is left behind. With `pendingFor`, an account, `pendingFrom` names it until `settle`, so that one whose process was
   * killed in between is found.
   * @throws RegistryError file.too-large, storage.full
   */
  put(
    key: string,
    source: AsyncIterable<Buffer>,
    options: { maxBytes: number; pendingFor?: string },
  ): Promise<StoredBlob>;
  /** It stays, or was deleted. */
  settle(key: string): Promise<void>;
  /** Pending blobs, there or not, that were stored before this time (milliseconds since 1970), at most `limit`. */
  pendingFrom(before: number, limit: number): Promise<PendingBlob[]>;
  /** Keys of blobs that were stored before this time, pending ones too, in batches. Where the rights do not allow listing, an error. */
  storedBefore(time: number): AsyncIterable<string[]>;
  /**
   * The bytes, from `start` to before `end` where given. Emits RegistryError not-found when there is no such blob, and
   * storage.damaged before the first byte when the blob has another size than `size`.
   */
  open(key: string, range?: BlobRange): Readable;
  /**
   * The same bytes for one who is done with each block when asking for the next, as its memory is used again: three times as fast. Absent where it
   * is no faster. Closes what it reads when it is left.
   */
  blocks?(key: string, range?: BlobRange): AsyncIterable<Buffer>;
  /** A local file with these bytes when the blobs are files of this machine; lets a reader skip a copy. */
  localPath?(key: string): string | undefined;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Rejects with the reason when blobs cannot be stored now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** What is noted of a pending blob, as JSON beside it. */
export const pendingNote = ({ sha256 }: StoredBlob, account: string): string => JSON.stringify({ sha256, account });

/** Of a note that a power cut has left empty nothing is known. */
export function readPendingNote(key: string, note: string): PendingBlob[] {
  try {
    return [{ key, ...(JSON.parse(note) as Omit<PendingBlob, 'key'>) }];
  } catch {
    return [];
  }
}

export const notAsStored = (key: string, found: number, size: number): RegistryError =>
  new RegistryError(
    'storage.damaged',
    `The stored file ${key} has ${found} bytes and had ${size}: tell the operators, who can restore it from a backup.`,
  );
