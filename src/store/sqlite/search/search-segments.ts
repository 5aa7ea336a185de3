/** Segments of postings in the index file. */
import type { SamplePart } from '../../../registry/search/sample-parts.js';
import { nameKey } from '../../../registry/search/search-terms.js';
import type { Terms } from '../../../registry/search/term-keys.js';
import { PostingBuilder } from '../../postings/builder.js';
import { MOST_PAGE_BITS, Page } from '../../postings/page.js';
import { addRun, addSlots, MASK_WORDS, packRuns, runsOf, SPAN, spanOf, within } from '../../postings/slots.js';
import type { SqliteDatabase } from '../database.js';
import { type BlobRow, DamagedIndex, sumOfBlob, wholeBlob, wholeEntry } from './search-damage.js';
import { addNames } from './search-names.js';
import type { HeadRow } from './search-record.js';

const PAGES = 2 ** MOST_PAGE_BITS;

export interface Segment {
  id: number;
  span: number;
  age: number;
  samples: number;
  terms: number;
  bits: number;
  account: number | null;
  hidden: number;
  earliest: number;
  latest: number;
  overlaps: number;
  slots: Buffer;
  /** 1 when the names of its samples are in search-names.ts. */
  named: number;
}

/** The newest first. @throws DamagedIndex */
export const segmentsOf = (index: SqliteDatabase, span: number): Segment[] =>
  index.sql<Segment>('select * from segment where span = ? order by age desc').all(span).map(wholeEntry);

export const addSegment = (index: SqliteDatabase, segment: Segment): void => {
  index
    .sql(
      `insert into segment (id, span, age, samples, terms, bits, account, hidden, earliest, latest, overlaps, slots, named)
       values (@id, @span, @age, @samples, @terms, @bits, @account, @hidden, @earliest, @latest, @overlaps, @slots, @named)`,
    )
    .run(segment);
};

/** Behind all that were ever there, that of a merge under way included. */
export function nextSegmentId(index: SqliteDatabase): number {
  const row = index
    .sql<{ id: number | null }>(
      'select max(id) as id from (select max(id) as id from segment union all select id from merging)',
    )
    .get();
  return (row?.id ?? 0) + 1;
}

/** @throws DamagedIndex */
export function pageOfSegment(index: SqliteDatabase, { id, bits }: Pick<Segment, 'id' | 'bits'>, page: number): Page {
  const row = index.sql<BlobRow>('select * from posting_page where id = ?').get(id * PAGES + page);
  if (row === undefined) throw new DamagedIndex();
  return new Page(wholeBlob(row), page, bits);
}

export const addPage = (index: SqliteDatabase, id: number, page: number, data: Buffer): void => {
  const row = id * PAGES + page;
  index.sql('insert into posting_page (id, data, sum) values (?, ?, ?)').run(row, data, sumOfBlob(row, data));
};

export const removePages = (index: SqliteDatabase, id: number): void => {
  index.sql('delete from posting_page where id between ? and ?').run(id * PAGES, (id + 1) * PAGES - 1);
};

/** The postings of the samples of a step, a segment for each span. */
export class StagedPostings {
  readonly #spans = new Map<number, StagedSegment>();

  add({ id, name, account, release, hidden }: Omit<HeadRow, 'bytes'>, parts: readonly SamplePart[]): void {
    const span = spanOf(id);
    let staged = this.#spans.get(span);
    if (staged === undefined) {
      staged = {
        builder: new PostingBuilder(),
        names: [],
        shared: [],
        since: [],
        last: Number.NEGATIVE_INFINITY,
        held: new Uint32Array(MASK_WORDS),
        samples: 0,
        account,
        hidden: 0,
        earliest: release,
        latest: release,
      };
      this.#spans.set(span, staged);
    }
    const slot = id - span * SPAN;
    share(staged, parts, slot);
    staged.names.push(nameKey(name));
    addRun(staged.held, slot, slot);
    staged.samples++;
    staged.hidden += hidden;
    staged.earliest = Math.min(staged.earliest, release);
    staged.latest = Math.max(staged.latest, release);
    if (account !== staged.account) staged.account = null;
  }

  /** Inside a write of the index. */
  write(index: SqliteDatabase): void {
    for (const [span, { builder, names, held, shared, since, last, ...facts }] of this.#spans) {
      for (const [at, part] of shared.entries()) addTerms(builder, part.terms, since[at] as SinceSlots, last);
      const { bits, pages } = builder.pages();
      const id = nextSegmentId(index);
      for (const [page, data] of pages.entries()) addPage(index, id, page, data);
      const before = new Uint32Array(MASK_WORDS);
      const segments = segmentsOf(index, span);
      addNames(
        index,
        span,
        names,
        segments.some(({ named }) => named === 1),
      );
      for (const { slots } of segments) addSlots(before, slots);
      const overlaps = within(before, held) ? 1 : 0;
      const slots = Buffer.from(packRuns(runsOf(held)));
      addSegment(index, { id, span, age: id, terms: builder.terms, bits, overlaps, slots, named: 1, ...facts });
    }
  }
}

interface StagedSegment extends Pick<Segment, 'samples' | 'account' | 'hidden' | 'earliest' | 'latest'> {
  builder: PostingBuilder;
  /** Keys of the names. */
  names: number[];
  held: Uint32Array;
  /** What the last sample has, and from which slot on every sample has it at this place: neighbours mostly say the same. */
  shared: SamplePart[];
  since: SinceSlots[];
  /** The last sample's slot. */
  last: number;
}

/** Of the terms of a part, in their order. */
type SinceSlots = number[];

const NONE: readonly Terms[] = [];

/** Terms that the sample before has at the same place are added when the first does not have them. */
function share(staged: StagedSegment, parts: readonly SamplePart[], slot: number): void {
  const { builder, shared, since, last } = staged;
  const follows = slot === last + 1;
  for (let at = 0; at < shared.length || at < parts.length; at++) {
    const before = shared[at];
    const part = parts[at];
    if (follows && part === before) continue;
    const ended = before?.terms ?? NONE;
    const begun = part?.terms ?? NONE;
    const own = since[at] ?? [];
    since[at] = own;
    for (let place = 0; place < ended.length; place++) {
      const terms = ended[place] as Terms;
      if (follows && terms === begun[place]) continue;
      builder.addAll(terms.keys, own[place] as number, last);
      own[place] = slot;
    }
    for (let place = ended.length; place < begun.length; place++) own[place] = slot;
    if (part) shared[at] = part;
  }
  shared.length = parts.length;
  staged.last = slot;
}

function addTerms(builder: PostingBuilder, terms: readonly Terms[], since: SinceSlots, last: number): void {
  for (const [place, { keys }] of terms.entries()) builder.addAll(keys, since[place] as number, last);
}

/** Spans that have segments, the highest first. */
export function* spansOf(index: SqliteDatabase, below?: number): Generator<number> {
  const next = index.sql<{ span: number | null }>('select max(span) as span from segment where span < ?');
  for (let span = below ?? Number.MAX_SAFE_INTEGER; ; ) {
    const found = next.get(span)?.span;
    if (found === null || found === undefined) return;
    span = found;
    yield span;
  }
}
