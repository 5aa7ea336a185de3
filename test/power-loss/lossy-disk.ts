/**
 * A disk on which operations are done again, up to a power cut: of what was not synced, each write may be there, missing or
 * torn at a sector, and each change of a folder's names there or missing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Random } from '../support/random.js';
import type { Done, Operation } from './trace.js';

type Change = { size: number } | { offset: number; data: Buffer };

interface File {
  durable: Buffer;
  /** What was not synced, with the number of the operation that did it. */
  pending: { number: number; change: Change }[];
  /** Bytes that processes see. */
  size: number;
}

interface Named {
  number: number;
  folder: string;
  /** Absent: a folder. */
  add?: { path: string; file: File | undefined };
  remove?: string;
}

const SECTOR = 512;

export class LossyDisk {
  readonly #names = new Map<string, File | undefined>();
  readonly #durable = new Map<string, File | undefined>();
  #changes: Named[] = [];
  #number = 0;

  /** Begins with these files and folders, all of them synced. Paths are absolute. */
  constructor(
    private readonly root: string,
    files: ReadonlyMap<string, Buffer | undefined>,
  ) {
    for (const [path, content] of files) {
      const file = content && { durable: content, pending: [], size: content.length };
      this.#names.set(path, file);
      this.#durable.set(path, file);
    }
  }

  do(operation: Done): void {
    const number = this.#number++;
    const { path } = operation;
    if (operation.kind === 'create') {
      if (!this.#names.has(path))
        this.#rename(number, { path, file: { durable: Buffer.alloc(0), pending: [], size: 0 } });
    } else if (operation.kind === 'mkdir') this.#rename(number, { path, file: undefined });
    else if (operation.kind === 'remove') this.#rename(number, undefined, path);
    else if (operation.kind === 'rename')
      this.#rename(number, { path: operation.to, file: this.#names.get(path) }, path);
    else if (operation.kind === 'sync') this.#sync(path, operation.begun);
    else if (operation.kind === 'write' || operation.kind === 'truncate') this.#write(number, operation);
  }

  #rename(number: number, add: Named['add'], remove?: string): void {
    if (remove !== undefined) this.#names.delete(remove);
    if (add) this.#names.set(add.path, add.file);
    const folder = dirname(add?.path ?? (remove as string));
    this.#changes.push({ number, folder, ...(add && { add }), ...(remove !== undefined && { remove }) });
  }

  #write(number: number, operation: Extract<Operation, { kind: 'write' | 'truncate' }>): void {
    const file = this.#names.get(operation.path);
    if (file === undefined) return;
    if (operation.kind === 'truncate') {
      file.pending.push({ number, change: { size: operation.size } });
      file.size = operation.size;
      return;
    }
    const offset = operation.offset === 'end' ? file.size : operation.offset;
    file.pending.push({ number, change: { offset, data: operation.data } });
    file.size = Math.max(file.size, offset + operation.data.length);
  }

  #sync(path: string, begun: number): void {
    const file = this.#names.get(path);
    if (file) {
      const synced = file.pending.filter(({ number }) => number < begun);
      file.durable = synced.reduce((bytes, { change }) => changed(bytes, change), file.durable);
      file.pending = file.pending.filter(({ number }) => number >= begun);
      return;
    }
    const isSynced = ({ folder, number }: Named): boolean => folder === path && number < begun;
    for (const change of this.#changes.filter(isSynced)) apply(this.#durable, change);
    this.#changes = this.#changes.filter((change) => !isSynced(change));
  }

  /** Writes what a power cut now leaves into a folder. */
  cutPower(random: Random, into: string): void {
    const names = new Map(this.#durable);
    const keptOf = 0.2 + 0.6 * random.next();
    // A journal keeps changes of names in order: those behind the first lost one are lost as well.
    const journaled = random.chance(0.5);
    for (const change of this.#changes) {
      if (random.chance(keptOf)) apply(names, change);
      else if (journaled) break;
    }
    for (const [path, file] of [...names].sort(([a], [b]) => a.length - b.length)) {
      const target = join(into, relative(this.root, path));
      if (!isThere(names, path, this.root)) continue;
      if (file === undefined) mkdirSync(target, { recursive: true });
      else writeFileSync(target, left(file, random, keptOf));
    }
  }
}

/** Its folders are. */
function isThere(names: ReadonlyMap<string, unknown>, path: string, root: string): boolean {
  for (let above = path; above !== root; above = dirname(above)) if (!names.has(above)) return false;
  return true;
}

function apply(names: Map<string, File | undefined>, { add, remove }: Named): void {
  if (remove !== undefined) names.delete(remove);
  if (add) names.set(add.path, add.file);
}

function left({ durable, pending }: File, random: Random, keptOf: number): Buffer {
  let bytes = durable;
  for (const { change } of pending) {
    if (!random.chance(keptOf)) continue;
    if ('size' in change || !random.chance(0.2)) bytes = changed(bytes, change);
    else {
      const sectors = random.below(Math.ceil(change.data.length / SECTOR) + 1);
      bytes = changed(bytes, { offset: change.offset, data: change.data.subarray(0, sectors * SECTOR) });
    }
  }
  return bytes;
}

function changed(bytes: Buffer, change: Change): Buffer {
  const size = 'size' in change ? change.size : Math.max(bytes.length, change.offset + change.data.length);
  const result =
    size === bytes.length
      ? Buffer.from(bytes)
      : Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length))], size);
  if (!('size' in change)) change.data.copy(result, change.offset);
  return result;
}
