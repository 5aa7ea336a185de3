/** A file that is read while it is still written, by others: its reader waits for what is not there yet. */
import { open } from 'node:fs/promises';

const PIECE = 256 * 1024;

export class GrowingFile {
  #written = 0;
  #ended: { error?: unknown } | undefined;
  #wake: () => void = () => undefined;
  #changed: Promise<void> = this.#nextChange();

  constructor(private readonly path: string) {}

  /** Bytes once it is whole, else undefined. */
  get size(): number | undefined {
    return this.#ended === undefined || 'error' in this.#ended ? undefined : this.#written;
  }

  /** So many bytes are there now. */
  grown(bytes: number): void {
    this.#written = bytes;
    this.#change();
  }

  /** It is whole, or never will be. */
  end(failure: { error?: unknown } = {}): void {
    this.#ended ??= failure;
    this.#change();
  }

  /** Resolves when there are so many bytes, or all. @throws what the writer ended with */
  async atLeast(bytes: number): Promise<void> {
    while (this.#written < bytes && this.#ended === undefined) await this.#changed;
    if (this.#ended !== undefined && 'error' in this.#ended) throw this.#ended.error;
  }

  /** @throws what the writer ended with */
  async *read(): AsyncGenerator<Buffer> {
    await this.atLeast(1);
    const file = await open(this.path);
    try {
      for (let at = 0; ; ) {
        await this.atLeast(at + 1);
        const piece = Buffer.allocUnsafe(Math.min(PIECE, this.#written - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
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
