/** Queries of the index file: postings say which samples have the terms, columns who may see them and when they changed. */
import { bitsIn, ID_BLOCK, type IdSet } from '../../../registry/search/id-set.js';
import type { Wanted } from '../../../registry/search/pending-samples.js';
import { isNameTerm } from '../../../registry/search/search-terms.js';
import { readableIn } from '../../columns/matching.js';
import { addRun, MASK_WORDS, SPAN, spanOf, within, without } from '../../postings/slots.js';
import type { SqliteDatabase } from '../database.js';
import { blockOfColumn } from './search-columns.js';
import { GivenNames } from './search-names.js';
import { type Segment, segmentsOf, spansOf } from './search-segments.js';
import { keysOf, slotsFound } from './search-slots.js';

export interface EntryQuery {
  wanted: Wanted;
  /** Accession number to begin behind. */
  before?: number | undefined;
  /** Samples to pass over: the store knows better than the index. */
  except: readonly number[];
  /** Of these alone. */
  among?: IdSet | undefined;
}

/** Up to `limit` accession numbers, newest first. */
export function findEntries(index: SqliteDatabase, asked: EntryQuery, limit: number): number[] {
  const found: number[] = [];
  for (const id of numbersFound(index, asked)) {
    if (found.length === limit) break;
    found.push(id);
  }
  return found;
}

/** Hands over all accession numbers, one by one: there may be millions. */
export function eachEntry(index: SqliteDatabase, asked: EntryQuery, take: (id: number) => void): void {
  for (const id of numbersFound(index, asked)) take(id);
}

function* numbersFound(index: SqliteDatabase, asked: EntryQuery): Generator<number> {
  for (const [first, words] of foundIn(index, asked)) {
    for (let word = words.length - 1; word >= 0; word--) {
      for (let bits = words[word] as number; bits !== 0; ) {
        const bit = 31 - Math.clz32(bits);
        bits = (bits & ~(1 << bit)) >>> 0;
        yield first + word * 32 + bit;
      }
    }
  }
}

/** How many there are, counted up to `limit`. */
export function countEntries(index: SqliteDatabase, asked: EntryQuery, limit: number): number {
  let count = 0;
  for (const [, words] of foundIn(index, asked)) {
    for (const word of words) count += bitsIn(word);
    if (count >= limit) return limit;
  }
  return count;
}

/** The found ones as bits of numbers from `first` on, the newest first: a block or a span at a time. */
function* foundIn(index: SqliteDatabase, asked: EntryQuery): Generator<[first: number, words: Uint32Array]> {
  const { terms } = asked.wanted.query;
  const groups = keysOf(terms);
  const areNames = terms.map((group) => group.every(isNameTerm));
  const names = areNames.includes(true) ? new GivenNames(index) : undefined;
  const below = asked.before === undefined ? undefined : spanOf(asked.before - 1) + 1;
  for (const span of spansOf(index, below)) {
    index.askTime();
    const held = groups.map((keys, at) => (names && areNames[at] ? names.held(span, keys) : keys));
    if (held.some(({ length }) => length === 0)) continue;
    const segments = segmentsOf(index, span);
    const sight = sightOf(segments, asked.wanted);
    if (sight === 'none') continue;
    const mask = slotsFound(index, segments, held);
    if (mask === undefined || !narrowed(mask, span, asked)) continue;
    if (sight === 'all') yield [span * SPAN, mask];
    else yield* readableOf(index, span, mask, asked.wanted);
  }
}

const WORDS = ID_BLOCK / 32;

function* readableOf(
  index: SqliteDatabase,
  span: number,
  mask: Uint32Array,
  wanted: Wanted,
): Generator<[first: number, words: Uint32Array]> {
  for (let at = MASK_WORDS - WORDS; at >= 0; at -= WORDS) {
    const words = mask.subarray(at, at + WORDS);
    if (words.every((word) => word === 0)) continue;
    index.askTime();
    const first = span * SPAN + at * 32;
    const readable = readableIn(wanted, (column) => blockOfColumn(index, column, first / ID_BLOCK));
    if (readable) yield [first, words.map((word, place) => word & (readable[place] as number))];
  }
}

/** Which samples of these segments a query may find, as far as that is known of all of them. */
function sightOf(segments: readonly Segment[], { query, accounts, visible }: Wanted): 'all' | 'none' | 'some' {
  const isOf = (account: number | null, some: readonly number[]): boolean => account === null || some.includes(account);
  if (accounts && !segments.some(({ account }) => isOf(account, accounts))) return 'none';
  const open = (segment: Segment): boolean => segment.latest <= query.now && segment.hidden === 0;
  const closed = (segment: Segment): boolean =>
    segment.earliest > query.now && !(typeof visible === 'number' && isOf(segment.account, [visible]));
  if (visible !== 'all' && segments.every(closed)) return 'none';
  const hasTimes = query.release !== undefined || query.updated !== undefined;
  if (accounts || hasTimes || query.withdrawn === 'only') return 'some';
  if (visible === 'all') {
    return query.withdrawn === 'too' || segments.every(({ hidden }) => hidden === 0) ? 'all' : 'some';
  }
  return segments.every(open) ? 'all' : 'some';
}

/** Takes out what the query does not ask for by number; returns whether anything is left. */
function narrowed(mask: Uint32Array, span: number, { wanted, before, except, among }: EntryQuery): boolean {
  const numbers = (ids: readonly number[]): Uint32Array => {
    const set = new Uint32Array(MASK_WORDS);
    for (const id of ids) if (spanOf(id) === span) addRun(set, id - span * SPAN, id - span * SPAN);
    return set;
  };
  if (wanted.query.ids && !within(mask, numbers(wanted.query.ids))) return false;
  if (except.length > 0 && !without(mask, numbers(except))) return false;
  if (among) {
    const words = among.span(span);
    if (words === undefined || !within(mask, words)) return false;
  }
  if (before === undefined || spanOf(before) !== span) return true;
  const behind = new Uint32Array(MASK_WORDS);
  addRun(behind, before - span * SPAN, SPAN - 1);
  return without(mask, behind);
}
