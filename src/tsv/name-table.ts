/**
 * Which names (or identifiers) a file has had, and on which line first: 16 bytes a slot in one typed array, no string
 * kept. A set of a million strings held 600 MB, because each kept its block alive. Names are told apart by 96 bits of a
 * seeded hash: among ten million names, two unequal ones meet with a chance of 10^-15.
 */
import { randomBytes } from 'node:crypto';

/** Added to a line: the row carried a Sample Identifier; several rows have this name. */
const IDENTIFIED = 0x80000000;
const SEVERAL = 0x40000000;
const LINE = 0x3fffffff;

const WORDS = 4;

export class NameTable {
  #slots = new Uint32Array(1024 * WORDS);
  #capacity = 1024;
  #count = 0;
  readonly #seed = new Uint32Array(randomBytes(12).buffer.slice(0, 12));
  /** The hash of the text last hashed. */
  a = 0;
  b = 0;
  c = 0;

  /** Hashes the text from `from` to before `to`, for the calls that follow. */
  hash(text: string, from: number, to: number): this {
    let a = this.#seed[0] as number;
    let b = this.#seed[1] as number;
    let c = this.#seed[2] as number;
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      a ^= a >>> 15;
      b = Math.imul(b ^ code, 0x85ebca6b);
      b ^= b >>> 13;
      c = Math.imul(c ^ code, 0xc2b2ae35);
      c ^= c >>> 16;
    }
    const length = to - from;
    this.a = finish(a ^ length);
    this.b = finish(b + length);
    this.c = finish(c ^ a);
    return this;
  }

  /** Takes up a hash that was kept. */
  recall(a: number, b: number, c: number): this {
    this.a = a;
    this.b = b;
    this.c = c;
    return this;
  }

  /** Enters the hashed text unless it is there; answers the line of its first row, 0 when this is the first. */
  add(line: number, identified: boolean): number {
    const slot = this.#slot(this.a, this.b, this.c);
    const present = this.#slots[slot + 3] as number;
    if (present !== 0) return present & LINE;
    this.#slots[slot] = this.a;
    this.#slots[slot + 1] = this.b;
    this.#slots[slot + 2] = this.c;
    this.#slots[slot + 3] = identified ? line | IDENTIFIED : line;
    if (++this.#count > this.#capacity * 0.8) this.#grow();
    return 0;
  }

  /** Line of the first row with the hashed text, 0 when there is none. */
  find(): number {
    return this.#value() & LINE;
  }

  /** Whether that row carried a Sample Identifier. */
  get firstIdentified(): boolean {
    return (this.#value() & IDENTIFIED) !== 0;
  }

  /** Whether the hashed text was marked as that of several rows. */
  get several(): boolean {
    return (this.#value() & SEVERAL) !== 0;
  }

  markSeveral(): void {
    const slot = this.#slot(this.a, this.b, this.c);
    this.#slots[slot + 3] = (this.#slots[slot + 3] as number) | SEVERAL;
  }

  #value(): number {
    return this.#slots[this.#slot(this.a, this.b, this.c) + 3] as number;
  }

  /** The slot of this hash, or the free one where it belongs. */
  #slot(a: number, b: number, c: number): number {
    const slots = this.#slots;
    const end = slots.length;
    let slot = Math.floor((a / 0x100000000) * this.#capacity) * WORDS;
    while (slots[slot + 3] !== 0) {
      if (slots[slot] === a && slots[slot + 1] === b && slots[slot + 2] === c) return slot;
      slot += WORDS;
      if (slot === end) slot = 0;
    }
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#capacity = Math.ceil(this.#capacity * 1.6);
    this.#slots = new Uint32Array(this.#capacity * WORDS);
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + 3] === 0) continue;
      const to = this.#slot(old[from] as number, old[from + 1] as number, old[from + 2] as number);
      for (let word = 0; word < WORDS; word++) this.#slots[to + word] = old[from + word] as number;
    }
  }
}

/** Spreads every bit over all of them. */
function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
