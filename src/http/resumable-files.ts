/** Where the pieces of resumable uploads lie, on this machine's disk, until the file is whole. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';

/** Of the tus checksum extension. */
export const CHECKSUMS = ['sha256', 'sha1', 'md5'] as const;

export interface Checksum {
  algorithm: (typeof CHECKSUMS)[number];
  /** Base64. */
  value: string;
}

/** The status that the tus protocol gives to a piece whose checksum is wrong. */
export const CHECKSUM_MISMATCH = { status_code: 460, body: 'Checksum Mismatch\n' };

export class ResumableFiles extends FileStore {
  /** The checksum that the present request declares for its piece. */
  readonly declared = new AsyncLocalStorage<Checksum | undefined>();

  constructor(
    private readonly folder: string,
    lifeMs: number,
  ) {
    super({ directory: folder, expirationPeriodInMilliseconds: lifeMs });
    this.extensions = [...this.extensions.filter((name) => name !== 'creation-defer-length'), 'checksum'];
  }

  /** A piece that has a checksum is kept whole or not at all; without one, what has arrived is kept. */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const checksum = this.declared.getStore();
    if (!checksum) return super.write(readable, id, offset);
    const hash = createHash(checksum.algorithm);
    readable.on('data', (chunk: Buffer) => hash.update(chunk));
    const undo = () => truncate(join(this.folder, id), offset);
    const end = await super.write(readable, id, offset).catch(async (error: unknown) => {
      await undo();
      throw error;
    });
    if (hash.digest('base64') === checksum.value) return end;
    await undo();
    throw CHECKSUM_MISMATCH;
  }

  /** Remembers what the whole file became, and gives its disk space back: a hole of the same size stays. */
  async markSubmitted(id: string, submissionId: string): Promise<void> {
    const upload = await this.configstore.get(id);
    if (!upload) return;
    await this.configstore.set(
      id,
      Object.assign(upload, { metadata: { ...upload.metadata, submission: submissionId } }),
    );
    const path = join(this.folder, id);
    await truncate(path, 0);
    await truncate(path, upload.size ?? 0);
  }
}
