/** Counts by code, with room for as many codes as a request may tell apart: 33 bytes each, outside of the heap. */
import { DISTINCT } from '../../registry/search/facets.js';
import { HIGH } from './entries.js';

const FIRST_SIZE = 1024;
/** Up to it a table grows fourfold, beyond it twofold. */
const LARGE = 65_536;

/**
 * Of a code stand beside each other, in one line of the processor's cache: its low 32 bits, the rest of it, samples, those
 * that say it. Whole numbers of 32 bits: counting millions in doubles took twice as long.
 */
const WIDTH = 4;
const REST = 1;
const SAMPLES = 2;
const SAYING = 3;
/** Where no code is. */
const NONE = -1;

export class ValueTable {
  /** More codes came than are distinguished: the counts mean nothing. */
  full = false;
  size = 0;
  /** Of them, those that are said. */
  saidSize = 0;
  /** A sample has several numbers or dates, or one that no text says: they cannot be divided into ranges by value. */
  mixed = false;
  #last = 0;
  #mask = FIRST_SIZE - 1;
  #cells = emptyCells(FIRST_SIZE);
  #examples = new Float64Array(FIRST_SIZE);
  #numbers = new Float64Array(FIRST_SIZE);
  #dates = new Uint8Array(FIRST_SIZE);

  /** Of a value by the two parts of its code; the rest as `add`. */
  addParts(low: number, rest: number, count: number, said: boolean, example: number): boolean {
    if (this.full) return false;
    const at = this.#placeOf(low, rest);
    const cells = this.#cells;
    const cell = at * WIDTH;
    cells[cell + SAMPLES] = (cells[cell + SAMPLES] as number) + count;
    if (!said) return false;
    const before = cells[cell + SAYING] as number;
    cells[cell + SAYING] = before + count;
    if (before > 0) return false;
    // Who shows the value is one that spells it.
    this.#examples[at] = example;
    this.#numbers[at] = Number.NaN;
    this.#last = at;
    this.saidSize++;
    return true;
  }

  /** Returns whether it is the first that says the value, whose measure is then wanted. */
  add(code: number, count: number, said: boolean, example: number): boolean {
    return this.addParts(lowOf(code), restOf(code), count, said, example);
  }

  /** Of the value that was last said for the first time. */
  measure(number: number, date: boolean): void {
    this.#numbers[this.#last] = number;
    this.#dates[this.#last] = date ? 1 : 0;
  }

  /** How many samples have it. */
  countOf(code: number): number {
    return this.samplesWith(this.#find(lowOf(code), restOf(code)));
  }

  /** Places of the codes that are said. */
  *places(): Generator<number> {
    for (let at = 0; at <= this.#mask; at++) if (this.samplesSaying(at) > 0) yield at;
  }

  codeOf(place: number): number {
    return (this.#cells[place * WIDTH + REST] as number) * HIGH + ((this.#cells[place * WIDTH] as number) >>> 0);
  }

  samplesWith(place: number): number {
    return this.#cells[place * WIDTH + SAMPLES] as number;
  }

  /** Samples of which a text says it. */
  samplesSaying(place: number): number {
    return this.#cells[place * WIDTH + SAYING] as number;
  }

  /** One of them. */
  exampleOf(place: number): number {
    return this.#examples[place] as number;
  }

  /** Its number, or the milliseconds since 1970 of its date; NaN where it has neither. */
  numberOf(place: number): number {
    return this.#numbers[place] as number;
  }

  isDate(place: number): boolean {
    return this.#dates[place] === 1;
  }

  #placeOf(low: number, rest: number): number {
    let at = this.#find(low, rest);
    if (this.#cells[at * WIDTH + REST] !== NONE) return at;
    if (this.size >= DISTINCT) this.full = true;
    else if (++this.size > (this.#mask + 1) * 0.7) {
      this.#grow();
      at = this.#find(low, rest);
    }
    this.#cells[at * WIDTH] = low;
    this.#cells[at * WIDTH + REST] = rest;
    return at;
  }

  #find(low: number, rest: number): number {
    const cells = this.#cells;
    const mask = this.#mask;
    // Codes are hashes; those of columns are small numbers.
    let at = (low ^ (low >>> 15)) & mask;
    for (;;) {
      const known = cells[at * WIDTH + REST] as number;
      if (known === NONE || (known === rest && cells[at * WIDTH] === low)) return at;
      at = (at + 1) & mask;
    }
  }

  #grow(): void {
    const [cells, examples, numbers, dates] = [this.#cells, this.#examples, this.#numbers, this.#dates];
    const before = this.#mask + 1;
    const size = before * (before < LARGE ? 4 : 2);
    this.#mask = size - 1;
    this.#cells = emptyCells(size);
    this.#examples = new Float64Array(size);
    this.#numbers = new Float64Array(size);
    this.#dates = new Uint8Array(size);
    for (let from = 0; from < before; from++) {
      const rest = cells[from * WIDTH + REST] as number;
      if (rest === NONE) continue;
      const at = this.#find(cells[from * WIDTH] as number, rest);
      for (let cell = 0; cell < WIDTH; cell++) this.#cells[at * WIDTH + cell] = cells[from * WIDTH + cell] as number;
      this.#examples[at] = examples[from] as number;
      this.#numbers[at] = numbers[from] as number;
      this.#dates[at] = dates[from] as number;
    }
  }
}

const lowOf = (code: number): number => (code % HIGH) | 0;
const restOf = (code: number): number => Math.floor(code / HIGH);

function emptyCells(size: number): Int32Array {
  const cells = new Int32Array(size * WIDTH);
  for (let cell = REST; cell < cells.length; cell += WIDTH) cells[cell] = NONE;
  return cells;
}

/** The `most` places of the highest counts; among equal ones the lower code first. */
export function highest(table: ValueTable, most: number): number[] {
  const before = (one: number, other: number): number =>
    table.samplesWith(other) - table.samplesWith(one) || table.codeOf(one) - table.codeOf(other);
  let best: number[] = [];
  for (const at of table.places()) {
    best.push(at);
    if (best.length >= 4 * most + 64) best = best.sort(before).slice(0, most);
  }
  return best.sort(before).slice(0, most);
}
