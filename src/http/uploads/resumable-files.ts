/** Where the pieces of resumable uploads lie, on this machine's disk, until the file is whole. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import {
  constants,
  type FileHandle,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { FileStore } from '@tus/file-store';
import { ERRORS } from '@tus/server';
import { makeFolderNow, syncFile, syncFolder } from '../../durable-names.js';
import { isDiskFull } from '../problem.js';
import { type Unfinished, withRoom } from './unfinished-uploads.js';

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

/** Beside the pieces of an upload and what is known of it: how many bytes of them are on the disk. */
const KEPT = '.kept';
/** What is to be known of an upload, until it is on the disk: whoever asks meanwhile finds what was known. */
const NEW = '.json.new';
/** Digits of that number: written over, never cut off, so that one of them is always there. */
const DIGITS = 16;
/** How much of a long piece, in milliseconds, is sent again when the machine stops in the midst of it. */
const KEPT_EVERY_MS = 1_000;

export class ResumableFiles extends FileStore {
  private known: Promise<Map<string, Unfinished>> | undefined;
  private readonly turns = new Map<string, Promise<unknown>>();
  /** The checksum that the present request declares for its piece. */
  readonly declared = new AsyncLocalStorage<Checksum | undefined>();

  constructor(
    private readonly folder: string,
    private readonly lifeMs: number,
  ) {
    super({ directory: folder, expirationPeriodInMilliseconds: lifeMs });
    this.extensions = [...this.extensions.filter((name) => name !== 'creation-defer-length'), 'checksum'];
  }

  private pathOf(name: string): string {
    return join(this.folder, name);
  }

  /**
   * A piece that has a checksum is kept whole or not at all; without one, what has arrived is kept. What is acknowledged is on
   * the disk: a power cut leaves a file as long as it was, with a hole in it, so that its length says nothing.
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const checksum = this.declared.getStore();
    const hash = checksum && createHash(checksum.algorithm);
    const file = await open(this.pathOf(id), 'r+');
    let end = offset;
    try {
      let kept = performance.now();
      // The library's own hides why it fails; a stream that is destroyed where this ends early would hide it, too.
      for await (const block of readable.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        for (let at = 0; at < block.length; ) {
          at += (await file.write(block, at, block.length - at, end + at)).bytesWritten;
        }
        end += block.length;
        hash?.update(block);
        if (hash || performance.now() - kept < KEPT_EVERY_MS) continue;
        await this.keep(file, id, end);
        kept = performance.now();
      }
      if (hash && hash.digest('base64') !== checksum?.value) throw CHECKSUM_MISMATCH;
    } catch (error) {
      if (hash) {
        end = offset;
        await file.truncate(offset);
      }
      throw isDiskFull(error) || error === CHECKSUM_MISMATCH ? error : ERRORS.FILE_WRITE_ERROR;
    } finally {
      await this.keep(file, id, end).finally(() => file.close());
    }
    return end;
  }

  private async keep(file: FileHandle, id: string, bytes: number): Promise<void> {
    await file.datasync();
    const beside = await open(this.pathOf(`${id}${KEPT}`), constants.O_RDWR | constants.O_CREAT);
    try {
      await beside.write(String(bytes).padStart(DIGITS), 0);
      await beside.datasync();
    } finally {
      await beside.close();
    }
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const upload = await super.getUpload(id);
    // An empty file may be that of one that became a submission since the look at what is known of it: its bytes are the submission's.
    if (upload.offset === 0) Object.assign(upload, { metadata: (await this.configstore.get(id))?.metadata });
    if (upload.metadata?.submission) return Object.assign(upload, { offset: upload.size });
    const kept = await readFile(this.pathOf(`${id}${KEPT}`), 'utf8').catch(ifAbsent(undefined));
    // Uploads of earlier versions have none.
    if (kept !== undefined) upload.offset = Math.min(upload.offset, Number(kept));
    return upload;
  }

  /**
   * Bytes that unfinished uploads of this account may still bring or have brought.
   * @throws RegistryError rate.limited when it, or everybody together, has too many of them
   */
  async promisedTo(account: string): Promise<number> {
    const mine = withRoom(await this.unfinished(), account);
    return mine.reduce((sum, { size }) => sum + size, 0);
  }

