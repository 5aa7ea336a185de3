/**
 * A file that is read while it is still written, by others: its reader waits for what is not there yet. It is written in
 * parts (parts.ts), each a file of its own, several of them at once, and read as one.
 */
import { open } from 'node:fs/promises';

const PIECE = 256 * 1024;

/** Of the file that a part of `path` is. */
export const partPath = (path: string, part: number): string => `${path}.${part}`;

interface Part {
  bytes: number;
  ended: boolean;
}

export class GrowingFile {
  readonly #parts: (Part | undefined)[] = [];
  #ended: { error?: unknown } | undefined;
  #wake: () => void = () => undefined;
  #changed: Promise<void> = this.#nextChange();

  constructor(private readonly path: string) {}

  /** Bytes once it is whole, else undefined. */
  get size(): number | undefined {
    return this.#ended === undefined || 'error' in this.#ended ? undefined : this.#written;
  }

  /** So many bytes of the part are there now. */
  grown(part: number, bytes: number): void {
    this.#partAt(part).bytes = bytes;
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
    await this.#until(() => this.#written >= bytes);
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
    await this.#until(() => part.bytes > 0 || part.ended);
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

  get #written(): number {
    return this.#parts.reduce((sum, part) => sum + (part?.bytes ?? 0), 0);
  }

  /** Or until it is whole. @throws what the writer ended with */
  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && this.#ended === undefined) await this.#changed;
    if (this.#ended !== undefined && 'error' in this.#ended) throw this.#ended.error;
  }

  #partAt(number: number): Part {
    const part = this.#parts[number] ?? { bytes: 0, ended: false };
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
