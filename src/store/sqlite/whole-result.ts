/** Whole results in SQLite: each with connections of its own, whose snapshot ends with it. */

import type { IdSet } from '../../registry/id-set.js';
import type { Wanted } from '../../registry/pending-samples.js';
import { tookTooLong } from '../../registry/search-store.js';
import {
  BLOCK_BYTES,
  BLOCK_SAMPLES,
  IndexBehind,
  onceIndexed,
  RESULT_MS,
  type ResultQuery,
  type ResultRow,
  type ResultShapes,
  type WholeResult,
  type WholeResultStore,
} from '../../registry/whole-result.js';
import { measured } from '../columns/matching.js';
import { readNow } from '../columns/reading.js';
import {
  countOf,
  idsBesideIndex,
  type LayoutCount,
  layoutsIn,
  needsIndex,
  ResultSelection,
  shapesOf,
} from '../whole-result-rules.js';
import { sqliteAnnotations } from './annotations.js';
import type { SqliteDatabase } from './database.js';
import { Names } from './names.js';
import { ResultRows } from './result-rows.js';
import { columnAnswers, columnsLeft } from './search-columns.js';
import { eachEntry } from './search-entries.js';
import { progressIn, wholeStore } from './search-journal.js';
import { PendingReader } from './search-pending.js';
import { sqliteSearchRecords } from './search-record.js';
import { wantedBy } from './search-store.js';

/** Opens the store's file, and that of its index, once more. */
export interface OpenAgain {
  store(): SqliteDatabase;
  index(): SqliteDatabase;
}

export const sqliteWholeResults = (open: OpenAgain, prefix: string): WholeResultStore => ({
  wholeResult: async (query, work) => {
    const { store, ids } = await onceIndexed(async () => begin(open, prefix, query));
    try {
      return await work(new SqliteResult(store, new Names(store, prefix), query, ids));
    } finally {
      store.close();
    }
  },
});

/** The store in one snapshot, and the numbers of the samples that the index finds in the same one where it is needed. */
function begin(open: OpenAgain, prefix: string, query: ResultQuery): { store: SqliteDatabase; ids?: IdSet } {
  const store = open.store();
  try {
    store.hold();
    // A snapshot begins with the first statement that reads.
    const { seq } = wholeStore(store);
    if (!needsIndex(query)) return { store };
    const names = new Names(store, prefix);
    const index = open.index();
    try {
      return {
        store,
        ids: indexed(store, index, { seq, names, prefix, wanted: wantedBy(names, { ...query, size: 0 }) }),
      };
    } finally {
      index.close();
    }
  } catch (error) {
    store.close();
    throw error;
  }
}

function indexed(
  store: SqliteDatabase,
  index: SqliteDatabase,
  { seq, names, prefix, wanted }: { seq: number; names: Names; prefix: string; wanted: Wanted },
): IdSet {
  return index.readInTime(RESULT_MS, tookTooLong, () => {
    const place = progressIn(index);
    // An index that is not begun knows nothing; one that is ahead has taken in what came after the store's snapshot.
    if (place === undefined || [place.seq, ...place.taken.keys()].some((taken) => taken > seq))
      throw new IndexBehind(1);
    const records = sqliteSearchRecords(store, names);
    const pending = new PendingReader(store, records, prefix);
    const { entries, missing } = pending.read(pending.journal(place.seq), place);
    const { ranges } = wanted.query;
    const unseen = missing + (ranges ? columnsLeft(index, place) : 0);
    const among = readNow(measured(ranges), columnAnswers({ store, index, records, prefix, place }));
    const { asked, ids } = idsBesideIndex({ entries, missing: unseen }, wanted, among);
    eachEntry(index, asked, (id) => ids.add(id));
    return ids;
  });
}

class SqliteResult implements WholeResult {
  readonly count: number;
  readonly #selection: ResultSelection;
  #layouts: number[] = [];
  readonly #annotations: ReturnType<typeof sqliteAnnotations>;

