/**
 * Which names (or identifiers) a file has had, and on which line first: 10 bytes a slot in typed arrays, no string kept.
 * A set of a million strings held 600 MB, because each kept its block alive. A table that is full stays as it is and
 * another follows, so nothing is copied and no two generations lie side by side; once it knows how many names to expect, a file
 * needs two or three.
 *
 * Names are distinguished by 48 bits of a seeded hash and by the run of slots they stand in, which 32 further bits choose:
 * that two unequal ones of ten million meet has a chance of 10^-6, and the file passes when it is sent again.
 */
import { RisingNames } from './rising-names.js';

/** Added to a line: the row carried a Sample Identifier; several rows have this name. */
const IDENTIFIED = 0x80000000;
const SEVERAL = 0x40000000;
const LINE = 0x3fffffff;

/** 16 bits each: three of the hash, two of the line. */
const PARTS = 5;
const FIRST_NAMES = 1024;
/**
 * Names per slot of a table that others will follow, in which every later name is looked for in vain: that takes 2 slots.
 * In the one that is to hold the rest of the file, entering a name looks at 5 slots on average and at 50 by its end.
 */
const HALF = 0.5;
const FULL = 0.9;
/** A foreseen number is believed up to this many times the names that were read, and up to so many names at once (44 MB). */
const BELIEVED = 64;
const MOST_NAMES = 4_000_000;

class Slots {
  readonly #parts: Uint16Array;
  readonly #count: number;
  #free: number;

  constructor(names: number, full: number) {
    this.#free = Math.max(FIRST_NAMES, Math.ceil(names));
    this.#count = Math.ceil(this.#free / full);
    this.#parts = new Uint16Array(this.#count * PARTS);
  }

  get bytes(): number {
    return this.#parts.byteLength;
  }

  get full(): boolean {
    return this.#free === 0;
  }

  /** Where this hash stands, or the free slot where it belongs. */
  find(a: number, b: number, c: number): number {
    const parts = this.#parts;
    const [one, two, three] = [b & 0xffff, b >>> 16, c & 0xffff];
    let at = Math.floor((a / 0x100000000) * this.#count) * PARTS;
    for (;;) {
      if (parts[at] === one && parts[at + 1] === two && parts[at + 2] === three) return at;
      if (parts[at + 3] === 0 && parts[at + 4] === 0) return at;
      at += PARTS;
      if (at === parts.length) at = 0;
    }
  }

  /** Line and marks; 0 in a free slot. */
  valueAt(at: number): number {
    return ((this.#parts[at + 3] as number) | ((this.#parts[at + 4] as number) << 16)) >>> 0;
  }

  enter(at: number, b: number, c: number, value: number): void {
    const parts = this.#parts;
    parts[at] = b;
    parts[at + 1] = b >>> 16;
    parts[at + 2] = c;
    this.mark(at, value);
    this.#free--;
  }

  mark(at: number, value: number): void {
    this.#parts[at + 3] = value;
    this.#parts[at + 4] = value >>> 16;
  }
}

export class NameTable {
  /** Until the first question that it cannot answer, or the first name that does not follow the others. */
  #rising: RisingNames | undefined = new RisingNames();
  readonly #tables: Slots[] = [];
  #count = 0;
  #expected = 0;
  readonly #seed = crypto.getRandomValues(new Uint32Array(3));
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

  /** How many names there will be, as far as can be known by now. */
  expect(names: number): void {
    this.#expected = names;
  }

  /** Enters the text from `from` to before `to` unless it is there; answers the line of its first row, and then has hashed it, 0 when this is the first. */
  add(text: string, from: number, to: number, line: number, identified: boolean): number {
    if (this.#rising?.keep(text, from, to, line, identified)) return 0;
    this.#tablesOfAll();
    return this.hash(text, from, to).#enter(line, identified);
  }

  /** The hashed text. */
  #enter(line: number, identified: boolean): number {
    const { a, b, c } = this;
    const tables = this.#tables;
    for (let each = 0; ; each++) {
      const table = tables[each] as Slots;
      const at = table.find(a, b, c);
      const present = table.valueAt(at);
      if (present !== 0) return present & LINE;
      if (each < tables.length - 1) continue;
      table.enter(at, b, c, identified ? line | IDENTIFIED : line);
      this.#count++;
      if (table.full) this.#extend();
      return 0;
    }
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
    for (const table of this.#tablesOfAll()) {
      const at = table.find(this.a, this.b, this.c);
      const value = table.valueAt(at);
      if (value !== 0) table.mark(at, value | SEVERAL);
    }
  }

  #value(): number {
    for (const table of this.#tablesOfAll()) {
      const value = table.valueAt(table.find(this.a, this.b, this.c));
      if (value !== 0) return value;
    }
    return 0;
  }

  /** With what rose so far in them. */
  #tablesOfAll(): readonly Slots[] {
    const rising = this.#rising;
    if (rising === undefined) return this.#tables;
    this.#rising = undefined;
    const { count } = rising;
    const isMost = this.#expected > 0 && this.#expected * 1.02 <= count * 1.1;
    this.#tables.push(new Slots(count, isMost ? FULL : HALF));
    const { a, b, c } = this;
    for (const { name, line, identified } of rising.giveUp()) this.hash(name, 0, name.length).#enter(line, identified);
    this.recall(a, b, c);
    return this.#tables;
  }

  /**
   * Room for the names still to come, with a margin for rows that are shorter further down; else twice as many. A few
   * short rows at the top of a large file promise more names than it has, so what is foreseen is believed by steps.
   */
  #extend(): void {
    const foreseen = Math.max(this.#expected * 1.02 - this.#count, this.#count / 20);
    const believed = Math.min(foreseen, this.#count * BELIEVED, MOST_NAMES);
    if (!(this.#expected > this.#count)) this.#tables.push(new Slots(this.#count, HALF));
    else this.#tables.push(new Slots(believed, believed < foreseen && believed < MOST_NAMES ? HALF : FULL));
  }

  /** Of memory, all tables together. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, this.#rising?.bytes ?? 0);
  }
}

/** Spreads every bit over all of them. */
function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
