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

  /** What a sync of this would make durable now; undefined: nothing. */
  unsynced(path: string, begun: number): 'first bytes' | 'bytes' | 'new folders' | 'names' | undefined {
    const file = this.#names.get(path);
    if (file) {
      if (!file.pending.some(({ number }) => number < begun)) return undefined;
      return file.durable.length === 0 ? 'first bytes' : 'bytes';
    }
    const names = this.#changes.filter(({ folder, number }) => folder === path && number < begun);
    if (names.length === 0) return undefined;
    return names.every(({ add }) => add !== undefined && add.file === undefined) ? 'new folders' : 'names';
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
      if (file.size === operation.size && file.size === 0) return;
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
      if (synced.length === 0) return;
      file.durable = changed(
        file.durable,
        synced.map(({ change }) => change),
      );
      file.pending = file.pending.filter(({ number }) => number >= begun);
      return;
    }
    const isSynced = ({ folder, number }: Named): boolean => folder === path && number < begun;
    const synced = this.#changes.filter(isSynced);
    for (const change of synced) apply(this.#durable, change);
    // A name that was durably taken away does not come back by what gave it before.
    const isOver = ({ number, add }: Named): boolean =>
      synced.some((later) => later.number > number && later.remove !== undefined && later.remove === add?.path);
    this.#changes = this.#changes.filter((change) => !isSynced(change) && !isOver(change));
  }

  /** Writes what a power cut now leaves into a folder. */
  cutPower(random: Random, into: string): void {
    const names = new Map(this.#durable);
    const keptOf = random.next();
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
      else writeFileSync(target, changed(file.durable, left(file, random, keptOf)));
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

/** Which of the changes that were not synced are there, and how much of them. */
function left({ pending }: File, random: Random, keptOf: number): Change[] {
  const kept: Change[] = [];
  for (const { change } of pending) {
    if (!random.chance(keptOf)) continue;
    if ('size' in change || !random.chance(0.2)) kept.push(change);
    else {
      const sectors = random.below(Math.ceil(change.data.length / SECTOR) + 1);
      kept.push({ offset: change.offset, data: change.data.subarray(0, sectors * SECTOR) });
    }
  }
  return kept;
}

function changed(before: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return before;
  const most = changes.reduce(
    (size, change) => Math.max(size, 'size' in change ? change.size : change.offset + change.data.length),
    before.length,
  );
  const bytes = Buffer.alloc(most);
  let size = before.copy(bytes);
  for (const change of changes) {
    if ('size' in change) {
      if (change.size < size) bytes.fill(0, change.size, size);
      size = change.size;
    } else if (change.data.length > 0) {
      change.data.copy(bytes, change.offset);
      size = Math.max(size, change.offset + change.data.length);
    }
  }
  return bytes.subarray(0, size);
}
