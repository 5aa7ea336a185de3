/** Counts by code, with room for as many codes as a request may tell apart: 36 bytes each, outside of the heap. */
import { DISTINCT } from '../../registry/facets.js';

const FIRST_SIZE = 1024;

export class ValueTable {
  /** More codes came than are distinguished: the counts mean nothing. */
  full = false;
  size = 0;
  /** Of them, those that are said. */
  saidSize = 0;
  /** A sample has several numbers or dates, or one that no text says: they cannot be divided into ranges by value. */
  mixed = false;
  private last = 0;
  /** Code, and where a sample that has it is. */
  codes = new Float64Array(FIRST_SIZE).fill(Number.NaN);
  examples = new Float64Array(FIRST_SIZE);
  /** Its number or NaN. */
  numbers = new Float64Array(FIRST_SIZE);
  dates = new Uint8Array(FIRST_SIZE);
  /** Samples in all, and those of which a text says it. */
  counts = new Uint32Array(FIRST_SIZE);
  said = new Uint32Array(FIRST_SIZE);

  /** Returns whether it is the first that says the value, whose measure is then wanted. */
  add(code: number, count: number, said: boolean, example: number): boolean {
    if (this.full) return false;
    const at = this.#placeOf(code);
    this.counts[at] = (this.counts[at] as number) + count;
    if (!said) return false;
    const first = this.said[at] === 0;
    // Who shows the value is one that spells it.
    if (first) {
      this.examples[at] = example;
      this.numbers[at] = Number.NaN;
      this.last = at;
      this.saidSize++;
    }
    this.said[at] = (this.said[at] as number) + count;
    return first;
  }

  /** Of the value that was last said for the first time. */
  measure(number: number, date: boolean): void {
    this.numbers[this.last] = number;
    this.dates[this.last] = date ? 1 : 0;
  }

  /** How many samples have it. */
  countOf(code: number): number {
    return this.counts[this.#find(code)] as number;
  }

  /** Places of the codes that are said. */
  *places(): Generator<number> {
    for (let at = 0; at < this.codes.length; at++) if ((this.said[at] as number) > 0) yield at;
  }

  #placeOf(code: number): number {
    let at = this.#find(code);
    if (!Number.isNaN(this.codes[at] as number)) return at;
    if (this.size >= DISTINCT) this.full = true;
    else if (++this.size > this.codes.length * 0.7) {
      this.#grow();
      at = this.#find(code);
    }
    this.codes[at] = code;
    return at;
  }

  #find(code: number): number {
    const mask = this.codes.length - 1;
    // Codes are hashes; those of columns are small numbers.
    let at = ((code >>> 0) ^ (code >>> 15)) & mask;
    for (;;) {
      const known = this.codes[at] as number;
      if (known === code || Number.isNaN(known)) return at;
      at = (at + 1) & mask;
    }
  }

  #grow(): void {
    const { codes, examples, numbers, dates, counts, said } = this;
    const size = codes.length * 2;
    this.codes = new Float64Array(size).fill(Number.NaN);
    this.examples = new Float64Array(size);
    this.numbers = new Float64Array(size);
    this.dates = new Uint8Array(size);
    this.counts = new Uint32Array(size);
    this.said = new Uint32Array(size);
    for (let from = 0; from < codes.length; from++) {
      const code = codes[from] as number;
      if (Number.isNaN(code)) continue;
      const at = this.#find(code);
      this.codes[at] = code;
      this.examples[at] = examples[from] as number;
      this.numbers[at] = numbers[from] as number;
      this.dates[at] = dates[from] as number;
      this.counts[at] = counts[from] as number;
      this.said[at] = said[from] as number;
    }
  }
}

/** The `most` places of the highest counts; among equal ones the lower code first. */
export function highest(table: ValueTable, most: number): number[] {
  const { counts, codes } = table;
  const before = (one: number, other: number): number =>
    (counts[other] as number) - (counts[one] as number) || (codes[one] as number) - (codes[other] as number);
  let best: number[] = [];
  for (const at of table.places()) {
    best.push(at);
    if (best.length >= 4 * most + 64) best = best.sort(before).slice(0, most);
  }
  return best.sort(before).slice(0, most);
}
