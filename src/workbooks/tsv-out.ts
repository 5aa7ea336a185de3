/** Cells → tab-separated text in pieces of about a megabyte, as bytes. */
import { LIMITS } from './limits.js';
import { tooLarge } from './refusal.js';

const PIECE = 1024 * 1024;

export class TsvOut {
  #buffer = Buffer.allocUnsafe(PIECE + 64 * 1024);
  #used = 0;
  #pieces: Buffer[] = [];
  /** Bytes of them. */
  #waiting = 0;
  #total = 0;

  /** Text that is a cell already, or part of one. */
  write(text: string): void {
    this.#room(text.length * 3);
    this.#used += this.#buffer.write(text, this.#used, 'utf8');
  }

  copy(source: Buffer, start: number, end: number): void {
    this.#room(end - start);
    source.copy(this.#buffer, this.#used, start, end);
    this.#used += end - start;
  }

  /** TABs or line ends. */
  repeat(byte: number, count: number): void {
    for (let left = count; left > 0; ) {
      const run = Math.min(left, PIECE);
      this.#room(run);
      this.#buffer.fill(byte, this.#used, this.#used + run);
      this.#used += run;
      left -= run;
    }
  }

  /** The pieces that are full; with `all`, what is there. */
  take(all: boolean): Buffer[] {
    if (all) this.#cut();
    this.#waiting = 0;
    return this.#pieces.splice(0);
  }

  #room(bytes: number): void {
    if (this.#used + bytes <= this.#buffer.length) return;
    this.#cut();
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(bytes);
  }

  #cut(): void {
    if (this.#used === 0) return;
    this.#pieces.push(this.#buffer.subarray(0, this.#used));
    this.#total += this.#used;
    this.#waiting += this.#used;
    this.#buffer = Buffer.allocUnsafe(PIECE + 64 * 1024);
    this.#used = 0;
    if (this.#total > LIMITS.outputBytes) throw tooLarge('The sheet is larger than 4 GiB of text.');
    if (this.#waiting > LIMITS.pieceBytes) throw tooLarge('The sheet repeats long texts more often than is read.');
  }
}
