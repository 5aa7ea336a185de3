/** The postings of the samples of one step and span: which terms they have, term by term. */
import { firstKeyOf, pageBitsFor, type Slots, writePage } from './page.js';

const NONE = -1;

export class PostingBuilder {
  #terms = 0;
  #keys = new Float64Array(1024);
  /** Of the run that a term's latest slot is in. */
  #firsts = new Int32Array(1024);
  #lasts = new Int32Array(1024);
  /** The runs before, of terms that have some: pairs of first and last slot, in the order in which they were added. */
  readonly #runs = new Map<number, number[]>();
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
    if (before >= 0) {
      const runs = this.#runs.get(term);
      if (runs) runs.push(from, before);
      else this.#runs.set(term, [from, before]);
    }
    this.#firsts[term] = first;
    this.#lasts[term] = last;
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
    this.#table[place] = term;
    if (this.#terms * 2 > this.#table.length) this.#rehash();
    return term;
  }

  #grow(): void {
    const longer = <List extends Float64Array | Int32Array>(list: List): List => {
      const made = new (list.constructor as new (length: number) => List)(list.length * 2);
      made.set(list);
      return made;
    };
    this.#keys = longer(this.#keys);
    this.#firsts = longer(this.#firsts);
    this.#lasts = longer(this.#lasts);
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
    const before = this.#runs.get(term);
    if (before) return [...before, first, last];
    return first === last ? first : [first, last];
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
