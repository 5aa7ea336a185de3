/** Samples on their way into the columns, block by block. */
import { blockOf, entriesOf, slotOf, writeBlock } from './block.js';
import { type ColumnSample, entriesOfSample, KEYS, KnownEntries, keysIn } from './entries.js';

export interface StagedBlock {
  block: number;
  /** Of the samples, in the order in which they came. */
  slots: number[];
  /** What they have now, by column: lists that are no longer than who has it, as there may be a column for each value of a step. */
  entries: Map<number, { slots: number[]; entries: string[] }>;
}

/** What samples have in their columns, by block; `keyOf` numbers the characteristics. */
export class Staged {
  readonly #blocks = new Map<number, StagedBlock>();
  readonly #known = new KnownEntries();
  readonly #keys = new Map<number, number>();

  constructor(private readonly keyOf: (code: number) => number) {}

  /** Of each sample once. */
  add(sample: ColumnSample): void {
    const block = blockOf(sample.id);
    let staged = this.#blocks.get(block);
    if (staged === undefined) {
      staged = { block, slots: [], entries: new Map() };
      this.#blocks.set(block, staged);
    }
    const { slots, entries } = staged;
    const slot = slotOf(sample.id);
    slots.push(slot);
    entriesOfSample(sample, this.#keyOf, this.#known, (column, entry) => {
      const own = entries.get(column);
      if (own === undefined) entries.set(column, { slots: [slot], entries: [entry] });
      else {
        own.slots.push(slot);
        own.entries.push(entry);
      }
    });
  }

  blocks(): StagedBlock[] {
    return [...this.#blocks.values()];
  }

  readonly #keyOf = (code: number): number => {
    const known = this.#keys.get(code);
    if (known !== undefined) return known;
    const key = this.keyOf(code);
    this.#keys.set(code, key);
    return key;
  };
}

/** The samples by block; `keyOf` numbers the characteristics. */
export function stage(samples: readonly ColumnSample[], keyOf: (code: number) => number): StagedBlock[] {
  const staged = new Staged(keyOf);
  for (const sample of samples) staged.add(sample);
  return staged.blocks();
}

/** Columns of the block that change: those that the samples have now, and those that they had, which `keys` tells. */
export function columnsOf({ slots, entries }: StagedBlock, keys: Uint8Array | undefined): number[] {
  const columns = new Set<number>([KEYS, ...entries.keys()]);
  if (keys === undefined) return [...columns];
  const before = entriesOf(keys);
  const known = new Set<string>();
  for (const slot of slots) known.add(before[slot] ?? '');
  for (const entry of known) for (const key of keysIn(entry)) columns.add(key);
  return [...columns];
}

/** A column of the block with the samples in it: undefined where it stays as it is, null where nothing is left of it. `shares` as `writeBlock`. */
export function withStaged(
  { slots, entries }: StagedBlock,
  column: number,
  data: Uint8Array | undefined,
  shares: boolean,
): Uint8Array | null | undefined {
  const list = entriesOf(data);
  const before = slots.map((slot) => list[slot]);
  for (const slot of slots) list[slot] = '';
  const own = entries.get(column);
  own?.slots.forEach((slot, at) => {
    list[slot] = own.entries[at] as string;
  });
  const changed = slots.some((slot, at) => list[slot] !== before[at]);
  return changed ? (writeBlock(list, shares) ?? null) : undefined;
}
