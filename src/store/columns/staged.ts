/** Samples on their way into the columns, block by block. */
import type { CountedCharacteristic } from '../../registry/search/sample-facets.js';
import { blockOf, entriesOf, slotOf, writeBlock } from './block.js';
import {
  type ColumnSample,
  entryOf,
  KEYS,
  keysEntry,
  keysIn,
  MORE,
  NumberEntries,
  OWNER,
  ownerNumber,
  RELEASE,
  UPDATED,
} from './entries.js';

/** Entries of a column, each of the samples from one on: neighbours mostly have the same. */
interface StagedColumn {
  /** Which sample of the block is the first that has the entry; rising, and of two for one sample the second counts. */
  from: number[];
  /** '' where samples have none. */
  entries: string[];
}

export interface StagedBlock {
  block: number;
  /** Of the samples, in the order in which they came. */
  slots: number[];
  /** What they have now. There may be a column for each value of a step, so its lists are no longer than they must be. */
  columns: Map<number, StagedColumn>;
}

interface OpenBlock extends StagedBlock {
  /** The last one. */
  before: ColumnSample | undefined;
}

/** What samples have in their columns, by block; `keyOf` numbers the characteristics. */
export class Staged {
  readonly #blocks = new Map<number, OpenBlock>();
  readonly #numbers = new NumberEntries();
  readonly #keys = new Map<number, number>();

  constructor(private readonly keyOf: (code: number) => number) {}

  /** Of each sample once. */
  add(sample: ColumnSample): void {
    const block = blockOf(sample.id);
    let staged = this.#blocks.get(block);
    if (staged === undefined) {
      staged = { block, slots: [], columns: new Map(), before: undefined };
      this.#blocks.set(block, staged);
    }
    const { before, columns } = staged;
    const at = staged.slots.push(slotOf(sample.id)) - 1;
    const { account, hidden, release, updated } = sample;
    if (account !== before?.account || hidden !== before.hidden)
      begin(columns, OWNER, at, this.#numbers.of(ownerNumber(account, hidden)));
    if (release !== before?.release) begin(columns, RELEASE, at, this.#numbers.of(release));
    if (updated !== before?.updated) begin(columns, UPDATED, at, this.#numbers.of(updated));
    this.#addCounted(staged, sample, at);
    staged.before = sample;
  }

  /** What the sample before has ends first: the same characteristic may stand in another place. */
  #addCounted({ before, columns }: OpenBlock, { counted, more }: ColumnSample, at: number): void {
    const known: ColumnSample['counted'] = before?.counted ?? [];
    const places = Math.max(counted.length, known.length);
    let others = more !== (before?.more ?? false);
    for (let place = 0; place < places; place++) {
      const ended = known[place];
      if (ended?.[0] === counted[place]?.[0]) continue;
      others = true;
      if (ended) begin(columns, this.#keyOf(ended[0]), at, '');
    }
    for (let place = 0; place < places; place++) {
      const own = counted[place];
      const ended = known[place];
      if (own && (own[1] !== ended?.[1] || own[0] !== ended[0]))
        begin(columns, this.#keyOf(own[0]), at, entryOf(own[1]));
    }
    if (others) begin(columns, KEYS, at, this.#keysOf(counted, more));
  }

  #keysOf(counted: readonly (CountedCharacteristic | undefined)[], more: boolean): string {
    const keys = more ? [MORE] : [];
    for (const own of counted) if (own) keys.push(this.#keyOf(own[0]));
    return keysEntry(keys);
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

function begin(columns: Map<number, StagedColumn>, column: number, at: number, entry: string): void {
  const own = columns.get(column);
  if (own === undefined) {
    columns.set(column, { from: [at], entries: [entry] });
    return;
  }
  const { from, entries } = own;
  if (from.length === 1) {
    own.from = [from[0] as number, at];
    own.entries = [entries[0] as string, entry];
  } else {
    from.push(at);
    entries.push(entry);
  }
}

/** The samples by block; `keyOf` numbers the characteristics. */
export function stage(samples: readonly ColumnSample[], keyOf: (code: number) => number): StagedBlock[] {
  const staged = new Staged(keyOf);
  for (const sample of samples) staged.add(sample);
  return staged.blocks();
}

/** Columns of the block that change: those that the samples have now, and those that they had, which `keys` tells. */
export function columnsOf({ slots, columns: staged }: StagedBlock, keys: Uint8Array | undefined): number[] {
  const columns = new Set<number>([KEYS, ...staged.keys()]);
  if (keys === undefined) return [...columns];
  const before = entriesOf(keys);
  const known = new Set<string>();
  for (const slot of slots) known.add(before[slot] ?? '');
  for (const entry of known) for (const key of keysIn(entry)) columns.add(key);
  return [...columns];
}

/** A column of the block with the samples in it: undefined where it stays as it is, null where nothing is left of it. `shares` as `writeBlock`. */
export function withStaged(
  { slots, columns }: StagedBlock,
  column: number,
  data: Uint8Array | undefined,
  shares: boolean,
): Uint8Array | null | undefined {
  const list = entriesOf(data);
  let changed = false;
  const put = (from: number, to: number, entry: string): void => {
    for (let at = from; at < to; at++) {
      const slot = slots[at] as number;
      if (list[slot] === entry) continue;
      list[slot] = entry;
      changed = true;
    }
  };
  const { from, entries } = columns.get(column) ?? { from: [], entries: [] };
  put(0, from[0] ?? slots.length, '');
  for (const [run, entry] of entries.entries()) put(from[run] as number, from[run + 1] ?? slots.length, entry);
  return changed ? (writeBlock(list, shares) ?? null) : undefined;
}