  constructor(
    private readonly store: SqliteDatabase,
    private readonly names: Names,
    private readonly query: ResultQuery,
    ids: IdSet | undefined,
  ) {
    this.#annotations = sqliteAnnotations(store, names);
    this.#selection = new ResultSelection(wantedBy(names, { ...query, size: 0 }), ids, (values) => {
      const place = (value: unknown): string => (values.push(value) > 0 ? '?' : '');
      return { place, list: (numbers) => `(select value from json_each(${place(JSON.stringify(numbers))}))` };
    });
    this.count = ids?.size ?? this.#counted();
  }

  /** Every sample is looked at once, and which layouts there are is learned by the way. */
  #counted(): number {
    const { conditions, values } = this.#selection;
    const counts = this.store
      .sql<LayoutCount>(`select layout, count(*) as n from sample where ${conditions} group by layout`)
      .all(...values);
    this.#layouts = layoutsIn(counts);
    return countOf(counts);
  }

  shapes(): AsyncIterable<ResultShapes> {
    return shapesOf(this.#layouts, this.#unknownShapes(), (numbers) =>
      numbers.map((number) => this.names.layout(number)),
    );
  }

  async *#unknownShapes() {
    const columns = "id, layout, case when layout is null then doc else '' end";
    for await (const rows of this.#blocks(columns, this.#selection.further)) {
      yield rows.map(([, layout, doc]) => ({ layout: layout as number | null, doc: doc as string }));
    }
  }

  async *rows(): AsyncGenerator<ResultRow[]> {
    const reading = new ResultRows(this.names);
    for await (const rows of this.#blocks(reading.columns, 'true', () => reading.given())) {
      const read = rows.map((values) => reading.read(values as Parameters<typeof reading.read>[0]));
      yield this.query.annotations ? this.#annotated(read) : read;
    }
  }

  #annotated(rows: ResultRow[]): ResultRow[] {
    const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0];
    // Most samples have nothing attached, and neither have their neighbours.
    const any = this.store.sql<{ found: number }>(
      `select exists(select 1 from curation_link where sample between ?1 and ?2)
         or exists(select 1 from structured_data where sample between ?1 and ?2) as found`,
    );
    if (any.get({ 1: first, 2: last })?.found !== 1) return rows;
    const found = this.store.sql<{ sample: number }>(
      `select sample from curation_link where sample in (select value from json_each(?1))
       union select sample from structured_data where sample in (select value from json_each(?1))`,
    );
    const annotated = new Set(found.all({ 1: JSON.stringify(rows.map(({ id }) => id)) }).map(({ sample }) => sample));
    for (const row of rows) if (annotated.has(row.id)) Object.assign(row, this.#annotations.read(row.id));
    return rows;
  }

  /** Rows as lists of values, the number of the sample first: a list is read in half the time of an object. */
  async *#blocks(
    columns: string,
    further: string,
    given: () => readonly unknown[] = () => [],
  ): AsyncGenerator<unknown[][]> {
    const { ids: all, conditions, values: wanted } = this.#selection;
    const among = all && ' and id in (select value from json_each(?))';
    const from = `from sample where id > ? and ${conditions} and ${further}${among ?? ''} order by id`;
    const size = this.store.prepare(
      `select coalesce(sum(bytes), 0) from (select octet_length(doc) as bytes ${from} limit ${BLOCK_SAMPLES})`,
    );
    const rows = this.store.prepare(`select ${columns} ${from} limit ${BLOCK_SAMPLES}`).raw();
    for (const ids of this.#selection.blocks()) {
      const asked = ids === undefined ? [] : [JSON.stringify(ids)];
      for (let last = 0; last !== ids?.at(-1); ) {
        this.#selection.inTime();
        const values = [last, ...wanted, ...asked];
        const bytes = size.pluck().get(...values) as number;
        const block = (
          bytes > BLOCK_BYTES ? someOf(rows.iterate(...given(), ...values)) : rows.all(...given(), ...values)
        ) as unknown[][];
        if (block.length === 0) break;
        yield block;
        last = (block.at(-1) as unknown[])[0] as number;
      }
    }
  }
}

/** Of rows that are large together, the first that are not. Their content is their longest value. */
function someOf(source: Iterable<unknown>): unknown[] {
  const some: unknown[] = [];
  let bytes = 0;
  for (const row of source) {
    some.push(row);
    bytes += (row as unknown[]).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (bytes > BLOCK_BYTES) break;
  }
  return some;
}
