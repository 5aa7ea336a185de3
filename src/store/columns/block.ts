/**
 * A block of a column: what 1 024 consecutive samples have under one key, as a list of the different entries and a
 * place in it for each sample. Places take as few bits as the list allows: none where all samples have the same, or
 * each its own. Entries are bytes, whose meaning entries.ts knows. The spelling is stored: it may grow, not change.
 */
import { ID_BLOCK } from '../../registry/search/id-set.js';

export const SLOTS = ID_BLOCK;
export const blockOf = (id: number): number => Math.floor(id / SLOTS);
export const slotOf = (id: number): number => id % SLOTS;

/** Bits of a place by the mode in the first byte: 0 one entry for all, 5 an entry of its own for each, 6 the same with gaps. */
const WIDTHS = [0, 1, 2, 4, 8] as const;
const WIDE = 7;
const EACH = 5;
const EACH_WITH_GAPS = 6;
/** Beside a mode: all entries have one length, which is written once. */
const ONE_LENGTH = 8;

/** What a block says. Reused by the next one that is read. */
export interface ReadBlock {
  /** Slots that are filled up to. */
  length: number;
  /** Each of them has the first entry. */
  uniform: boolean;
  /** Each of them has an entry of its own, in their order. */
  each: boolean;
  entries: number;
  /** Number of an entry, from 1 → where it begins in `data`; that of the next one is its end. */
  starts: Uint32Array;
}

const read: ReadBlock = { length: 0, uniform: false, each: false, entries: 0, starts: new Uint32Array(SLOTS + 2) };
const places = new Uint16Array(SLOTS);

const HEAD = 5;
const modeIn = (data: Uint8Array): number => (data[0] as number) & ~ONE_LENGTH;
const lengthOf = (data: Uint8Array): number => readShort(data, 1);
const readShort = (data: Uint8Array, at: number): number => (data[at] as number) | ((data[at + 1] as number) << 8);
const placesBytes = (mode: number, length: number): number =>
  mode === 0 || mode === EACH ? 0 : (length * widthOf(mode) + 7) >> 3;
const widthOf = (mode: number): number => (mode === EACH_WITH_GAPS ? 1 : mode === WIDE ? 16 : (WIDTHS[mode] as number));

/** Valid until the next call. */
export function readBlock(data: Uint8Array): ReadBlock {
  const { starts } = read;
  const mode = modeIn(data);
  const length = lengthOf(data);
  const entries = readShort(data, 3);
  let size = HEAD + placesBytes(mode, length);
  const step = data[0] === mode ? 2 : 0;
  let at = size + (step === 0 ? 2 : entries * 2);
  for (let entry = 1; entry <= entries; entry++, size += step) {
    starts[entry] = at;
    // Entries of more than 65 534 bytes are not made (entries.ts).
    at += readShort(data, size);
  }
  starts[entries + 1] = at;
  read.length = length;
  read.uniform = mode === 0;
  read.each = mode === EACH;
  read.entries = entries;
  return read;
}

/** Slot → number of its entry, 0 for none. Valid until the next call. */
export function placesOf(data: Uint8Array): Uint16Array {
  const mode = modeIn(data);
  const length = lengthOf(data);
  places.fill(0, length);
  if (mode === 0) places.fill(1, 0, length);
  else if (mode === EACH) for (let slot = 0; slot < length; slot++) places[slot] = slot + 1;
  else if (mode === EACH_WITH_GAPS) {
    for (let slot = 0, next = 1; slot < length; slot++) {
      places[slot] = ((data[HEAD + (slot >> 3)] as number) >> (slot & 7)) & 1 ? next++ : 0;
    }
  } else if (mode === WIDE) {
    for (let slot = 0, at = HEAD; slot < length; slot++, at += 2) {
      places[slot] = readShort(data, at);
    }
  } else {
    const width = widthOf(mode);
    const mask = (1 << width) - 1;
    for (let slot = 0; slot < length; slot++) {
      const bit = slot * width;
      places[slot] = ((data[HEAD + (bit >> 3)] as number) >> (bit & 7)) & mask;
    }
  }
  return places;
}

/** The entries by slot, as texts of bytes; '' for none. */
export function entriesOf(data: Uint8Array | undefined): string[] {
  const list = new Array<string>(SLOTS).fill('');
  if (data === undefined) return list;
  const { starts, entries, length } = readBlock(data);
  const places = placesOf(data);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const texts = [''];
  for (let entry = 1; entry <= entries; entry++) {
    texts.push(bytes.toString('latin1', starts[entry], starts[entry + 1]));
  }
  for (let slot = 0; slot < length; slot++) list[slot] = texts[places[slot] as number] as string;
  return list;
}

/**
 * The block of these entries; undefined where there is none. `shares`: that all have one length may be written once, which programs of
 * before cannot read.
 */
export function writeBlock(slots: readonly string[], shares: boolean): Uint8Array | undefined {
  const numbers = new Map<string, number>();
  const places = new Uint16Array(SLOTS);
  let length = 0;
  let filled = 0;
  let before = '';
  let number = 0;
  for (let slot = 0; slot < slots.length; slot++) {
    const entry = slots[slot] as string;
    if (entry === '') continue;
    if (entry !== before) {
      before = entry;
      number = numbers.get(entry) ?? numbers.size + 1;
      numbers.set(entry, number);
    }
    places[slot] = number;
    length = slot + 1;
    filled++;
  }
  if (length === 0) return undefined;
  const mode = modeOf(numbers.size, filled, length);
  const packed = packedPlaces(places, length, mode);
  const texts = [...numbers.keys()];
  const isOne = shares && texts.every((text) => text.length === texts[0]?.length);
  const lengths = isOne ? texts.slice(0, 1) : texts;
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  const out = Buffer.alloc(HEAD + packed.length + lengths.length * 2 + bytes);
  out[0] = isOne ? mode | ONE_LENGTH : mode;
  out.writeUInt16LE(length, 1);
  out.writeUInt16LE(texts.length, 3);
  out.set(packed, HEAD);
  let at = HEAD + packed.length;
  for (const text of lengths) at = out.writeUInt16LE(text.length, at);
  for (const text of texts) at += out.write(text, at, 'latin1');
  return out;
}

function modeOf(entries: number, filled: number, length: number): number {
  if (filled === length && entries === 1) return 0;
  if (entries === filled) return filled === length ? EACH : EACH_WITH_GAPS;
  const mode = WIDTHS.findIndex((width) => width > 0 && entries < 2 ** width);
  return mode < 0 ? WIDE : mode;
}

function packedPlaces(places: Uint16Array, length: number, mode: number): Uint8Array {
  const out = new Uint8Array(placesBytes(mode, length));
  if (out.length === 0) return out;
  const width = widthOf(mode);
  for (let slot = 0; slot < length; slot++) {
    const place = mode === EACH_WITH_GAPS ? Math.min(1, places[slot] as number) : (places[slot] as number);
    const bit = slot * width;
    out[bit >> 3] = (out[bit >> 3] as number) | ((place << (bit & 7)) & 255);
    if (width === 16) out[(bit >> 3) + 1] = place >> 8;
  }
  return out;
}
