/** Which samples a query finds and its reader may read, as bits of blocks, out of the columns. */
import { BLOCK_WORDS, bitsIn, IdSet } from '../../registry/search/id-set.js';
import { isMeasured, type Wanted } from '../../registry/search/pending-samples.js';
import { codeOf } from '../../registry/search/term-keys.js';
import { timeRanges } from '../search-page.js';
import { blockOf, placesOf, readBlock, SLOTS, slotOf } from './block.js';
import {
  EntryValues,
  isDateAt,
  numberAt,
  OWNER,
  RELEASE,
  readAccount,
  readHidden,
  readNumber,
  UPDATED,
} from './entries.js';
import { ask, eachBlock, type Reading } from './reading.js';

/** Block → bits of its samples. */
export type Masks = Map<number, Uint32Array>;
type Test = (data: Uint8Array, at: number, to: number) => boolean;

/** Of entries of `RELEASE` and `OWNER`. */
const released =
  (now: number): Test =>
  (data, at) =>
    readNumber(data, at) <= now;
const shown: Test = (data, at) => !readHidden(readNumber(data, at));
const ownedBy =
  (account: number): Test =>
  (data, at) =>
    readAccount(readNumber(data, at)) === account;

/** What a query asks of owner, status and times, column by column. */
function testsOf({ query, accounts }: Wanted): [column: number, test: Test][] {
  const tests: [number, Test][] = [];
  if (accounts) tests.push([OWNER, (data, at) => accounts.includes(readAccount(readNumber(data, at)))]);
  if (query.withdrawn !== 'too') {
    const only = query.withdrawn === 'only';
    // Nobody sees another's withdrawn samples: those who may not read them do not come this far.
    tests.push([OWNER, (data, at) => readHidden(readNumber(data, at)) === only]);
  }
  for (const [field, { from, until }] of timeRanges(query)) {
    if (from === undefined && until === undefined) continue;
    tests.push([
      field === 'release' ? RELEASE : UPDATED,
      (data, at) => {
        const time = readNumber(data, at);
        return (from === undefined || time >= from) && (until === undefined || time <= until);
      },
    ]);
  }
  return tests;
}

/**
 * Of one block, the samples that the reader may read and whose owner, status and times the query asks for; undefined where there are
 * none. `dataOf` reads the block of a column.
 */
export function readableIn(
  wanted: Wanted,
  dataOf: (column: number) => Uint8Array | undefined,
): Uint32Array | undefined {
  const { query, visible } = wanted;
  const read = new Map<number, Uint8Array | undefined>();
  const select = (column: number, test: Test): Uint32Array | undefined => {
    if (!read.has(column)) read.set(column, dataOf(column));
    const data = read.get(column);
    return data && maskOf(data, test);
  };
  let mask = visible === 'all' ? select(OWNER, () => true) : select(OWNER, shown);
  if (visible !== 'all' && mask) mask = both(mask, select(RELEASE, released(query.now)));
  if (typeof visible === 'number') mask = either(mask, select(OWNER, ownedBy(visible)));
  for (const [column, test] of testsOf(wanted)) mask = mask && both(mask, select(column, test));
  return mask;
}

const both = (mask: Uint32Array, other: Uint32Array | undefined): Uint32Array | undefined =>
  other && mask.map((word, at) => word & (other[at] as number));

const either = (mask: Uint32Array | undefined, other: Uint32Array | undefined): Uint32Array | undefined =>
  mask && other ? mask.map((word, at) => word | (other[at] as number)) : (mask ?? other);

/** Everything found that the index knows and that does not wait to be indexed anew; `among` as `measured` finds it. */
export function* matching(wanted: Wanted, among: IdSet | undefined): Reading<Masks> {
  const { query, visible } = wanted;
  const masks = yield* readable(wanted);
  const within = function* (column: number | undefined, test: Test): Reading<void> {
    const found = yield* select(column, test);
    intersect(masks, (block) => found.get(block));
  };
  for (const [column, test] of testsOf(wanted)) yield* within(column, test);
  if (query.ids) {
    const ids = new IdSet();
    for (const id of query.ids) ids.add(id);
    intersect(masks, (block) => ids.words(block));
  }
  for (const [at, code] of query.attributes ?? []) yield* within(...(yield* attribute(code, query.terms[at] ?? [])));
  if (among) intersect(masks, (block) => among.words(block));
  const others = query.terms.filter((_, at) => !query.attributes?.has(at));
  if (others.length > 0) {
    const found = yield* ask({ kind: 'found', terms: others });
    intersect(masks, (block) => found.words(block));
  }
  // What waits may have become another's secret.
  for (const { first, count } of yield* ask({ kind: 'waiting' })) remove(masks, first, count);
  if (visible !== 'all') for (const [block, mask] of masks) if (mask.every((word) => word === 0)) masks.delete(block);
  return masks;
}

