/**
 * Names that come in their order, as exports give them: each is longer than the one before, or as long and behind it. None of them
 * can stand twice, so none is looked for; what a table needs of them is kept as it comes, 10 bytes each. Of 1 000 000 names this
 * saves the 0.5 s that a table of 11 MB took, whose slots are everywhere but in the processor's cache.
 */

/** Of a name that is compared; longer ones are rare and have a table. */
const LONGEST = 256;
/** 16 bits each. */
const PARTS = 5;
const FIRST_NAMES = 256;
const MOST_NAMES = 65_536;

export interface KeptName {
  a: number;
  b: number;
  /** 16 bits are kept. */
  c: number;
  line: number;
  identified: boolean;
}

export class RisingNames {
  #last = new Uint16Array(LONGEST);
  #length = 0;
  readonly #kept: Uint16Array[] = [];
  #free = 0;
  #count = 0;
  /** Lines follow each other, and all rows carry an identifier or none does; else it is not for here. */
  #firstLine = 0;
  #identified = false;

  get count(): number {
    return this.#count;
  }

  /** Of memory. */
  get bytes(): number {
    return this.#kept.reduce((sum, { byteLength }) => sum + byteLength, this.#last.byteLength);
  }

  /** Whether the name belongs here, and will be kept next. */
  takes(text: string, from: number, to: number, line: number, identified: boolean): boolean {
    if (this.#count === 0) {
      this.#firstLine = line;
      this.#identified = identified;
    } else if (line !== this.#firstLine + this.#count || identified !== this.#identified) return false;
    return this.#rises(text, from, to);
  }

  keep(a: number, b: number, c: number): void {
    if (this.#free === 0) {
      this.#free = Math.min(MOST_NAMES, Math.max(FIRST_NAMES, this.#count));
      this.#kept.push(new Uint16Array(this.#free * PARTS));
    }
    const kept = this.#kept[this.#kept.length - 1] as Uint16Array;
    const at = kept.length - this.#free * PARTS;
    kept[at] = a;
    kept[at + 1] = a >>> 16;
    kept[at + 2] = b;
    kept[at + 3] = b >>> 16;
    kept[at + 4] = c;
    this.#free--;
    this.#count++;
  }

  /** Gives up what was kept, in order; nothing is left. */
  *giveUp(): Generator<KeptName> {
    let line = this.#firstLine;
    const end = this.#firstLine + this.#count;
    for (let kept = this.#kept.shift(); kept; kept = this.#kept.shift()) {
      for (let at = 0; at < kept.length && line < end; at += PARTS) {
        const a = ((kept[at] as number) | ((kept[at + 1] as number) << 16)) >>> 0;
        const b = ((kept[at + 2] as number) | ((kept[at + 3] as number) << 16)) >>> 0;
        yield { a, b, c: kept[at + 4] as number, line: line++, identified: this.#identified };
      }
    }
    this.#free = this.#count = 0;
  }

  #rises(text: string, from: number, to: number): boolean {
    const length = to - from;
    if (length < this.#length || length > LONGEST) return false;
    const last = this.#last;
    let at = 0;
    if (length === this.#length) {
      while (at < length && text.charCodeAt(from + at) === last[at]) at++;
      if (at === length || text.charCodeAt(from + at) < (last[at] as number)) return false;
    }
    this.#length = length;
    for (; at < length; at++) last[at] = text.charCodeAt(from + at);
    return true;
  }
}
