/** Which samples of a span its segments say to have the terms of a query. */
import { termNumber } from '../../../registry/search/accession-terms.js';
import { termKey } from '../../../registry/search/term-keys.js';
import { type Page, pageOf } from '../../postings/page.js';
import { addMask, addRun, addSlots, hasSlot, MASK_WORDS, SPAN, spanOf, within, without } from '../../postings/slots.js';
import type { SqliteDatabase } from '../database.js';
import { pageOfSegment, type Segment } from './search-segments.js';

/** Keys of terms, rising, so that each page is read once; of one that is a sample by its number, that number below 0. */
export const keysOf = (groups: readonly (readonly string[])[]): number[][] =>
  groups.map((group) =>
    group
      .map((term) => {
        const id = termNumber(term);
        return id === undefined ? termKey(term) : -id;
      })
      .sort((one, other) => one - other),
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
  const pages = pagesOf(index, segment);
  for (const group of groups) {
    let own: Uint32Array | undefined;
    for (const key of group) own = key < 0 ? withSample(segment, -key, own) : pages(key).addSlotsOf(key, own);
    if (own === undefined || (found !== undefined && !within(own, found))) return undefined;
    found = own;
  }
  return found;
}

/** Of a segment, the page that a key is on; the last one is kept, as a sample's relatives are asked for by the thousand. */
function pagesOf(index: SqliteDatabase, segment: Segment): (key: number) => Page {
  let last: { number: number; page: Page } | undefined;
  return (key) => {
    const number = pageOf(key, segment.bits);
    if (last?.number !== number) last = { number, page: pageOfSegment(index, segment, number) };
    return last.page;
  };
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