  /** @throws RegistryError rate.limited as above, for those that begin at once, too */
  override async create(upload: TusUpload): Promise<TusUpload> {
    const unfinished = await this.unfinished();
    const account = upload.metadata?.account ?? '';
    withRoom(unfinished, account);
    unfinished.set(upload.id, { account, size: upload.size ?? 0 });
    try {
      const made = await super.create(upload);
      await writeFile(this.pathOf(`${upload.id}${KEPT}`), '0'.padStart(DIGITS));
      const parts = [upload.id, `${upload.id}.json`, `${upload.id}${KEPT}`];
      await Promise.all(parts.map((name) => syncFile(this.pathOf(name))));
      await syncFolder(this.folder);
      return made;
    } catch (error) {
      unfinished.delete(upload.id);
      throw error;
    }
  }

  override async remove(id: string): Promise<void> {
    await super.remove(id);
    for (const name of [`${id}${KEPT}`, `${id}${NEW}`]) await rm(this.pathOf(name), { force: true });
    (await this.unfinished()).delete(id);
  }

  /**
   * Removes uploads that were begun longer ago than an upload lives, finished or not, or in that far future, by a clock that was set back
   * since. The library's own keeps empty ones for ever and stops at the first whose file is gone.
   */
  override async deleteExpired(): Promise<number> {
    const now = Date.now();
    let removed = 0;
    // A killed process may leave the pieces or what is known of them alone.
    const ids = new Set((await readdir(this.folder)).map((name) => name.replace(/\.(json|json\.new|kept)$/, '')));
    for (const id of ids) {
      const begun = await this.begunAt(id);
      if (Math.abs(now - begun) < this.lifeMs) continue;
      for (const name of [id, `${id}.json`, `${id}${KEPT}`, `${id}${NEW}`])
        await rm(this.pathOf(name), { force: true });
      (await this.unfinished()).delete(id);
      removed++;
    }
    return removed;
  }

  /** Read from the folder once, or again where that failed; kept in step from then on. */
  private unfinished(): Promise<Map<string, Unfinished>> {
    this.known ??= this.readUnfinished().catch((error: unknown) => {
      this.known = undefined;
      throw error;
    });
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
    // One that cannot be looked at now is not over for that.
    const file = await stat(this.pathOf(id))
      .catch(ifAbsent({ mtimeMs: 0 }))
      .catch(() => undefined);
    return file?.mtimeMs ?? Date.now();
  }

  /** Remembers what the whole file became, and gives its disk space back; a power cut leaves one of both. */
  async markSubmitted(id: string, submission: string, further: Record<string, string> = {}): Promise<void> {
    if (!(await this.remember(id, { ...further, submission }))) return;
    (await this.unfinished()).delete(id);
    await truncate(this.pathOf(id), 0);
  }

  /** One after the other for an upload, so that each adds to what the others wrote. False where nothing is known of it any more. */
  async remember(id: string, further: Record<string, string>): Promise<boolean> {
    const turn = (this.turns.get(id) ?? Promise.resolve()).then(() => this.writeKnown(id, further));
    const over = turn.catch(() => {});
    this.turns.set(id, over);
    try {
      return await turn;
    } finally {
      if (this.turns.get(id) === over) this.turns.delete(id);
    }
  }

  private async writeKnown(id: string, further: Record<string, string>): Promise<boolean> {
    const upload = await this.configstore.get(id);
    if (!upload) return false;
    const path = this.pathOf(`${id}${NEW}`);
    await writeFile(path, JSON.stringify({ ...upload, metadata: { ...upload.metadata, ...further } }));
    await syncFile(path);
    await rename(path, this.pathOf(`${id}.json`));
    await syncFolder(this.folder);
    return true;
  }
}

/** Of a file that is not there; whatever else keeps it from being read is thrown. */
const ifAbsent =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };

// The library has its folder made by a call that nobody waits for: where that failed, the process ended by an error that
// nobody could catch.
Object.defineProperty(ResumableFiles.prototype, 'checkOrCreateDirectory', {
  value(this: ResumableFiles) {
    makeFolderNow(this.directory);
  },
});
