/** The bytes of a body while it comes. */

/** Longer blocks are kept as they are. */
const SMALL_BYTES = 4 * 1024;
const PAGE_BYTES = 64 * 1024;

/** Short blocks are copied together: each of one byte would take some hundred, a list of 8 MB as such two gigabytes. */
export class Blocks {
  readonly #blocks: Buffer[] = [];
  #page = Buffer.alloc(0);
  #from = 0;
  #to = 0;

  add(block: Buffer): void {
    if (block.length >= SMALL_BYTES) {
      this.#close();
      this.#blocks.push(block);
      return;
    }
    if (this.#to + block.length > this.#page.length) {
      this.#close();
      this.#page = Buffer.allocUnsafe(PAGE_BYTES);
      this.#from = this.#to = 0;
    }
    this.#to += block.copy(this.#page, this.#to);
  }

  whole(): Buffer {
    this.#close();
    return Buffer.concat(this.#blocks);
  }

  #close(): void {
    if (this.#to > this.#from) this.#blocks.push(this.#page.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
