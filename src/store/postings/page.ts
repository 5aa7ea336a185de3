/**
 * A page of postings: the keys of terms in ascending order, and for each the slots of the samples that have it. A key is a number below
 * 2 ** 48 whose highest 32 bits say the page (search-terms.ts), spread evenly, so that one is written in some 32 bits (rising.ts). Most terms
 * have one slot. The spelling is stored: it may grow, not change.
 */
import { eachRising, isSet, putBits, risingBytes, writeRising } from './rising.js';
import { addRun, addSlots, packRuns, type Runs } from './slots.js';

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
  const several = slots.map((own) => (typeof own === 'number' ? undefined : packRuns(own)));
  const flags = HEAD + risingBytes(limitOf(bits), count);
  let at = flags + ((count + 7) >> 3);
  const size = several.reduce((sum, bytes) => sum + (bytes ? lengthBytes(bytes.length) + bytes.length : 2), 0);
  const out = Buffer.alloc(at + size);
  out.writeUInt32LE(count, 0);
  writeRising(
    out.subarray(HEAD),
    limitOf(bits),
    keys.map((key) => key - first),
  );
  for (let entry = 0; entry < count; entry++) {
    const own = several[entry];
    if (own === undefined) at = out.writeUInt16LE(slots[entry] as number, at);
    else {
      putBits(out, flags * 8 + entry, 1, 1);
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

/** What `writePage` wrote. */
export class Page {
  readonly count: number;
  readonly #keys: Float64Array;
  /** The slot of an entry that has one alone, or where its slots are in the bytes. */
  readonly #places: Uint32Array;
  /** Bytes of an entry's slots, 0 where it has one alone. */
  readonly #lengths: Uint32Array;

  constructor(
    private readonly bytes: Buffer,
    page: number,
    bits: number,
  ) {
    const count = bytes.readUInt32LE(0);
    const keys = new Float64Array(count);
    const first = firstKeyOf(page, bits);
    let found = 0;
    eachRising(bytes.subarray(HEAD), limitOf(bits), count, (key) => {
      keys[found++] = first + key;
    });
    this.count = count;
    this.#keys = keys;
    this.#places = new Uint32Array(count);
    this.#lengths = new Uint32Array(count);
    this.#readPlaces(HEAD + risingBytes(limitOf(bits), count));
  }

  #readPlaces(flags: number): void {
    const { bytes, count } = this;
    let at = flags + ((count + 7) >> 3);
    for (let entry = 0; entry < count; entry++) {
      if (!isSet(bytes, flags * 8 + entry)) {
        this.#places[entry] = bytes.readUInt16LE(at);
        at += 2;
        continue;
      }
      let [length, shift, part] = [0, 0, 0];
      do {
        part = bytes[at++] as number;
        length |= (part & 0x7f) << shift;
        shift += 7;
      } while (part >= 0x80);
      this.#places[entry] = at;
      this.#lengths[entry] = length;
      at += length;
    }
  }

  keyAt(entry: number): number {
    return this.#keys[entry] as number;
  }

  /** Number of the first entry whose key is this one or greater. */
  lowerBound(key: number): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#keys[middle] as number) < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The slot of an entry that has one alone, -1 for others. */
  singleAt(entry: number): number {
    return this.#lengths[entry] === 0 ? (this.#places[entry] as number) : -1;
  }

  /** Sets the bits of an entry's slots. */
  addTo(mask: Uint32Array, entry: number): void {
    const place = this.#places[entry] as number;
    const length = this.#lengths[entry] as number;
    if (length === 0) addRun(mask, place, place);
    else addSlots(mask, this.bytes, place, place + length);
  }
}
