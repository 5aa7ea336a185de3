/**
 * Which names the samples of a span may have: a Bloom filter of the keys of their names, in parts that fill a page of the index file each.
 * That nobody has given a name is mostly seen in it alone. The spelling is stored: it may grow, not change.
 */
import { isSet } from './rising.js';

/** A key stands in one of them. */
export const NAME_PARTS = 16;
const PART_BYTES = 8_000;
const PART_BITS = PART_BYTES * 8;
/** With the names of a whole span, 65 536, a part says yes to one of a thousand names that it does not hold. */
const PROBES = 6;

export const newNamePart = (): Buffer => Buffer.alloc(PART_BYTES);

/** `key`: as `termKey` makes it. */
export const namePartOf = (key: number): number => key % NAME_PARTS;

export function addNameKey(part: Uint8Array, key: number): void {
  let bit = firstBit(key);
  const step = stepOf(key);
  for (let probe = 0; probe < PROBES; probe++) {
    part[bit >> 3] = (part[bit >> 3] as number) | (1 << (bit & 7));
    bit = (bit + step) % PART_BITS;
  }
}

/** False when the key was never added. */
export function mayHoldName(part: Uint8Array, key: number): boolean {
  let bit = firstBit(key);
  const step = stepOf(key);
  for (let probe = 0; probe < PROBES; probe++) {
    if (!isSet(part, bit)) return false;
    bit = (bit + step) % PART_BITS;
  }
  return true;
}

/** Of the highest 32 of a key's 48 bits. */
const firstBit = (key: number): number => Math.floor(key / 65_536) % PART_BITS;

/** Of the 12 lowest that do not say the part; odd, so that no probe falls on another. */
const stepOf = (key: number): number => (Math.floor(key / NAME_PARTS) & 0xfff) | 1;
