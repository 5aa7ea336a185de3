/**
 * Sets of slots of a span, as bytes: one slot after the other, by how much they rise, runs of them, or a bit for each, whichever is
 * shortest. The spelling is stored: it may grow, not change.
 */

import { ID_SPAN } from '../../registry/search/id-set.js';
import { eachRising, risingBytes, writeRising } from './rising.js';

/** Accession numbers of a span; a slot is a number's place in its span. */
export const SPAN = ID_SPAN;
/** Words of a mask, which has a bit for each slot. */
export const MASK_WORDS = SPAN / 32;

export const spanOf = (id: number): number => Math.floor(id / SPAN);

const SLOTS = 0;
const RUNS = 1;
const BITS = 2;
const RISING = 3;
/** How many they are: fewer than bits are for. */
const RISING_HEAD = 2;
const BITS_BYTES = SPAN / 8;

/** Runs as pairs of their first and last slot, in any order; what lies over another only costs bytes. */
export type Runs = readonly number[];

export function packRuns(runs: Runs): Uint8Array {
  const count = samplesIn(runs);
  const [slots, pairs] = [count * 2, runs.length * 2];
  // What is out of order comes in order with the next merge.
  const rising = isInOrder(runs) ? RISING_HEAD + risingBytes(SPAN, count) : BITS_BYTES;
  const least = Math.min(slots, pairs, rising, BITS_BYTES);
  if (least === BITS_BYTES) return packBits(runs);
  const out = new Uint8Array(1 + least);
  if (least === pairs) putShorts(out, RUNS, runs);
  else if (least === slots) putShorts(out, SLOTS, slotsOf(runs));
  else {
    putShorts(out, RISING, [count]);
    writeRising(out.subarray(1 + RISING_HEAD), SPAN, slotsOf(runs));
  }
  return out;
}

function isInOrder(runs: Runs): boolean {
  for (let at = 2; at < runs.length; at += 2) if ((runs[at] as number) <= (runs[at - 1] as number)) return false;
  return true;
}

function slotsOf(runs: Runs): Uint16Array {
  const slots = new Uint16Array(samplesIn(runs));
  let at = 0;
  for (let run = 0; run < runs.length; run += 2) {
    for (let slot = runs[run] as number; slot <= (runs[run + 1] as number); slot++) slots[at++] = slot;
  }
  return slots;
}

function putShorts(out: Uint8Array, kind: number, numbers: ArrayLike<number>): void {
  out[0] = kind;
  for (let place = 0, at = 1; place < numbers.length; place++) {
    const number = numbers[place] as number;
    out[at++] = number & 255;
    out[at++] = number >> 8;
  }
}

function packBits(runs: Runs): Uint8Array {
  const out = new Uint8Array(1 + BITS_BYTES);
  out[0] = BITS;
  for (let at = 0; at < runs.length; at += 2) {
    for (let slot = runs[at] as number; slot <= (runs[at + 1] as number); slot++) {
      out[1 + (slot >> 3)] = (out[1 + (slot >> 3)] as number) | (1 << (slot & 7));
    }
  }
  return out;
}

/** Sets the bits of what `packRuns` packed. */
export function addSlots(mask: Uint32Array, packed: Uint8Array, from = 0, to = packed.length): void {
  const kind = packed[from];
  if (kind === BITS) {
    for (let word = 0, at = from + 1; word < MASK_WORDS; word++, at += 4) {
      const bits = readSlot(packed, at) | (readSlot(packed, at + 2) << 16);
      mask[word] = (mask[word] as number) | bits;
    }
  } else if (kind === SLOTS) {
    for (let at = from + 1; at < to; at += 2) addRun(mask, readSlot(packed, at), readSlot(packed, at));
  } else if (kind === RISING) {
    const bytes = packed.subarray(from + 1 + RISING_HEAD, to);
    eachRising(bytes, SPAN, readSlot(packed, from + 1), (slot) => addRun(mask, slot, slot));
  } else {
    for (let at = from + 1; at < to; at += 4) addRun(mask, readSlot(packed, at), readSlot(packed, at + 2));
  }
}

const readSlot = (bytes: Uint8Array, at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export function addRun(mask: Uint32Array, first: number, last: number): void {
  for (let slot = first; slot <= last; ) {
    const word = slot >> 5;
    const end = Math.min(last, word * 32 + 31);
    const bits = end - slot === 31 ? -1 : ((1 << (end - slot + 1)) - 1) << (slot & 31);
    mask[word] = (mask[word] as number) | bits;
    slot = end + 1;
  }
}

/** The words of a mask that have bits lie in these. */
export interface Words {
  from: number;
  /** The one behind the last. */
  to: number;
}

export function wordsOf(mask: Uint32Array): Words {
  let [from, to] = [0, MASK_WORDS];
  while (from < to && mask[from] === 0) from++;
  while (to > from && mask[to - 1] === 0) to--;
  return { from, to };
}

/** The runs of a mask, of some of its words. */
export function runsOf(mask: Uint32Array, { from, to }: Words = { from: 0, to: MASK_WORDS }): number[] {
  const runs: number[] = [];
  let first = -1;
  for (let word = from; word < to; word++) {
    const bits = mask[word] as number;
    if (bits === (first < 0 ? 0 : 0xffffffff)) continue;
    for (let bit = 0; bit < 32; bit++) {
      const isSet = ((bits >>> bit) & 1) === 1;
      if (isSet === first >= 0) continue;
      if (isSet) first = word * 32 + bit;
      else {
        runs.push(first, word * 32 + bit - 1);
        first = -1;
      }
    }
  }
  if (first >= 0) runs.push(first, to * 32 - 1);
  return runs;
}

export function samplesIn(runs: Runs): number {
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) count += (runs[run + 1] as number) - (runs[run] as number) + 1;
  return count;
}

export const hasSlot = (mask: Uint32Array, slot: number): boolean =>
  (((mask[slot >> 5] as number) >>> (slot & 31)) & 1) === 1;

/** Takes the bits of `other` out; returns whether any is left. */
export const without = (mask: Uint32Array, other: Uint32Array): boolean => keep(mask, other, -1);

/** Keeps the bits that `other` has; returns whether any is left. */
export const within = (mask: Uint32Array, other: Uint32Array): boolean => keep(mask, other, 0);

/** `turned`: each bit of `other` before it is looked at, by exclusive or. */
function keep(mask: Uint32Array, other: Uint32Array, turned: 0 | -1): boolean {
  let left = 0;
  for (let word = 0; word < MASK_WORDS; word++) {
    mask[word] = (mask[word] as number) & ((other[word] as number) ^ turned);
    left |= mask[word] as number;
  }
  return left !== 0;
}

export function addMask(mask: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < MASK_WORDS; word++) mask[word] = (mask[word] as number) | (other[word] as number);
}
