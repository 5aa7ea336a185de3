/** Samples on their way into the columns, block by block. */
import { blockOf, entriesOf, slotOf, writeBlock } from './block.js';
import { type ColumnSample, entriesOfSample, KEYS, KnownEntries, keysIn } from './entries.js';

export interface StagedBlock {
  block: number;
  /** Slot → what the sample has now, by column. */
  slots: Map<number, Map<number, string>>;
}

/** What samples have in their columns, by block; `keyOf` numbers the characteristics. */
export class Staged {
  readonly #blocks = new Map<number, StagedBlock>();
  readonly #known = new KnownEntries();
  readonly #keys = new Map<number, number>();

  constructor(private readonly keyOf: (code: number) => number) {}

  add(sample: ColumnSample): void {
    const block = blockOf(sample.id);
    let staged = this.#blocks.get(block);
    if (staged === undefined) {
      staged = { block, slots: new Map() };
      this.#blocks.set(block, staged);
    }
    staged.slots.set(
      slotOf(sample.id),
      entriesOfSample(sample, (code) => this.#keyOf(code), this.#known),
    );
  }

  blocks(): StagedBlock[] {
    return [...this.#blocks.values()];
  }

  #keyOf(code: number): number {
    const key = this.#keys.get(code) ?? this.keyOf(code);
    this.#keys.set(code, key);
    return key;
  }
}

/** The samples by block; `keyOf` numbers the characteristics. */
export function stage(samples: readonly ColumnSample[], keyOf: (code: number) => number): StagedBlock[] {
  const staged = new Staged(keyOf);
  for (const sample of samples) staged.add(sample);
  return staged.blocks();
}

/** Columns of the block that change: those that the samples have now, and those that they had, which `keys` tells. */
export function columnsOf({ slots }: StagedBlock, keys: Uint8Array | undefined): number[] {
  const columns = new Set<number>([KEYS]);
  const before = keys === undefined ? undefined : entriesOf(keys);
  for (const [slot, entries] of slots) {
    for (const column of entries.keys()) columns.add(column);
    const known = before?.[slot];
    if (known) for (const key of keysIn(known)) columns.add(key);
  }
  return [...columns];
}

/** A column of the block with the samples in it: undefined where it stays as it is, null where nothing is left of it. */
export function withStaged(
  { slots }: StagedBlock,
  column: number,
  data: Uint8Array | undefined,
): Uint8Array | null | undefined {
  const list = entriesOf(data);
  let changed = false;
  for (const [slot, entries] of slots) {
    const entry = entries.get(column) ?? '';
    if (list[slot] === entry) continue;
    list[slot] = entry;
    changed = true;
  }
  return changed ? (writeBlock(list) ?? null) : undefined;
}
