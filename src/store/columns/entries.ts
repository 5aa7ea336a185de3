/**
 * The columns that there are, and the bytes of their entries. Columns of the samples themselves come first, those of
 * characteristics have the numbers behind. The spelling is stored: it may grow, not change.
 */
import { DAY_MS } from '../../registry/date-time.js';
import type { CharacteristicFacets, CountedCharacteristic, FacetValue } from '../../registry/search/sample-facets.js';

/** Owner and whether an administrator's status hides it, release, last change; which characteristics it has. */
export const OWNER = 1;
export const RELEASE = 2;
export const UPDATED = 3;
export const KEYS = 4;
/** In `KEYS`: more characteristics or values than are counted by. */
export const MORE = 5;
export const FIRST_KEY = 16;

const SAID = 1;
const NUMBER = 2;
const DATE = 4;
const DAY = 8;
/** What the second part of a code counts: it is stored as 32 bits and the rest. */
export const HIGH = 2 ** 32;

const buffer = Buffer.alloc(65_536);
let end = 0;
const taken = (): string => {
  const text = buffer.toString('latin1', 0, end);
  end = 0;
  return text;
};

function numberEntry(number: number): string {
  end = buffer.writeDoubleLE(number, 0);
  return taken();
}

export const ownerNumber = (account: number, hidden: boolean): number => account * 2 + (hidden ? 1 : 0);

/** A set of columns, by number. */
export function keysEntry(keys: readonly number[]): string {
  end = 0;
  for (const key of [...keys].sort((a, b) => a - b)) end = buffer.writeUInt32LE(key, end);
  return taken();
}

/** The values of one characteristic, in the order of their codes. */
function valuesEntry(values: readonly FacetValue[]): string {
  const [first, ...others] = values.length === 1 ? values : [...values].sort((a, b) => a.code - b.code);
  let entry = first === undefined ? '\0' : entryOfValue(first);
  for (const value of others) entry += entryOfValue(value).slice(1);
  return entry;
}

/** Made in one piece: most entries are of one value. */
function entryOfValue({ code, said, number, date }: FacetValue): string {
  const isDay = date && number !== undefined && number % DAY_MS === 0;
  const flags = (said ? SAID : 0) | (number === undefined ? 0 : NUMBER) | (date ? DATE : 0) | (isDay ? DAY : 0);
  const rest = Math.floor(code / HIGH);
  const entry = String.fromCharCode(
    0,
    flags,
    code & 255,
    (code >>> 8) & 255,
    (code >>> 16) & 255,
    code >>> 24,
    rest & 255,
    (rest >>> 8) & 255,
    (rest >>> 16) & 255,
  );
  if (number === undefined) return entry;
  const text = String(isDay ? number / DAY_MS : number);
  return entry + String.fromCharCode(text.length) + text;
}

export const readNumber = (data: Uint8Array, at: number): number => view(data).getFloat64(at, true);
export const readAccount = (owner: number): number => Math.floor(owner / 2);
export const readHidden = (owner: number): boolean => owner % 2 === 1;

export function eachKey(data: Uint8Array, at: number, to: number, take: (key: number) => void): void {
  for (let next = at; next < to; next += 4) take(view(data).getUint32(next, true));
}

/** The values of entries, one after the other: a count meets millions, so nothing is called or made for each. */
export class EntryValues {
  /** The parts of its code: the lowest 32 bits, with a sign, and the rest. */
  low = 0;
  rest = 0;
  /** Whether a text says it. */
  said = false;
  /** Where its measure stands, 0 where it has none. */
  measure = 0;
  #data: Uint8Array = new Uint8Array();
  #next = 0;
  #to = 0;

  get code(): number {
    return this.rest * HIGH + (this.low >>> 0);
  }

  /** From an entry on, which ends before `to`. */
  begin(data: Uint8Array, at: number, to: number): void {
    this.#data = data;
    this.#next = at + 1;
    this.#to = to;
  }

  /** Steps to the next value; false where there is none. */
  step(): boolean {
    const at = this.#next;
    if (at >= this.#to) return false;
    const data = this.#data;
    const flags = data[at] as number;
    this.low =
      (data[at + 1] as number) |
      ((data[at + 2] as number) << 8) |
      ((data[at + 3] as number) << 16) |
      ((data[at + 4] as number) << 24);
    this.rest = (data[at + 5] as number) | ((data[at + 6] as number) << 8) | ((data[at + 7] as number) << 16);
    this.said = (flags & SAID) !== 0;
    this.measure = flags & NUMBER ? at : 0;
    this.#next = at + 8 + (flags & NUMBER ? 1 + (data[at + 8] as number) : 0);
    return true;
  }
}

/** The number of a value, or the milliseconds since 1970 of its date; NaN where it has none. */
export function numberAt(data: Uint8Array, measure: number): number {
  if (measure === 0) return Number.NaN;
  const number = readDecimal(data, measure + 9, data[measure + 8] as number);
  return (data[measure] as number) & DAY ? number * DAY_MS : number;
}

export const isDateAt = (data: Uint8Array, measure: number): boolean =>
  measure > 0 && ((data[measure] as number) & DATE) !== 0;

const ZERO = 48;
/** Digits that are surely a whole number as they are. */
const SAFE_DIGITS = 15;

function readDecimal(data: Uint8Array, at: number, length: number): number {
  let number = 0;
  for (let place = at; place < at + length; place++) {
    const digit = (data[place] as number) - ZERO;
    if (digit < 0 || digit > 9 || length > SAFE_DIGITS) {
      return Number(String.fromCharCode(...data.subarray(at, at + length)));
    }
    number = number * 10 + digit;
  }
  return number;
}

/** Views of the block that is read: many entries of one block are read after each other. */
let viewed: Uint8Array | undefined;
let lastView: DataView = new DataView(new ArrayBuffer(0));
function view(data: Uint8Array): DataView {
  if (viewed !== data) {
    viewed = data;
    lastView = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }
  return lastView;
}

export interface ColumnSample {
  id: number;
  account: number;
  release: number;
  updated: number;
  hidden: boolean;
  /** What it is counted by, each characteristic once: of samples that say the same, the same in the same place. */
  counted: readonly (CountedCharacteristic | undefined)[];
  /** There is more than that. */
  more: boolean;
}

/** Entries of numbers, made once: most samples of a block have the same. */
export class NumberEntries {
  readonly #known = new Map<number, string>();

  of(number: number): string {
    let entry = this.#known.get(number);
    if (entry === undefined) {
      entry = numberEntry(number);
      this.#known.set(number, entry);
    }
    return entry;
  }
}

export function entryOf(characteristic: CharacteristicFacets): string {
  if (!characteristic.shared) return valuesEntry(characteristic.values);
  characteristic.entry ??= valuesEntry(characteristic.values);
  return characteristic.entry;
}

export function keysIn(entry: string): number[] {
  const keys: number[] = [];
  const bytes = Buffer.from(entry, 'latin1');
  eachKey(bytes, 0, bytes.length, (key) => keys.push(key));
  return keys.filter((key) => key >= FIRST_KEY);
}
