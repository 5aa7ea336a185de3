/** Where the pieces of resumable uploads lie, on this machine's disk, until the file is whole. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { ERRORS } from '@tus/server';
import { RegistryError } from '../registry/errors.js';
import { isDiskFull } from './problem.js';

/** Of the tus checksum extension. */
export const CHECKSUMS = ['sha256', 'sha1', 'md5'] as const;

export interface Checksum {
  algorithm: (typeof CHECKSUMS)[number];
  /** Base64. */
  value: string;
}

/** The status that the tus protocol gives to a piece whose checksum is wrong. */
const CHECKSUM_MISMATCH = { status_code: 460, body: 'Checksum Mismatch\n' };

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
    if (!checksum) return this.append(readable, id, offset);
    const hash = createHash(checksum.algorithm);
    readable.on('data', (chunk: Buffer) => hash.update(chunk));
    const undo = () => truncate(join(this.folder, id), offset);
    const end = await this.append(readable, id, offset).catch(async (error: unknown) => {
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

  /** The library's own hides why it fails. What has arrived is kept. */
  private async append(readable: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.folder, id), { flags: 'r+', start: offset });
    try {
      await pipeline(readable, file);
    } catch (error) {
      throw isDiskFull(error) ? error : ERRORS.FILE_WRITE_ERROR;
    }
    return offset + file.bytesWritten;
  }

  /**
   * Removes uploads that were begun before the end of an upload's life, finished or not. The library's own keeps empty
   * ones for ever and stops at the first whose file is gone.
   */
  override async deleteExpired(): Promise<number> {
    const before = Date.now() - this.lifeMs;
    let removed = 0;
    // A killed process may leave the pieces or what is known of them alone.
    const ids = new Set((await readdir(this.folder)).map((name) => name.replace(/\.json$/, '')));
    for (const id of ids) {
      const begun = await this.begunAt(id);
      if (begun > before) continue;
      for (const name of [id, `${id}.json`]) await rm(join(this.folder, name), { force: true });
      (await this.unfinished()).delete(id);
      removed++;
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

  private async begunAt(id: string): Promise<number> {
    const upload = await this.configstore.get(id).catch(() => undefined);
    if (upload?.creation_date) return Date.parse(upload.creation_date);
    const file = await stat(join(this.folder, id)).catch(() => undefined);
    return file?.mtimeMs ?? 0;
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
