/**
 * Blobs as files under one folder. A file is written under `incoming/`, synced, renamed to its place and the folder
 * synced, so that a crash leaves either the whole blob or a temporary file that the next start removes.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder, syncFolder } from '../durable-names.js';
import { isAlive } from '../processes.js';
import { DAY_MS } from '../registry/date-time.js';
import { RegistryError } from '../registry/errors.js';
import {
  type Blobs,
  fileTooLarge,
  type PendingBlob,
  pendingNote,
  readPendingNote,
  type StoredBlob,
} from '../submissions/blobs.js';
import { requireRoom } from '../submissions/uploads/disk-room.js';
import { BlobDigest } from './digest.js';
import { blocksOf, openBlob } from './read-file.js';

const INCOMING = 'incoming';
/** A note for each pending blob, of its name. */
const PENDING = 'pending';
/** Written back in steps of this many bytes, so that the sync at the end of a large upload has little left to do. */
const SYNC_EVERY = 32 * 1024 * 1024;
/**
 * What comes while bytes are written is written at once, up to so many: each writing is a trip to the thread pool, which takes longer than
 * the bytes of one block. A file of 244 MiB, in blocks of 64 KiB, is received in 1.06 s for 1.37 (medians of four in turns).
 */
const WRITE_AT_ONCE = 256 * 1024;

export async function openFilesystemBlobs(folder: string): Promise<Blobs> {
  for (const name of [INCOMING, PENDING]) await makeFolder(join(folder, name));
  await removeAbandoned(join(folder, INCOMING));
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);
  /** Folders of blobs whose own names are durable: 256 at most. */
  const durable = new Set<string>();
  return {
    put: (key, source, options) => put({ folder, durable }, pathOf(key), key, source, options),
    settle: (key) => rm(join(folder, PENDING, key), { force: true }),
    pendingFrom: (before, limit) => pendingFrom(join(folder, PENDING), before, limit),
    storedBefore: (time) => storedBefore(folder, time),
    open: (key, range) => openBlob(pathOf(key), key, range),
    blocks: (key, range) => blocksOf(pathOf(key), key, range),
    localPath: pathOf,
    delete: (key) => rm(pathOf(key), { force: true }),
    check: async () => {
      // A disk that failed may be read-only without saying so of its rights.
      const probe = join(folder, INCOMING, `${hostname()}_${process.pid}_${randomUUID()}`);
      await (await open(probe, 'wx')).close();
      await rm(probe, { force: true });
      await requireRoom(folder);
    },
    close: async () => {},
  };
}

async function put(
  { folder, durable }: { folder: string; durable: Set<string> },
  path: string,
  key: string,
  source: AsyncIterable<Buffer>,
  { maxBytes, pendingFor }: { maxBytes: number; pendingFor?: string },
): Promise<StoredBlob> {
  const temporary = join(folder, INCOMING, `${hostname()}_${process.pid}_${randomUUID()}`);
  const note = pendingFor === undefined ? undefined : join(folder, PENDING, key);
  let file: FileHandle | undefined;
  let noted: Promise<void> | undefined;
  try {
    file = await open(temporary, 'wx');
    const blob = (await copy(source, file, maxBytes)).end(key);
    // The note is there before the name, and need not wait for the disk.
    noted = note === undefined ? undefined : writeFile(note, pendingNote(blob, pendingFor as string));
    noted?.catch(() => {});
    await file.datasync();
    await noted;
    await moveTo(temporary, path);
    // The bytes are on the disk and the name is not: closing need not come between.
    await Promise.all([file.close(), syncFolder(dirname(path))]);
    file = undefined;
    // Its folder may be new, also by another upload or process that has not synced it yet.
    if (!durable.has(dirname(path))) await syncFolder(folder);
    durable.add(dirname(path));
    return blob;
  } catch (error) {
    await Promise.allSettled([file?.close(), noted]);
    await rm(temporary, { force: true });
    if (note !== undefined) await rm(note, { force: true });
    throw asStorageError(error);
  }
}

/** Into a folder that is mostly there: asking first is two trips to the thread pool for each upload. */
async function moveTo(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    await rename(temporary, path);
  }
}

async function copy(source: AsyncIterable<Buffer>, file: FileHandle, maxBytes: number) {
  const digest = new BlobDigest();
  let unsynced = 0;
  let syncing: Promise<void> | undefined;
  for await (const block of Readable.from(source, { objectMode: false, highWaterMark: WRITE_AT_ONCE })) {
    if (digest.size + block.length > maxBytes) throw fileTooLarge(maxBytes);
    // A disk that fills up takes a part of the last block without a word; `write` would leave it at that.
    const appended = file.appendFile(block);
    digest.add(block);
    await appended;
    unsynced += block.length;
    if (unsynced >= SYNC_EVERY) {
      await syncing;
      syncing = file.datasync();
      syncing.catch(() => {});
      unsynced = 0;
    }
  }
  await syncing;
  return digest;
}

async function pendingFrom(notes: string, before: number, limit: number): Promise<PendingBlob[]> {
  const found: PendingBlob[] = [];
  for (const key of await readdir(notes)) {
    if (found.length >= limit) break;
    const path = join(notes, key);
    // Settled by another process meanwhile.
    const written = await stat(path).catch(() => undefined);
    if (written === undefined || written.mtimeMs >= before) continue;
    const read = readPendingNote(key, await readFile(path, 'utf8').catch(() => ''));
    // Its process was killed while it wrote the note, before the blob had its name.
    if (read.length === 0) await rm(path, { force: true });
    found.push(...read);
  }
  return found;
}

async function* storedBefore(folder: string, time: number): AsyncGenerator<string[]> {
  for (const prefix of await readdir(folder)) {
    if (prefix.length !== 2) continue;
    const keys: string[] = [];
    for (const key of await readdir(join(folder, prefix))) {
      // Deleted by another process meanwhile.
      const written = await stat(join(folder, prefix, key)).catch(() => undefined);
      if (written?.isFile() && written.mtimeMs < time) keys.push(key);
    }
    yield keys;
  }
}

/**
 * Removes what processes left behind: of this machine when they are no longer alive, of any when nobody has written to it for a day. A
 * container that is started again has the numbers of before, or another name.
 */
async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const [host, pid] = name.split('_');
    const path = join(incoming, name);
    const over = (host === hostname() && !isAlive(Number(pid))) || (await isOld(path));
    if (over) await rm(path, { force: true });
  }
}

/** False of one that its process has put in its place meanwhile. */
const isOld = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > DAY_MS,
    () => false,
  );

function asStorageError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') return error;
  return new RegistryError('storage.full', 'There is no room left to store the file; try again later.', {
    cause: error,
  });
}
