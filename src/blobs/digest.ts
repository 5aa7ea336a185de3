import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { StoredBlob } from '../submissions/blobs.js';

/** What is known of a blob when its bytes have passed. */
export class BlobDigest {
  readonly #sha256 = createHash('sha256');
  #crc32 = 0;
  size = 0;

  add(block: Buffer): void {
    this.size += block.length;
    this.#sha256.update(block);
    this.#crc32 = crc32(block, this.#crc32);
  }

  end(key: string): StoredBlob {
    return { key, size: this.size, sha256: this.#sha256.digest('hex'), crc32: this.#crc32 };
  }
}