/** Samples with a number or a date in any range of each characteristic; undefined where none is asked for. */
export function* measured(ranges: Wanted['query']['ranges']): Reading<IdSet | undefined> {
  let masks: Masks | undefined;
  const values = new EntryValues();
  for (const [code, any] of ranges ?? []) {
    const [column] = yield* ask({ kind: 'columns', codes: [code] });
    const found = yield* select(column, (data, at, to) => {
      for (values.begin(data, at, to); values.step(); ) {
        const { measure } = values;
        if (measure === 0) continue;
        const number = numberAt(data, measure);
        const value = isDateAt(data, measure) ? { number, date: true as const } : { number };
        if (any.some((range) => isMeasured(value, range))) return true;
      }
      return false;
    });
    if (masks === undefined) masks = found;
    else intersect(masks, (block) => found.get(block));
  }
  if (masks === undefined) return undefined;
  const ids = new IdSet();
  for (const [block, mask] of masks) ids.addWords(block, mask);
  return ids;
}

/** The samples that the reader may read. */
function* readable({ query: { now }, visible }: Wanted): Reading<Masks> {
  if (visible === 'all') return yield* select(OWNER, () => true);
  const open = yield* select(OWNER, shown);
  const due = yield* select(RELEASE, released(now));
  intersect(open, (block) => due.get(block));
  if (visible === 'open') return open;
  const own = yield* select(OWNER, ownedBy(visible));
  for (const [block, mask] of own) {
    const known = open.get(block);
    if (known)
      for (let word = 0; word < BLOCK_WORDS; word++) mask[word] = (mask[word] as number) | (known[word] as number);
    open.set(block, mask);
  }
  return open;
}

/** The column of a characteristic, and which of its entries meet a group of terms. */
function* attribute(code: number, terms: readonly string[]): Reading<[number | undefined, Test]> {
  const [column] = yield* ask({ kind: 'columns', codes: [code] });
  if (terms.some((term) => term.startsWith('a'))) return [column, () => true];
  const codes = new Set(terms.map(codeOf));
  const values = new EntryValues();
  const test: Test = (data, at, to) => {
    for (values.begin(data, at, to); values.step(); ) if (codes.has(values.code)) return true;
    return false;
  };
  return [column, test];
}

/** The samples whose entry of a column passes a test. */
function* select(column: number | undefined, test: Test): Reading<Masks> {
  const masks: Masks = new Map();
  yield* eachBlock(column, (block, data) => {
    const mask = maskOf(data, test);
    if (mask) masks.set(block, mask);
  });
  return masks;
}

const passes = new Uint8Array(SLOTS + 1);

/** The samples of a block whose entry passes a test; undefined where none does. */
function maskOf(data: Uint8Array, test: Test): Uint32Array | undefined {
  const { starts, entries, length, uniform } = readBlock(data);
  let some = 0;
  for (let entry = 1; entry <= entries; entry++) {
    passes[entry] = test(data, starts[entry] as number, starts[entry + 1] as number) ? 1 : 0;
    some += passes[entry] as number;
  }
  if (some === 0) return undefined;
  const mask = new Uint32Array(BLOCK_WORDS);
  if (uniform) {
    fill(mask, length);
    return mask;
  }
  const places = placesOf(data);
  for (let slot = 0; slot < length; slot++) {
    if (passes[places[slot] as number]) mask[slot >> 5] = (mask[slot >> 5] as number) | (1 << (slot & 31));
  }
  return mask;
}

/** The first bits. */
function fill(mask: Uint32Array, length: number): void {
  mask.fill(-1, 0, length >> 5);
  if (length & 31) mask[length >> 5] = (1 << (length & 31)) - 1;
}

function intersect(masks: Masks, other: (block: number) => Uint32Array | undefined): void {
  for (const [block, mask] of masks) {
    const words = other(block);
    if (words === undefined) masks.delete(block);
    else for (let word = 0; word < BLOCK_WORDS; word++) mask[word] = (mask[word] as number) & (words[word] as number);
  }
}

function remove(masks: Masks, first: number, count: number): void {
  for (let id = first; id < first + count; ) {
    const slot = slotOf(id);
    const mask = masks.get(blockOf(id));
    const to = Math.min(SLOTS, slot + first + count - id);
    if (mask) for (let at = slot; at < to; at++) mask[at >> 5] = (mask[at >> 5] as number) & ~(1 << (at & 31));
    id += to - slot;
  }
}

export function sizeOf(masks: Masks): number {
  let size = 0;
  for (const mask of masks.values()) for (const word of mask) size += bitsIn(word);
  return size;
}
