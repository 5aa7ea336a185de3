/**
 * What reading columns asks of a store, so that the rules stand here and each store answers in its own way: a generator
 * asks, its driver answers.
 */
import type { IdSet } from '../../registry/search/id-set.js';
import type { SampleFacets } from '../../registry/search/sample-facets.js';

export interface StoredBlock {
  block: number;
  data: Uint8Array;
}

export type Ask =
  /** Blocks of a column from a number on, in order, up to `most`. */
  | { kind: 'blocks'; column: number; from: number; most: number }
  /** Numbers of the columns of these characteristics, undefined for those that there are not. */
  | { kind: 'columns'; codes: readonly number[] }
  /** Samples that meet these groups of terms, whoever may see them. */
  | { kind: 'found'; terms: readonly string[][] }
  /** Samples that wait for the index: first and count of each run. */
  | { kind: 'waiting' }
  /** What samples of the store are counted by; those that there are not are left out. */
  | { kind: 'samples'; ids: readonly number[] };

export interface Answers {
  blocks: readonly StoredBlock[];
  columns: readonly (number | undefined)[];
  found: IdSet;
  waiting: Iterable<{ first: number; count: number }>;
  samples: ReadonlyMap<number, SampleFacets>;
}

export type Reading<T> = Generator<Ask, T, Answers[Ask['kind']]>;

/** Some hundred kilobytes of a column as they are mostly. */
const BLOCKS_AT_ONCE = 250;

export function* ask<Kind extends Ask['kind']>(what: Ask & { kind: Kind }): Reading<Answers[Kind]> {
  return (yield what) as Answers[Kind];
}

/** Every block of a column, until `take` says false. */
export function* eachBlock(
  column: number | undefined,
  take: (block: number, data: Uint8Array) => unknown,
): Reading<void> {
  if (column === undefined) return;
  for (let from = 0; ; ) {
    const blocks = yield* ask({ kind: 'blocks', column, from, most: BLOCKS_AT_ONCE });
    for (const { block, data } of blocks) if (take(block, data) === false) return;
    const last = blocks.at(-1);
    if (last === undefined || blocks.length < BLOCKS_AT_ONCE) return;
    from = last.block + 1;
  }
}

/** Reads with answers that are there at once. */
export function readNow<T>(reading: Reading<T>, answer: (what: Ask) => Answers[Ask['kind']]): T {
  for (let step = reading.next(); ; ) {
    if (step.done) return step.value;
    step = reading.next(answer(step.value));
  }
}

/** Reads with answers that are waited for. */
export async function readLater<T>(
  reading: Reading<T>,
  answer: (what: Ask) => Promise<Answers[Ask['kind']]>,
): Promise<T> {
  for (let step = reading.next(); ; ) {
    if (step.done) return step.value;
    step = reading.next(await answer(step.value));
  }
}
