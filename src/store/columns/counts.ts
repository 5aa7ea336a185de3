/** Counting the entries of a column's blocks, for the samples that a query finds. */
import { bitsIn } from '../../registry/search/id-set.js';
import type { FacetValue, SampleFacets } from '../../registry/search/sample-facets.js';
import { placesOf, readBlock, SLOTS } from './block.js';
import { EntryValues, eachKey, isDateAt, numberAt } from './entries.js';
import type { Masks } from './matching.js';
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
  /** Of the block: number of an entry, from 1 → samples, slot of one, and where its bytes begin and end. */
  entries = 0;
  readonly counts = new Uint16Array(SLOTS + 2);
  readonly examples = new Uint16Array(SLOTS + 2);
  starts: Uint32Array = new Uint32Array();

  /** Counts the block; without a mask nothing is found. */
  of(mask: Uint32Array | undefined, data: Uint8Array): this {
    this.entries = 0;
    if (mask === undefined) return this;
    const { starts, entries, length, uniform, each } = readBlock(data);
    this.starts = starts;
    this.entries = entries;
    if (uniform) {
      const [count, first] = foundIn(mask, length);
      this.counts[1] = count;
      this.examples[1] = first;
    } else if (each) this.#ofEach(mask, length);
    else this.#ofPlaces(mask, length, placesOf(data));
    return this;
  }

  #ofEach(mask: Uint32Array, length: number): void {
    const { counts, examples } = this;
    for (let slot = 0; slot < length; slot++) {
      counts[slot + 1] = ((mask[slot >> 5] as number) >>> (slot & 31)) & 1;
      examples[slot + 1] = slot;
    }
  }

  #ofPlaces(mask: Uint32Array, length: number, places: Uint16Array): void {
    const { counts, examples } = this;
    counts.fill(0, 0, this.entries + 1);
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
  readonly #values = new EntryValues();

  constructor(private readonly masks: Masks) {}

  keys(block: number, data: Uint8Array, take: (key: number, count: number, example: number) => void): void {
    const { entries, counts, examples, starts } = this.#entries.of(this.masks.get(block), data);
    for (let entry = 1; entry <= entries; entry++) {
      const count = counts[entry] as number;
      if (count === 0) continue;
      const example = block * SLOTS + (examples[entry] as number);
      eachKey(data, starts[entry] as number, starts[entry + 1] as number, (key) => take(key, count, example));
    }
  }

  values(block: number, data: Uint8Array, table: ValueTable): void {
    const values = this.#values;
    const { entries, counts, examples, starts } = this.#entries.of(this.masks.get(block), data);
    for (let entry = 1; entry <= entries; entry++) {
      const count = counts[entry] as number;
      if (count === 0) continue;
      const example = block * SLOTS + (examples[entry] as number);
      let measures = 0;
      for (values.begin(data, starts[entry] as number, starts[entry + 1] as number); values.step(); ) {
        const { said, measure } = values;
        const first = table.addParts(values.low, values.rest, count, said, example);
        if (measure === 0) continue;
        if (first) table.measure(numberAt(data, measure), isDateAt(data, measure));
        if (!said || ++measures > 1) table.mixed = true;
      }
    }
  }

  /** Any found sample that has an entry. */
  first(block: number, data: Uint8Array): number | undefined {
    const { entries, counts, examples } = this.#entries.of(this.masks.get(block), data);
    for (let entry = 1; entry <= entries; entry++) {
      if ((counts[entry] as number) > 0) return block * SLOTS + (examples[entry] as number);
    }
    return undefined;
  }
}

/** Samples by range of their numbers or dates: one with several in a range counts once there. */
export class RangeCount {
  readonly counts: number[];
  /** That are in any range. */
  samples = 0;
  readonly #entries = new EntryCounts();
  readonly #values = new EntryValues();

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
      if (Number.isNaN(table.numberOf(at)) || table.isDate(at) !== date) continue;
      numbers.push(table.numberOf(at));
      counts.push(table.samplesSaying(at));
    }
    const ends = endsOf({ numbers: Float64Array.from(numbers), counts: Float64Array.from(counts) }, date);
    return ends.length === 0 ? undefined : new RangeCount(ends, date);
  }

  /** All samples of a table that is not mixed. */
  addAll(table: ValueTable): void {
    for (const at of table.places()) {
      this.#take(this.#bitOf(table.numberOf(at), table.isDate(at)), table.samplesSaying(at));
    }
  }

  add(masks: Masks, block: number, data: Uint8Array): void {
    const values = this.#values;
    const { entries, counts, starts } = this.#entries.of(masks.get(block), data);
    for (let entry = 1; entry <= entries; entry++) {
      const count = counts[entry] as number;
      if (count === 0) continue;
      let ranges = 0;
      for (values.begin(data, starts[entry] as number, starts[entry + 1] as number); values.step(); ) {
        ranges |= this.#bitOf(numberAt(data, values.measure), isDateAt(data, values.measure));
      }
      this.#take(ranges, count);
    }
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
