/**
 * A disk for the stored files: what src/blobs/filesystem.ts asks of Node's file system. A power cut takes what was not
 * synced: bytes that were not, and names in folders that were not. Every operation is an event and may fail.
 */
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { call } from './ports.js';
import type { Life, World } from './world.js';

interface File {
  data: Buffer;
  synced: Buffer;
}

export class Disk {
  /** Names as processes see them, and as a power cut leaves them. */
  #names = new Map<string, File | 'folder'>();
  #kept = new Map<string, File | 'folder'>();
  full = false;
  /** What is replaced in `node:fs/promises`. */
  readonly functions: Record<string, (...values: never[]) => unknown>;

  constructor(
    private readonly world: World,
    private readonly root: string,
  ) {
    for (const names of [this.#names, this.#kept]) names.set(root, 'folder');
    this.functions = {
      access: (path: string) => this.#do('access', () => void this.#find(path)),
      mkdir: (path: string) => this.#do('mkdir', () => this.#makeFolder(path)),
      open: (path: string, mode: string) => this.#open(path, mode),
      readFile: (path: string) =>
        this.#do('readFile', () => {
          const file = this.#find(path);
          return file === 'folder' ? '' : file.data.toString();
        }),
      readdir: (path: string) => this.#do('readdir', () => this.#list(path)),
      rename: (from: string, to: string) => this.#do('rename', () => this.#rename(from, to)),
      rm: (path: string) => this.#do('rm', () => void this.#names.delete(path)),
      stat: (path: string) =>
        this.#do('stat', () => {
          this.#find(path);
          return { mtimeMs: Date.now() };
        }),
      writeFile: (path: string, text: string) =>
        this.#do('writeFile', () => {
          if (this.full) throw failure('ENOSPC', path);
          this.#names.set(path, { data: Buffer.from(text), synced: Buffer.alloc(0) });
        }),
    };
  }

  /** What is left after a power cut. */
  cutPower(): void {
    // What is in a folder whose own name was not synced goes with it.
    for (const path of this.#kept.keys()) {
      for (let above = path; above !== this.root; above = dirname(above)) {
        if (!this.#kept.has(above)) this.#kept.delete(path);
      }
    }
    this.#names = new Map(this.#kept);
    for (const file of this.#names.values()) if (file !== 'folder') file.data = file.synced;
  }

  #do<T>(what: string, work: () => T): Promise<T> {
    const life = this.world.current as Life;
    if (life.watches) return Promise.resolve().then(work);
    return call(this.world, life, `disk.${what}`, async () => work(), 'disk');
  }

  #find(path: string): File | 'folder' {
    const found = this.#names.get(path);
    if (found === undefined) throw failure('ENOENT', path);
    return found;
  }

  #makeFolder(path: string): string | undefined {
    if (this.#names.has(path)) return undefined;
    const above = path === this.root ? undefined : this.#makeFolder(dirname(path));
    this.#names.set(path, 'folder');
    return above ?? path;
  }

  #list(path: string): string[] {
    this.#find(path);
    return [...this.#names.keys()].filter((each) => dirname(each) === path).map((each) => each.slice(path.length + 1));
  }

  #rename(from: string, to: string): void {
    const file = this.#find(from);
    this.#find(dirname(to));
    this.#names.delete(from);
    this.#names.set(to, file);
  }

  async #open(path: string, mode: string): Promise<unknown> {
    await this.#do(`open ${mode}`, () => {
      if (mode !== 'wx') return void this.#find(path);
      if (this.full) throw failure('ENOSPC', path);
      this.#names.set(path, { data: Buffer.alloc(0), synced: Buffer.alloc(0) });
    });
    const opened = this.#names.get(path) as File | 'folder';
    return opened === 'folder' ? this.#folderHandle(path) : this.#fileHandle(path, opened);
  }

  /** Which names a folder has is durable once the folder is synced. */
  #folderHandle(path: string): object {
    const sync = (): void => {
      for (const names of [this.#kept, this.#names]) {
        for (const each of [...names.keys()].filter((name) => dirname(name) === path)) {
          const present = this.#names.get(each);
          if (present) this.#kept.set(each, present);
          else this.#kept.delete(each);
        }
      }
    };
    return { sync: () => this.#do('sync folder', sync), close: async () => undefined };
  }

  #fileHandle(path: string, file: File): object {
    return {
      appendFile: (block: Buffer) =>
        this.#do('write', () => {
          // A disk takes what it has room for.
          file.data = Buffer.concat([file.data, this.full ? block.subarray(0, block.length / 2) : block]);
          if (this.full) throw failure('ENOSPC', path);
        }),
      datasync: () =>
        this.#do('datasync', () => {
          file.synced = file.data;
        }),
      read: (into: Buffer, at: number, length: number, from: number) =>
        this.#do('read', () => ({ bytesRead: file.data.copy(into, at, from, from + length) })),
      stat: () => this.#do('stat', () => ({ size: file.data.length })),
      createReadStream: ({ start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number }) => {
        const read = this.#do('read', () => file.data.subarray(start, end + 1));
        const blocks = async function* (): AsyncGenerator<Buffer> {
          const block = await read;
          if (block.length > 0) yield block;
        };
        return Readable.from(blocks(), { objectMode: false });
      },
      close: async () => undefined,
    };
  }
}

/** How files that are being written are named after their process. */
const PROCESS = `${hostname()}_${process.pid}`;

/** A timeline says it, and is the same in every process. */
function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path.replace(PROCESS, 'HOST_PROCESS')}`), { code });
}
