/**
 * Names that come in their order, as exports give them: each is longer than the one before, or as long and behind it. None of them
 * can stand twice, so none is looked for; what a table would need of them is kept as it comes, without what they share with the
 * one before: 3 bytes for most, where a table takes 10 to 20. Of 1 000 000 names this saves the 0.5 s that a table took, whose
 * slots are everywhere but in the processor's cache.
 */

/** Of a name that is kept; longer ones are rare and have a table. */
const LONGEST = 127;
/** Of the second byte of a name: its characters take two bytes each. */
const WIDE = 0x80;
/** Bytes that are made room for at once; the longest name fits into the first. */
const FIRST_BYTES = 1024;
const MOST_BYTES = 131_072;

export interface KeptName {
  name: string;
  line: number;
  identified: boolean;
}

export class RisingNames {
  readonly #last = new Uint16Array(LONGEST);
  #length = 0;
  /** Of each name: how many characters it shares with the one before, how many follow, and these. Zeros end a part. */
  readonly #parts: Uint8Array[] = [];
  #used = 0;
  #count = 0;
  /** Lines follow each other, and all rows carry an identifier or none does; else it is not for here. */
  #firstLine = 0;
  #identified = false;

  get count(): number {
    return this.#count;
  }

  /** Of memory. */
  get bytes(): number {
    return this.#parts.reduce((sum, { byteLength }) => sum + byteLength, this.#last.byteLength);
  }

  /** Keeps the text from `from` to before `to` where it belongs here; whether it does. */
  keep(text: string, from: number, to: number, line: number, identified: boolean): boolean {
    if (this.#count === 0) {
      this.#firstLine = line;
      this.#identified = identified;
    } else if (line !== this.#firstLine + this.#count || identified !== this.#identified) return false;
    const shared = this.#sharedByLater(text, from, to);
    if (shared < 0) return false;
    const last = this.#last;
    let codes = 0;
    for (let at = shared; from + at < to; at++) {
      const code = text.charCodeAt(from + at);
      last[at] = code;
      codes |= code;
    }
    this.#length = to - from;
    this.#write(shared, codes > 0xff);
    this.#count++;
    return true;
  }

  /** How many characters the text shares with the last name, which it comes after; -1 where it does not. */
  #sharedByLater(text: string, from: number, to: number): number {
    const length = to - from;
    if (length < this.#length || length > LONGEST) return -1;
    const last = this.#last;
    let at = 0;
    while (at < this.#length && text.charCodeAt(from + at) === last[at]) at++;
    if (length > this.#length) return at;
    return at < length && text.charCodeAt(from + at) > (last[at] as number) ? at : -1;
  }

  #write(shared: number, isWide: boolean): void {
    const last = this.#last;
    const part = this.#partFor(2 + (this.#length - shared) * (isWide ? 2 : 1));
    let used = this.#used;
    part[used++] = shared;
    part[used++] = isWide ? (this.#length - shared) | WIDE : this.#length - shared;
    for (let at = shared; at < this.#length; at++) {
      const code = last[at] as number;
      part[used++] = code;
      if (isWide) part[used++] = code >>> 8;
    }
    this.#used = used;
  }

  #partFor(bytes: number): Uint8Array {
    const last = this.#parts.at(-1);
    if (last && this.#used + bytes <= last.length) return last;
    const part = new Uint8Array(Math.min(MOST_BYTES, FIRST_BYTES * 2 ** this.#parts.length));
    this.#parts.push(part);
    this.#used = 0;
    return part;
  }

  /** Gives up what was kept, in order; nothing is left. */
  *giveUp(): Generator<KeptName> {
    const codes = new Uint16Array(LONGEST);
    const bytes = Buffer.from(codes.buffer);
    let line = this.#firstLine;
    for (let part = this.#parts.shift(); part; part = this.#parts.shift()) {
      for (let at = 0; part[at + 1]; ) {
        let length = part[at] as number;
        const second = part[at + 1] as number;
        const isWide = second >= WIDE;
        at += 2;
        for (let left = second & ~WIDE; left > 0; left--) {
          codes[length++] = (part[at++] as number) | (isWide ? (part[at++] as number) << 8 : 0);
        }
        const name = bytes.toString('utf16le', 0, 2 * length);
        yield { name, line: line++, identified: this.#identified };
      }
    }
    this.#count = 0;
  }
}
