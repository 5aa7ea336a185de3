/**
 * A page of postings: the keys of terms in ascending order, and for each the slots of the samples that have it. A key is a number below
 * 2 ** 48 whose highest 32 bits say the page (search-terms.ts). Most terms have one slot, which stands beside the key. The spelling is
 * stored: it may grow, not change.
 */
import { bitsIn } from '../../registry/id-set.js';
import { addRun, addSlots, packRuns, type Runs } from './slots.js';

const KEY_BITS = 48;
/** Terms of a page on average: a kilobyte. */
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

const HEAD = 8;

/** Bytes of a key behind the four of its highest bits; the page's own bits are left out. */
const restBytes = (bits: number): number => Math.max(0, Math.ceil((KEY_BITS - 32 - bits) / 8));

/** Keys in ascending order, with their slots: of page `page` of `2 ** bits`. */
export function writePage(page: number, bits: number, keys: readonly number[], slots: readonly Slots[]): Buffer {
  const count = keys.length;
  const rest = restBytes(bits);
  const first = firstKeyOf(page, bits);
  const packed: Uint8Array[] = [];
  for (const each of slots) if (typeof each !== 'number') packed.push(packRuns(each));
  const singles = HEAD + count * (4 + rest);
  const flags = singles + count * 2;
  const ends = flags + ((count + 7) >> 3);
  let at = ends + packed.length * 4;
  const out = Buffer.alloc(packed.reduce((sum, { length }) => sum + length, at));
  out.writeUInt32LE(count, 0);
  out.writeUInt32LE(packed.length, 4);
  for (const [place, bytes] of packed.entries()) {
    out.set(bytes, at);
    at += bytes.length;
    out.writeUInt32LE(at, ends + place * 4);
  }
  for (let entry = 0; entry < count; entry++) {
    const key = (keys[entry] as number) - first;
    const own = slots[entry] as Slots;
    out.writeUInt32LE(Math.floor(key / 256 ** rest), HEAD + entry * 4);
    if (rest > 0) out.writeUIntLE(key % 256 ** rest, HEAD + count * 4 + entry * rest, rest);
    if (typeof own === 'number') out.writeUInt16LE(own, singles + entry * 2);
    else out[flags + (entry >> 3)] = (out[flags + (entry >> 3)] as number) | (1 << (entry & 7));
  }
  return out;
}

/** What `writePage` wrote. */
export class Page {
  readonly count: number;
  readonly #first: number;
  readonly #rest: number;
  readonly #singles: number;
  readonly #flags: number;
  readonly #ends: number;
  readonly #data: number;

  constructor(
    private readonly bytes: Buffer,
    page: number,
    bits: number,
  ) {
    this.count = bytes.readUInt32LE(0);
    this.#first = firstKeyOf(page, bits);
    this.#rest = restBytes(bits);
    this.#singles = HEAD + this.count * (4 + this.#rest);
    this.#flags = this.#singles + this.count * 2;
    this.#ends = this.#flags + ((this.count + 7) >> 3);
    this.#data = this.#ends + bytes.readUInt32LE(4) * 4;
  }

  keyAt(entry: number): number {
    const { bytes, count } = this;
    const rest = this.#rest;
    const high = this.#first + bytes.readUInt32LE(HEAD + entry * 4) * 256 ** rest;
    return rest === 0 ? high : high + bytes.readUIntLE(HEAD + count * 4 + entry * rest, rest);
  }

  /** Number of the first entry whose key is this one or greater. */
  lowerBound(key: number): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.keyAt(middle) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The slot of an entry that has one alone, -1 for others. */
  singleAt(entry: number): number {
    if (((this.bytes[this.#flags + (entry >> 3)] as number) >> (entry & 7)) & 1) return -1;
    return this.bytes.readUInt16LE(this.#singles + entry * 2);
  }

  /** Sets the bits of an entry's slots. */
  addTo(mask: Uint32Array, entry: number): void {
    const single = this.singleAt(entry);
    if (single >= 0) {
      addRun(mask, single, single);
      return;
    }
    const before = this.#severalBefore(entry);
    const from = before === 0 ? this.#data : this.bytes.readUInt32LE(this.#ends + (before - 1) * 4);
    addSlots(mask, this.bytes, from, this.bytes.readUInt32LE(this.#ends + before * 4));
  }

  /** How many entries before this one have several slots. */
  #severalBefore(entry: number): number {
    let count = 0;
    for (let at = 0; at < entry >> 3; at++) count += bitsIn(this.bytes[this.#flags + at] as number);
    return count + bitsIn((this.bytes[this.#flags + (entry >> 3)] as number) & ((1 << (entry & 7)) - 1));
  }
}
