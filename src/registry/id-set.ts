/** Accession numbers as bits: eight kilobytes for each 65 536 numbers that hold one, whatever the order of adding. */
const WORDS = 2048;
const BITS = WORDS * 32;

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
