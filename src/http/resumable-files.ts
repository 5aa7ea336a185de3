/** Where the pieces of resumable uploads lie, on this machine's disk, until the file is whole. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { RegistryError } from '../registry/errors.js';

/** Of the tus checksum extension. */
export const CHECKSUMS = ['sha256', 'sha1', 'md5'] as const;

export interface Checksum {
  algorithm: (typeof CHECKSUMS)[number];
  /** Base64. */
  value: string;
}

/** The status that the tus protocol gives to a piece whose checksum is wrong. */
export const CHECKSUM_MISMATCH = { status_code: 460, body: 'Checksum Mismatch\n' };

type TusUpload = Awaited<ReturnType<FileStore['create']>>;

interface Unfinished {
  account: string;
  size: number;
}

/** Unfinished uploads in all, and of one account. */
const MOST_UNFINISHED = 5_000;
const MOST_OF_ACCOUNT = 200;

export class ResumableFiles extends FileStore {
  private known: Promise<Map<string, Unfinished>> | undefined;
  /** The checksum that the present request declares for its piece. */
  readonly declared = new AsyncLocalStorage<Checksum | undefined>();

  constructor(
    private readonly folder: string,
    private readonly lifeMs: number,
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

  /**
   * Bytes that unfinished uploads of this account may still bring or have brought.
   * @throws RegistryError rate.limited when it, or everybody together, has too many of them
   */
  async promisedTo(account: string): Promise<number> {
    const open = await this.unfinished();
    const mine = [...open.values()].filter((upload) => upload.account === account);
    if (open.size >= MOST_UNFINISHED || mine.length >= MOST_OF_ACCOUNT) {
      throw new RegistryError(
        'rate.limited',
        `There are ${mine.length} unfinished uploads of this account, and ${open.size} of all; finish some or give them up (DELETE), or wait until they expire.`,
        { extra: { retryAfter: 600 } },
      );
    }
    return mine.reduce((sum, { size }) => sum + size, 0);
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const open = await this.unfinished();
    const made = await super.create(upload);
    open.set(upload.id, { account: upload.metadata?.account ?? '', size: upload.size ?? 0 });
    return made;
  }

  override async remove(id: string): Promise<void> {
    await super.remove(id);
    (await this.unfinished()).delete(id);
  }

  /** Whatever has arrived of it, an empty file too: a day after it was begun it goes. */
  override async deleteExpired(): Promise<number> {
    let removed = 0;
    for (const id of (await this.configstore.list?.()) ?? []) {
      const begun = (await this.configstore.get(id))?.creation_date;
      if (begun === undefined || new Date(begun).getTime() + this.lifeMs > Date.now()) continue;
      await this.remove(id).catch(() => undefined);
      removed += 1;
    }
    return removed;
  }

  /** Read from the folder once; kept in step from then on. */
  private unfinished(): Promise<Map<string, Unfinished>> {
    this.known ??= this.readUnfinished();
    return this.known;
  }

  private async readUnfinished(): Promise<Map<string, Unfinished>> {
    const found = new Map<string, Unfinished>();
    for (const id of (await this.configstore.list?.()) ?? []) {
      const upload = await this.configstore.get(id).catch(() => undefined);
      if (!upload || upload.metadata?.submission) continue;
      found.set(id, { account: upload.metadata?.account ?? '', size: upload.size ?? 0 });
    }
    return found;
  }

  /** Remembers what the whole file became, and gives its disk space back: a hole of the same size stays. */
  async markSubmitted(id: string, submissionId: string): Promise<void> {
    const upload = await this.configstore.get(id);
    if (!upload) return;
    (await this.unfinished()).delete(id);
    await this.configstore.set(
      id,
      Object.assign(upload, { metadata: { ...upload.metadata, submission: submissionId } }),
    );
    const path = join(this.folder, id);
    await truncate(path, 0);
    await truncate(path, upload.size ?? 0);
  }
}
