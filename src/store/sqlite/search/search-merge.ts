/**
 * Merging the segments of a span, in slices of some milliseconds. A query opens every segment of a span, so there are to be few. A
 * merge takes segments of about one size, so that a sample is written anew a handful of times, however many come one by one.
 */
import { type MergedPage, mergePages } from '../../postings/merge.js';
import { firstKeyOf, type PageEntries, pageBitsFor, pageOf } from '../../postings/page.js';
import {
  addMask,
  addSlots,
  MASK_WORDS,
  packRuns,
  runsOf,
  samplesIn,
  type Words,
  within,
  without,
  wordsOf,
} from '../../postings/slots.js';
import type { SqliteDatabase } from '../database.js';
import {
  addPage,
  addSegment,
  nextSegmentId,
  pageOfSegment,
  removePages,
  type Segment,
  segmentsOf,
} from './search-segments.js';

/** Segments of one size that are merged. */
const SAME_SIZE = 8;
/** Segments of a span from which on merging does not wait until there is nothing to index. */
const MANY_SEGMENTS = 64;
const SLICE_MS = 20;
const CATCH_UP_MS = 200;

interface Merging {
  id: number;
  span: number;
  bits: number;
  next_page: number;
  terms: number;
  sources: string;
}

/** Free pages that stay for the next segments: 1 MiB. What is merged leaves a third of the file free. */
const KEPT_PAGES = 128;
/** Free pages that one write gives back: some milliseconds. */
const GIVEN_AT_ONCE = 64;

/** Merges for some `ms`: where there are very many segments longer, where there are few only when `isIdle`. Resolves to whether there is more to merge. */
export async function mergeSegments(index: SqliteDatabase, ms: number, isIdle: boolean): Promise<boolean> {
  const hasMany = crowdedSpan(index, MANY_SEGMENTS) !== undefined;
  const least = isIdle ? SAME_SIZE : MANY_SEGMENTS;
  const until = performance.now() + (hasMany ? Math.max(ms, CATCH_UP_MS) : ms);
  for (;;) {
    // Nobody's write waits for one of which nothing comes.
    if (merging(index) === undefined && crowdedSpan(index, least) === undefined) return isIdle && giveBack(index);
    await index.write(() => {
      const end = performance.now() + SLICE_MS;
      return mergeSlice(index, least, () => performance.now() > end);
    });
    if (performance.now() > until) return true;
  }
}

/** Makes one segment of all of a span, in which nothing is left of what newer ones say otherwise. */
export async function mergeSpan(index: SqliteDatabase, span: number): Promise<void> {
  /** The segment that comes of it. */
  let own: number | undefined;
  for (let isOver = false; !isOver; ) {
    await index.write(() => {
      const begun = merging(index);
      if (own !== undefined && begun?.id !== own) {
        isOver = true;
        return;
      }
      if (begun === undefined) {
        const segments = segmentsOf(index, span);
        isOver = segments.length < 2;
        if (isOver) return;
        own = beginWith(index, span, segments).id;
      }
      const end = performance.now() + SLICE_MS;
      mergeSlice(index, SAME_SIZE, () => performance.now() > end);
    });
  }
}

/** Resolves to whether there is more to give back. */
async function giveBack(index: SqliteDatabase): Promise<boolean> {
  if (index.freePages <= KEPT_PAGES) return false;
  await index.write(() => index.giveBack(GIVEN_AT_ONCE));
  return index.freePages > KEPT_PAGES;
}

const merging = (index: SqliteDatabase): Merging | undefined => index.sql<Merging>('select * from merging').get();

/** Segments of one size have up to eight times as many samples as each other. */
const SIZE = 'cast(log2(samples) / 3 as integer)';

/** The span with most segments, of those that have so many and enough of one size. */
const crowdedSpan = (index: SqliteDatabase, least: number): number | undefined =>
  index
    .sql<{ span: number }>(
      `select span from (select span, count(*) as count from segment group by span, ${SIZE})
       group by span having sum(count) >= ? and max(count) >= ? order by sum(count) desc, span limit 1`,
    )
    .get(least, SAME_SIZE)?.span;

/**
 * Writes pages until `isOver`, one at least, of spans that have `least` segments or more; false when there was nothing to merge. Inside a
 * write of the index.
 */
