/** Counting the entries of a column's blocks, for the samples that a query finds. */
import type { FacetValue, SampleFacets } from '../../registry/sample-facets.js';
import { readBlock, SLOTS } from './block.js';
import { eachKey, eachValue, isDateAt, numberAt } from './entries.js';
import { bitsIn, type Masks } from './matching.js';
import { endsOf, rangeAt } from './nice-ranges.js';
import type { ValueTable } from './value-table.js';

/** What a query finds: samples of the index, and samples that it does not have yet with what they are counted by. */
export interface Found {
  masks: Masks;
  fresh: ReadonlyMap<number, SampleFacets>;
}

const ALL = 2 ** 32 - 1;

/** How many found samples of a block have each entry, and one that has it. */
class EntryCounts {
  readonly counts = new Uint16Array(SLOTS + 1);
  readonly examples = new Uint16Array(SLOTS + 1);

  /** Calls `take` with each entry that a found sample has. */
  each(
    mask: Uint32Array | undefined,
    data: Uint8Array,
    take: (data: Uint8Array, at: number, to: number, count: number, slot: number) => void,
  ): void {
    if (mask === undefined) return;
    const { places, starts, entries, length, uniform } = readBlock(data);
    const { counts, examples } = this;
    if (uniform) {
      const [count, first] = foundIn(mask, length);
      if (count > 0) take(data, starts[1] as number, starts[2] as number, count, first);
      return;
    }
    counts.fill(0, 0, entries + 1);
    for (let from = 0; from < length; from += 32) {
      const bits = mask[from >> 5] as number;
      const to = Math.min(from + 32, length);
      if (bits === 0) continue;
      // Most words are of samples that are all found.
      const all = bits >>> 0 === ALL;
      for (let slot = from; slot < to; slot++) {
        if (!all && !((bits >>> (slot & 31)) & 1)) continue;
        const entry = places[slot] as number;
        counts[entry] = (counts[entry] as number) + 1;
        examples[entry] = slot;
      }
    }
    for (let entry = 1; entry <= entries; entry++) {
      const count = counts[entry] as number;
      if (count > 0) {
        take(data, starts[entry] as number, starts[entry + 1] as number, count, examples[entry] as number);
      }
    }
  }
}

/** How many of the first bits are set, and one that is. */
function foundIn(mask: Uint32Array, length: number): [number, number] {
  let count = 0;
  let first = 0;
  for (let word = 0; word < (length + 31) >> 5; word++) {
    const left = length - 32 * word;
    const bits = (mask[word] as number) & (left < 32 ? 2 ** left - 1 : -1);
    if (bits !== 0) first = 32 * word + 31 - Math.clz32(bits);
    count += bitsIn(bits);
  }
  return [count, first];
}

export class ValueCount {
  readonly #entries = new EntryCounts();

  constructor(private readonly masks: Masks) {}

  keys(block: number, data: Uint8Array, take: (key: number, count: number, example: number) => void): void {
    this.#entries.each(this.masks.get(block), data, (bytes, from, to, count, slot) =>
      eachKey(bytes, from, to, (key) => take(key, count, block * SLOTS + slot)),
    );
  }

  values(block: number, data: Uint8Array, table: ValueTable): void {
    this.#entries.each(this.masks.get(block), data, (bytes, from, to, count, slot) => {
      let measures = 0;
      eachValue(bytes, from, to, (code, said, measure) => {
        const first = table.add(code, count, said, block * SLOTS + slot);
        if (measure === 0) return;
        if (first) table.measure(numberAt(bytes, measure), isDateAt(bytes, measure));
        if (!said || ++measures > 1) table.mixed = true;
      });
    });
  }

  /** Any found sample that has an entry. */
  first(block: number, data: Uint8Array): number | undefined {
    let first: number | undefined;
    this.#entries.each(this.masks.get(block), data, (_, __, ___, ____, slot) => {
      first ??= block * SLOTS + slot;
    });
    return first;
  }
}

/** Samples by range of their numbers or dates: one with several in a range counts once there. */
export class RangeCount {
  readonly counts: number[];
  /** That are in any range. */
  samples = 0;
  readonly #entries = new EntryCounts();

  private constructor(
    readonly ends: readonly number[],
    private readonly date: boolean,
  ) {
    this.counts = Array.from({ length: ends.length + 1 }, () => 0);
  }

  /** Undefined where there is nothing to divide. */
  static of(table: ValueTable, date: boolean): RangeCount | undefined {
    const numbers: number[] = [];
    const counts: number[] = [];
    for (const at of table.places()) {
      if (Number.isNaN(table.numbers[at] as number) || (table.dates[at] === 1) !== date) continue;
      numbers.push(table.numbers[at] as number);
      counts.push(table.said[at] as number);
    }
    const ends = endsOf({ numbers: Float64Array.from(numbers), counts: Float64Array.from(counts) }, date);
    return ends.length === 0 ? undefined : new RangeCount(ends, date);
  }

  /** All samples of a table that is not mixed. */
  addAll(table: ValueTable): void {
    for (const at of table.places()) {
      this.#take(this.#bitOf(table.numbers[at] as number, table.dates[at] === 1), table.said[at] as number);
    }
  }

  add(masks: Masks, block: number, data: Uint8Array): void {
    this.#entries.each(masks.get(block), data, (bytes, from, to, count) => {
      let ranges = 0;
      eachValue(bytes, from, to, (_, __, measure) => {
        ranges |= this.#bitOf(numberAt(bytes, measure), isDateAt(bytes, measure));
      });
      this.#take(ranges, count);
    });
  }

  addFresh(values: Iterable<FacetValue> | undefined): void {
    let ranges = 0;
    for (const { number, date } of values ?? []) ranges |= this.#bitOf(number ?? Number.NaN, date === true);
    this.#take(ranges, 1);
  }

  #bitOf(number: number, date: boolean): number {
    return Number.isNaN(number) || date !== this.date ? 0 : 1 << rangeAt(this.ends, number);
  }

  #take(ranges: number, count: number): void {
    if (ranges === 0) return;
    this.samples += count;
    for (let at = 0; at < this.counts.length; at++) {
      if (ranges & (1 << at)) this.counts[at] = (this.counts[at] as number) + count;
    }
  }
}
