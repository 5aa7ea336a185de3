/** Which samples of a span its segments say to have the terms of a query. */
import { termNumber } from '../../registry/search-terms.js';
import { termKey } from '../../registry/term-keys.js';
import { pageOf } from '../postings/page.js';
import { addMask, addRun, addSlots, hasSlot, MASK_WORDS, SPAN, spanOf, within, without } from '../postings/slots.js';
import type { SqliteDatabase } from './database.js';
import { pageOfSegment, type Segment } from './search-segments.js';

/** Keys of terms; of one that is a sample by its number, that number below 0. */
export const keysOf = (groups: readonly (readonly string[])[]): number[][] =>
  groups.map((group) =>
    group.map((term) => {
      const id = termNumber(term);
      return id === undefined ? termKey(term) : -id;
    }),
  );

/** Slots of a span whose samples meet each group of terms; undefined where there is none. @throws DamagedIndex */
export function slotsFound(
  index: SqliteDatabase,
  segments: readonly Segment[],
  groups: readonly (readonly number[])[],
): Uint32Array | undefined {
  let found: Uint32Array | undefined;
  let newer: Uint32Array | undefined;
  for (const segment of segments) {
    const own = slotsOfSegment(index, segment, groups);
    if (own && (newer === undefined || without(own, newer))) {
      if (found === undefined) found = own;
      else addMask(found, own);
    }
    if (segment.overlaps === 0) continue;
    newer ??= new Uint32Array(MASK_WORDS);
    addSlots(newer, segment.slots);
  }
  return found;
}

function slotsOfSegment(
  index: SqliteDatabase,
  segment: Segment,
  groups: readonly (readonly number[])[],
): Uint32Array | undefined {
  if (groups.length === 0) {
    const all = new Uint32Array(MASK_WORDS);
    addSlots(all, segment.slots);
    return all;
  }
  let found: Uint32Array | undefined;
  for (const group of groups) {
    let own: Uint32Array | undefined;
    for (const key of group) own = withTerm(index, segment, key, own);
    if (own === undefined || (found !== undefined && !within(own, found))) return undefined;
    found = own;
  }
  return found;
}

function withTerm(index: SqliteDatabase, segment: Segment, key: number, mask?: Uint32Array): Uint32Array | undefined {
  if (key < 0) return withSample(segment, -key, mask);
  const page = pageOfSegment(index, segment, pageOf(key, segment.bits));
  const entry = page.lowerBound(key);
  if (entry === page.count || page.keyAt(entry) !== key) return mask;
  const into = mask ?? new Uint32Array(MASK_WORDS);
  page.addTo(into, entry);
  return into;
}

function withSample(segment: Segment, id: number, mask?: Uint32Array): Uint32Array | undefined {
  if (spanOf(id) !== segment.span) return mask;
  const slot = id - segment.span * SPAN;
  const held = new Uint32Array(MASK_WORDS);
  addSlots(held, segment.slots);
  if (!hasSlot(held, slot)) return mask;
  const into = mask ?? new Uint32Array(MASK_WORDS);
  addRun(into, slot, slot);
  return into;
}