export function mergeSlice(index: SqliteDatabase, least: number, isOver: () => boolean): boolean {
  const begun = merging(index) ?? beginMerge(index, least);
  if (begun === undefined) return false;
  const sources = new Set(JSON.parse(begun.sources) as number[]);
  // What came since says itself which samples it holds: every page is made of the same ones.
  const segments = segmentsOf(index, begun.span).filter(({ id }) => id < begun.id);
  const parts = livePartsOf(segments, sources);
  const read = new Map<number, { number: number; page: PageEntries }>();
  const last = 2 ** begun.bits;
  let page = begun.next_page;
  let terms = begun.terms;
  for (let first = page; page < last && (page === first || !isOver()); page++) {
    const from = firstKeyOf(page, begun.bits);
    const pages = parts.map(({ segment, live, held }): MergedPage => {
      const number = pageOf(from, segment.bits);
      let known = read.get(segment.id);
      if (known?.number !== number) {
        known = { number, page: pageOfSegment(index, segment, number).entries() };
        read.set(segment.id, known);
      }
      return { page: known.page, live, held };
    });
    const merged = mergePages(pages, page, begun.bits);
    addPage(index, begun.id, page, merged.data);
    terms += merged.terms;
  }
  if (page < last) index.sql('update merging set next_page = ?, terms = ?').run(page, terms);
  else endMerge(index, { ...begun, terms }, segments, parts);
  return true;
}

interface LivePart {
  segment: Segment;
  /** Its samples that no newer segment holds. */
  live: Uint32Array;
  held: Words;
}

function livePartsOf(segments: readonly Segment[], sources: ReadonlySet<number>): LivePart[] {
  const newer = new Uint32Array(MASK_WORDS);
  return segments.flatMap((segment) => {
    const live = new Uint32Array(MASK_WORDS);
    addSlots(live, segment.slots);
    const held = wordsOf(live);
    without(live, newer);
    addSlots(newer, segment.slots);
    return sources.has(segment.id) ? [{ segment, live, held }] : [];
  });
}

/** Of all of one size, the smallest that are enough. */
function beginMerge(index: SqliteDatabase, least: number): Merging | undefined {
  const span = crowdedSpan(index, least);
  if (span === undefined) return undefined;
  const sources = index
    .sql<Pick<Segment, 'id' | 'terms'>>(
      `select id, terms from segment where span = @span and ${SIZE} =
       (select ${SIZE} from segment where span = @span group by 1 having count(*) >= @same order by 1 limit 1)`,
    )
    .all({ span, same: SAME_SIZE });
  return beginWith(index, span, sources);
}

function beginWith(index: SqliteDatabase, span: number, sources: readonly Pick<Segment, 'id' | 'terms'>[]): Merging {
  const begun: Merging = {
    id: nextSegmentId(index),
    span,
    bits: pageBitsFor(sources.reduce((sum, { terms }) => sum + terms, 0)),
    next_page: 0,
    terms: 0,
    sources: JSON.stringify(sources.map(({ id }) => id)),
  };
  index
    .sql(
      `insert into merging (id, span, bits, next_page, terms, sources)
       values (@id, @span, @bits, @next_page, @terms, @sources)`,
    )
    .run(begun);
  return begun;
}

/** The new segment takes the place of the newest that it was made of. */
function endMerge(
  index: SqliteDatabase,
  { id, span, bits, terms }: Merging,
  segments: readonly Segment[],
  parts: readonly LivePart[],
): void {
  const held = new Uint32Array(MASK_WORDS);
  for (const { live } of parts) addMask(held, live);
  const sources = parts.map(({ segment }) => segment);
  const age = Math.max(...sources.map((source) => source.age));
  for (const source of sources) {
    index.sql('delete from segment where id = ?').run(source.id);
    removePages(index, source.id);
  }
  index.sql('delete from merging').run();
  const runs = runsOf(held);
  if (runs.length === 0) return;
  const older = segments.filter((segment) => segment.age < age && !sources.includes(segment));
  const accounts = new Set(sources.map(({ account }) => account));
  addSegment(index, {
    id,
    span,
    age,
    samples: samplesIn(runs),
    terms,
    bits,
    account: accounts.size === 1 ? (sources[0]?.account ?? null) : null,
    hidden: sources.reduce((sum, { hidden }) => sum + hidden, 0),
    earliest: Math.min(...sources.map(({ earliest }) => earliest)),
    latest: Math.max(...sources.map(({ latest }) => latest)),
    overlaps: older.some(({ slots }) => holdsAny(slots, held)) ? 1 : 0,
    slots: Buffer.from(packRuns(runs)),
    named: sources.every(({ named }) => named === 1) ? 1 : 0,
  });
}

function holdsAny(slots: Buffer, held: Uint32Array): boolean {
  const other = new Uint32Array(MASK_WORDS);
  addSlots(other, slots);
  return within(other, held);
}
