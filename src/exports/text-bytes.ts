import type { ExportOutput } from './production.js';

/** Bytes that are handed on at once, and how many more there is room for: no line that is longer is put there as bytes. */
const PIECE = 128 * 1024;
const LONGEST_LINE = 64 * 1024;

/** The text of one part after the other as bytes, through one buffer: the texts of a result are many, and some are large. */
export class TextBytes {
  readonly #encoder = new TextEncoder();
  readonly #room = new Uint8Array(PIECE + LONGEST_LINE);
  #used = 0;
  /** Behind what the buffer has. */
  #text = '';
  #part: number | undefined;

  constructor(private readonly out: Pick<ExportOutput, 'write' | 'ended'>) {}

  /** Ends the part before. */
  async begin(part: number): Promise<void> {
    await this.end();
    this.#part = part;
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= PIECE) await this.flush();
  }

  /** Lets a line be put behind all before it; false when it could not be, and has to be written as text. */
  put(line: (room: Uint8Array, from: number) => number): boolean {
    if (!this.#takesText()) return false;
    const end = line(this.#room, this.#used);
    if (end < 0) return false;
    this.#used = end;
    return true;
  }

  #takesText(): boolean {
    if (this.#text === '') return true;
    // A character takes three bytes at most.
    if (this.#text.length * 3 > this.#room.length - this.#used) return false;
    this.#used += this.#encoder.encodeInto(this.#text, this.#room.subarray(this.#used)).written;
    this.#text = '';
    return true;
  }

  /** Nothing more should be put before it is flushed. */
  get isFull(): boolean {
    return this.#used >= PIECE;
  }

  async end(): Promise<void> {
    if (this.#part === undefined) return;
    await this.flush();
    await this.out.ended(this.#part);
    this.#part = undefined;
  }

  async flush(): Promise<void> {
    if (this.#used > 0) await this.out.write(this.#part as number, this.#room.subarray(0, this.#used));
    this.#used = 0;
    for (let rest = this.#text; rest !== ''; ) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#room);
      await this.out.write(this.#part as number, this.#room.subarray(0, written));
      rest = rest.slice(read);
    }
    this.#text = '';
  }
}
