/**
 * How many bytes of a result are in memory between the threads that make it and the one that sends it: what is sent as fast
 * as it is made never becomes a file, and what a slow client leaves does.
 */

/** Bytes of one result. */
const MOST_BYTES = 8 * 1024 * 1024;

export class PieceMemory {
  readonly #bytes: Int32Array;

  /** `shared`: that of another thread, of the same result. */
  constructor(readonly shared = new SharedArrayBuffer(4)) {
    this.#bytes = new Int32Array(shared);
  }

  /** For a piece of so many bytes; false where there is no room for it. */
  take(bytes: number): boolean {
    if (Atomics.add(this.#bytes, 0, bytes) + bytes <= MOST_BYTES) return true;
    this.giveBack(bytes);
    return false;
  }

  giveBack(bytes: number): void {
    Atomics.sub(this.#bytes, 0, bytes);
  }
}
