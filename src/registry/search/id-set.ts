/** Accession numbers as bits: eight kilobytes for each span of 65 536 numbers that holds one, whatever the order of adding. */
const WORDS = 2048;
const BITS = WORDS * 32;
export const ID_SPAN = BITS;
/** Numbers of a block, and their words. */
export const ID_BLOCK = 1024;
export const BLOCK_WORDS = ID_BLOCK / 32;

export class IdSet {
  readonly #pages = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    const number = Math.floor(id / BITS);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint32Array(WORDS);
      this.#pages.set(number, page);
    }
    const [word, bit] = placeOf(id);
    if (((page[word] as number) & bit) !== 0) return;
    page[word] = (page[word] as number) | bit;
    this.#size++;
  }

  has(id: number): boolean {
    const [word, bit] = placeOf(id);
    return ((this.#pages.get(Math.floor(id / BITS))?.[word] ?? 0) & bit) !== 0;
  }

  /** The bits of numbers `block * ID_BLOCK` and on, where any of some thousand around them is set. */
  words(block: number): Uint32Array | undefined {
    const at = block * BLOCK_WORDS;
    return this.#pages.get(Math.floor(at / WORDS))?.subarray(at % WORDS, (at % WORDS) + BLOCK_WORDS);
  }

  /** The bits of numbers `span * ID_SPAN` and on, where any is set. */
  span(span: number): Uint32Array | undefined {
    return this.#pages.get(span);
  }

  /** Sets these bits of a span that has none yet. */
  addSpan(span: number, words: Uint32Array): void {
    this.#pages.set(span, words);
    for (const word of words) this.#size += bitsIn(word);
  }

  /** Sets these bits of a block. */
  addWords(block: number, words: Uint32Array): void {
    for (let word = 0; word < BLOCK_WORDS; word++) {
      for (let left = words[word] as number; left !== 0; left &= left - 1) {
        this.add(block * ID_BLOCK + word * 32 + (31 - Math.clz32(left & -left)));
      }
    }
  }

  /** As bytes from number 0 on, the lowest bit of each first. */
  bytes(): Buffer {
    const pages = [...this.#pages.keys()];
    const all = Buffer.alloc(pages.length === 0 ? 0 : (Math.max(...pages) + 1) * WORDS * 4);
    for (const [number, page] of this.#pages) {
      for (let word = 0; word < WORDS; word++) all.writeUInt32LE(page[word] as number, (number * WORDS + word) * 4);
    }
    return all;
  }

  /** In ascending order, up to `count` at a time. */
  *runs(count: number): Generator<number[]> {
    let run: number[] = [];
    for (const number of [...this.#pages.keys()].sort((a, b) => a - b)) {
      const page = this.#pages.get(number) as Uint32Array;
      for (let word = 0; word < WORDS; word++) {
        for (let left = page[word] as number; left !== 0; left &= left - 1) {
          run.push(number * BITS + word * 32 + (31 - Math.clz32(left & -left)));
          if (run.length < count) continue;
          yield run;
          run = [];
        }
      }
    }
    if (run.length > 0) yield run;
  }
}

function placeOf(id: number): [word: number, bit: number] {
  const at = id % BITS;
  return [Math.floor(at / 32), 1 << (at % 32)];
}

/** How many bits of a word of 32 are set. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
