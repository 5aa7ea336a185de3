/**
 * A file that is read while it is still written, by others: its reader waits for what is not there yet. It is written in
 * parts (parts.ts), several of them at once, and read as one. Of each part the pieces for which there is room are handed
 * over in memory; from the first on for which there was none, it is a file of its own.
 */
import { open } from 'node:fs/promises';
import type { PieceMemory } from './piece-memory.js';

const PIECE = 256 * 1024;

/** Of the file that a part of `path` is. */
export const partPath = (path: string, part: number): string => `${path}.${part}`;

interface Part {
  /** In memory, not read yet. */
  pieces: Uint8Array[];
  /** In its file. */
  bytes: number;
  ended: boolean;
}

export class GrowingFile {
  readonly #parts: (Part | undefined)[] = [];
  /** Of all parts. */
  #bytes = 0;
  #ended: { error?: unknown } | undefined;
  #wake: () => void = () => undefined;
  #changed: Promise<void> = this.#nextChange();

  constructor(
    private readonly path: string,
    private readonly memory: PieceMemory,
  ) {}

  /** Bytes once it is whole, else undefined. */
  get size(): number | undefined {
    return this.#ended === undefined || 'error' in this.#ended ? undefined : this.#bytes;
  }

  /** The next piece of the part; its bytes are the file's from now on. Not after `grown` of the same part. */
  handed(part: number, piece: Uint8Array): void {
    this.#partAt(part).pieces.push(piece);
    this.#bytes += piece.length;
    this.#change();
  }

  /** So many bytes are in the part's file now. */
  grown(part: number, bytes: number): void {
    const known = this.#partAt(part);
    this.#bytes += bytes - known.bytes;
    known.bytes = bytes;
    this.#change();
  }

  /** The part has all its bytes. */
  partEnded(part: number): void {
    this.#partAt(part).ended = true;
    this.#change();
  }

  /** It is whole, or never will be. */
  end(failure: { error?: unknown } = {}): void {
    this.#ended ??= failure;
    this.#change();
  }

  /** Resolves when there are so many bytes, or all. @throws what the writer ended with */
  async atLeast(bytes: number): Promise<void> {
    await this.#until(() => this.#bytes >= bytes);
  }

  /** @throws what the writer ended with */
  async *read(): AsyncGenerator<Buffer> {
    for (let part = 0; ; part++) {
      await this.#until(() => this.#parts[part] !== undefined);
      const begun = this.#parts[part];
      if (begun === undefined) return;
      yield* this.#readPart(part, begun);
    }
  }

  async *#readPart(number: number, part: Part): AsyncGenerator<Buffer> {
    const { pieces } = part;
    do {
      await this.#until(() => pieces.length > 0 || part.bytes > 0 || part.ended);
      for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
        this.memory.giveBack(piece.length);
        yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      }
    } while (part.bytes === 0 && !part.ended);
    if (part.bytes === 0) return;
    const file = await open(partPath(this.path, number));
    try {
      for (let at = 0; ; ) {
        await this.#until(() => part.bytes > at || part.ended);
        if (part.bytes === at) return;
        const piece = Buffer.allocUnsafe(Math.min(PIECE, part.bytes - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0) throw new Error(`${this.path} has fewer bytes than were written`);
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  /** Or until it is whole. @throws what the writer ended with */
  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && this.#ended === undefined) await this.#changed;
    if (this.#ended !== undefined && 'error' in this.#ended) throw this.#ended.error;
  }

  #partAt(number: number): Part {
    const part = this.#parts[number] ?? { pieces: [], bytes: 0, ended: false };
    this.#parts[number] = part;
    return part;
  }

  #change(): void {
    const wake = this.#wake;
    this.#changed = this.#nextChange();
    wake();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
