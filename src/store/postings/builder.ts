/** The postings of the samples of one step and span: which terms they have, term by term. */
import type { Keys } from '../../registry/search/term-keys.js';
import { firstKeyOf, pageBitsFor, type Slots, writePage } from './page.js';

const NONE = -1;

export class PostingBuilder {
  #terms = 0;
  #keys = new Float64Array(1024);
  /** Of the run that a term's latest slot is in. */
  #firsts = new Int32Array(1024);
  #lasts = new Int32Array(1024);
  /** Number of the run before it. */
  #before = new Int32Array(1024);
  /** Runs before, of all terms: first and last slot, and the number of the term's run before that one. */
  #runs = new Int32Array(3 * 1024);
  #ended = 0;
  /** Place by hash → number of the term. */
  #table = new Int32Array(4096).fill(NONE);

  get terms(): number {
    return this.#terms;
  }

  /** Slots from `first` to `last`. Runs in any order, in ascending order with fewer of them; one may lie over others. */
  add(key: number, first: number, last: number): void {
    const term = this.#termOf(key);
    const before = this.#lasts[term] as number;
    const from = this.#firsts[term] as number;
    if (before >= 0 && first >= from && first <= before + 1) {
      if (last > before) this.#lasts[term] = last;
      return;
    }
    if (before >= 0) this.#before[term] = this.#end(from, before, this.#before[term] as number);
    this.#firsts[term] = first;
    this.#lasts[term] = last;
  }

  addAll({ list, count }: Keys, first: number, last: number): void {
    for (let at = 0; at < count; at++) this.add(list[at] as number, first, last);
  }

  /** Answers the number of the run. */
  #end(first: number, last: number, before: number): number {
    const run = this.#ended++;
    if (run * 3 === this.#runs.length) this.#runs = longer(this.#runs);
    this.#runs[run * 3] = first;
    this.#runs[run * 3 + 1] = last;
    this.#runs[run * 3 + 2] = before;
    return run;
  }

  #termOf(key: number): number {
    const mask = this.#table.length - 1;
    let place = (key / 65_536) & mask;
    for (;;) {
      const term = this.#table[place] as number;
      if (term === NONE) break;
      if (this.#keys[term] === key) return term;
      place = (place + 1) & mask;
    }
    const term = this.#terms++;
    if (term === this.#keys.length) this.#grow();
    this.#keys[term] = key;
    this.#lasts[term] = NONE;
    this.#before[term] = NONE;
    this.#table[place] = term;
    if (this.#terms * 2 > this.#table.length) this.#rehash();
    return term;
  }

  #grow(): void {
    this.#keys = longer(this.#keys);
    this.#firsts = longer(this.#firsts);
    this.#lasts = longer(this.#lasts);
    this.#before = longer(this.#before);
  }

  #rehash(): void {
    this.#table = new Int32Array(this.#table.length * 4).fill(NONE);
    const mask = this.#table.length - 1;
    for (let term = 0; term < this.#terms; term++) {
      let place = ((this.#keys[term] as number) / 65_536) & mask;
      while (this.#table[place] !== NONE) place = (place + 1) & mask;
      this.#table[place] = term;
    }
  }

  #slotsOf(key: number): Slots {
    const term = this.#termOf(key);
    const [first, last] = [this.#firsts[term] as number, this.#lasts[term] as number];
    let run = this.#before[term] as number;
    if (run === NONE) return first === last ? first : [first, last];
    const runs = [last, first];
    for (; run !== NONE; run = this.#runs[run * 3 + 2] as number) {
      runs.push(this.#runs[run * 3 + 1] as number, this.#runs[run * 3] as number);
    }
    return runs.reverse();
  }

  /** All `2 ** bits` pages, in order. */
  pages(): { bits: number; pages: Buffer[] } {
    const bits = pageBitsFor(this.#terms);
    const keys = this.#keys.slice(0, this.#terms).sort();
    const pages: Buffer[] = [];
    for (let from = 0, page = 0; page < 2 ** bits; page++) {
      const next = firstKeyOf(page + 1, bits);
      const own: number[] = [];
      for (; from < keys.length && (keys[from] as number) < next; from++) own.push(keys[from] as number);
      const slots = own.map((key) => this.#slotsOf(key));
      pages.push(writePage(page, bits, own, slots));
    }
    return { bits, pages };
  }
}

function longer<List extends Float64Array | Int32Array>(list: List): List {
  const made = new (list.constructor as new (length: number) => List)(list.length * 2);
  made.set(list);
  return made;
}
