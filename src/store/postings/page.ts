/**
 * A page of postings: the keys of terms in ascending order, and for each the slots of the samples that have it. A key is a number below
 * 2 ** 48 whose highest 32 bits say the page (search-terms.ts), spread evenly, so that one is written in some 32 bits (rising.ts). Most terms
 * have one slot. The spelling is stored: it may grow, not change.
 */
import { eachRising, findRising, isSet, risingBytes, setBit, writeRising } from './rising.js';
import { addRun, addSlots, MASK_WORDS, packRuns, type Runs } from './slots.js';

const KEY_BITS = 48;
/** Terms of a page on average, at most: 800 bytes. */
const PAGE_TERMS = 128;
/** Pages of a segment at most, as a power of two. */
export const MOST_PAGE_BITS = 20;

/** Pages for so many terms, as a power of two. */
export const pageBitsFor = (terms: number): number =>
  Math.min(MOST_PAGE_BITS, Math.max(0, Math.ceil(Math.log2(terms / PAGE_TERMS))));

/** Number of the page, of `2 ** bits`, that a key is on. */
export const pageOf = (key: number, bits: number): number => Math.floor(key / 2 ** (KEY_BITS - bits));
/** The least key of a page. */
export const firstKeyOf = (page: number, bits: number): number => page * 2 ** (KEY_BITS - bits);

/** A term's slots: one, or runs. */
export type Slots = number | Runs;

/** How many keys. */
const HEAD = 4;

/** Keys of a page are below it, counted from the page's first. */
const limitOf = (bits: number): number => 2 ** (KEY_BITS - bits);

/** Keys in ascending order, with their slots: of page `page` of `2 ** bits`. */
export function writePage(page: number, bits: number, keys: readonly number[], slots: readonly Slots[]): Buffer {
  const count = keys.length;
  const first = firstKeyOf(page, bits);
  const several: (Uint8Array | undefined)[] = [];
  let size = 0;
  for (const own of slots) {
    const bytes = typeof own === 'number' ? undefined : packRuns(own);
    several.push(bytes);
    size += bytes ? lengthBytes(bytes.length) + bytes.length : 2;
  }
  const flags = HEAD + risingBytes(limitOf(bits), count);
  let at = flags + ((count + 7) >> 3);
  const out = Buffer.alloc(at + size);
  out.writeUInt32LE(count, 0);
  writeRising(out.subarray(HEAD), limitOf(bits), keys, first);
  for (let entry = 0; entry < count; entry++) {
    const own = several[entry];
    if (own === undefined) at = out.writeUInt16LE(slots[entry] as number, at);
    else {
      setBit(out, flags * 8 + entry);
      at = writeLength(out, own.length, at);
      out.set(own, at);
      at += own.length;
    }
  }
  return out;
}

/** Of lengths, seven bits a byte; the last one has no highest bit. */
const lengthBytes = (length: number): number => (length < 0x80 ? 1 : length < 0x4000 ? 2 : 3);

function writeLength(out: Buffer, length: number, from: number): number {
  let [at, rest] = [from, length];
  for (; rest >= 0x80; rest >>= 7) out[at++] = (rest & 0x7f) | 0x80;
  out[at++] = rest;
  return at;
}

/** Reads a length and hands over where what it is of begins. */
function readLength(bytes: Uint8Array, from: number): [length: number, begin: number] {
  let [length, shift, part, at] = [0, 0, 0, from];
  do {
    part = bytes[at++] as number;
    length |= (part & 0x7f) << shift;
    shift += 7;
  } while (part >= 0x80);
  return [length, at];
}

/** What `writePage` wrote. A search asks it for a key or two; a merge reads all of it at once (`PageEntries`). */
export class Page {
  readonly count: number;
  readonly #flags: number;
  readonly #slots: number;

  constructor(
    private readonly bytes: Buffer,
    private readonly page: number,
    private readonly bits: number,
  ) {
    this.count = bytes.readUInt32LE(0);
    this.#flags = HEAD + risingBytes(limitOf(bits), this.count);
    this.#slots = this.#flags + ((this.count + 7) >> 3);
  }

  /** Sets the bits of the slots that have a key of this page, in `mask` or, where there is none yet, a new one; which it returns. */
  addSlotsOf(key: number, mask: Uint32Array | undefined): Uint32Array | undefined {
    const { bytes, bits } = this;
    const entry = findRising(bytes.subarray(HEAD), limitOf(bits), this.count, key - firstKeyOf(this.page, bits));
    if (entry < 0) return mask;
    const into = mask ?? new Uint32Array(MASK_WORDS);
    let at = this.#slots;
    for (let before = 0; before < entry; before++) {
      if (!this.#hasSeveral(before)) at += 2;
      else {
        const [length, begin] = readLength(bytes, at);
        at = begin + length;
      }
    }
    if (this.#hasSeveral(entry)) {
      const [length, begin] = readLength(bytes, at);
      addSlots(into, bytes, begin, begin + length);
    } else addRun(into, bytes.readUInt16LE(at), bytes.readUInt16LE(at));
    return into;
  }

  #hasSeveral(entry: number): boolean {
    return isSet(this.bytes, this.#flags * 8 + entry);
  }

  entries(): PageEntries {
    const { bytes, bits, count } = this;
    const first = firstKeyOf(this.page, bits);
    // Arrays of types take four times as long to make as all of this.
    const keys = new Array<number>(count);
    let found = 0;
    eachRising(bytes.subarray(HEAD), limitOf(bits), count, (key) => {
      keys[found++] = first + key;
    });
    const places = new Array<number>(count);
    const lengths = new Array<number>(count);
    let at = this.#slots;
    for (let entry = 0; entry < count; entry++) {
      if (this.#hasSeveral(entry)) {
        const [length, begin] = readLength(bytes, at);
        places[entry] = begin;
        lengths[entry] = length;
        at = begin + length;
      } else {
        places[entry] = bytes.readUInt16LE(at);
        lengths[entry] = 0;
        at += 2;
      }
    }
    return new PageEntries(bytes, keys, places, lengths);
  }
}

/** All entries of a page. */
export class PageEntries {
  constructor(
    private readonly bytes: Buffer,
    /** Rising. */
    readonly keys: readonly number[],
    /** The slot of an entry that has one alone, or where its slots are in the bytes. */
    private readonly places: readonly number[],
    /** Bytes of an entry's slots, 0 where it has one alone. */
    private readonly lengths: readonly number[],
  ) {}

  /** Number of the first entry whose key is this one or greater. */
  lowerBound(key: number): number {
    let [from, to] = [0, this.keys.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.keys[middle] as number) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The slot of an entry that has one alone, -1 for others. */
  singleAt(entry: number): number {
    return this.lengths[entry] === 0 ? (this.places[entry] as number) : -1;
  }

  /** Sets the bits of an entry's slots. */
  addTo(mask: Uint32Array, entry: number): void {
    const place = this.places[entry] as number;
    const length = this.lengths[entry] as number;
    if (length === 0) addRun(mask, place, place);
    else addSlots(mask, this.bytes, place, place + length);
  }
}
