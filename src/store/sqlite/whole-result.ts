/** Whole results in SQLite: each with connections of its own, whose snapshot ends with it. */

import { IdSet } from '../../registry/id-set.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
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
  withinTime,
} from '../../registry/whole-result.js';
import { resultConditions } from '../result-conditions.js';
import { rowOfValues, SAMPLE_COLUMNS } from '../sample-row.js';
import { askedBeside } from '../search-page.js';
import { sqliteAnnotations } from './annotations.js';
import type { SqliteDatabase } from './database.js';
import { Names } from './names.js';
import { readResultRow } from './sample-rows.js';
import { eachEntry } from './search-entries.js';
import { type Place, wholeStore } from './search-journal.js';
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
    if (query.terms.length === 0) return { store };
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
  const ids = new IdSet();
  index.readInTime(RESULT_MS, tookTooLong, () => {
    const place = index.sql<Place>('select * from progress').get();
    // An index that is not begun knows nothing; one that is ahead has taken in what came after the store's snapshot.
    if (place === undefined || place.seq > seq) throw new IndexBehind(1);
    const pending = new PendingReader(store, sqliteSearchRecords(store, names), prefix);
    const { entries, missing } = pending.read(pending.journal(place.seq), place);
    if (missing > 0) throw new IndexBehind(missing);
    const { asked, fresh } = askedBeside(entries, wanted, undefined);
    eachEntry(index, asked, (id) => ids.add(id));
    for (const id of fresh) ids.add(id);
  });
  return ids;
}

class SqliteResult implements WholeResult {
  readonly count: number;
  readonly #layouts: number[] = [];
  readonly #conditions: string;
  readonly #values: unknown[] = [];
  readonly #annotations: ReturnType<typeof sqliteAnnotations>;
  readonly #inTime = withinTime();

  constructor(
    private readonly store: SqliteDatabase,
    private readonly names: Names,
    private readonly query: ResultQuery,
    private readonly ids: IdSet | undefined,
  ) {
    this.#annotations = sqliteAnnotations(store, names);
    const value = (given: unknown): string => {
      this.#values.push(given);
      return '?';
    };
    this.#conditions = resultConditions(wantedBy(names, { ...query, size: 0 }), {
      place: value,
      list: (numbers) => `(select value from json_each(${value(JSON.stringify(numbers))}))`,
    });
    this.count = ids === undefined ? this.#counted() : ids.size;
  }

  /** Every sample is looked at once, and which layouts there are is learned by the way. */
  #counted(): number {
    const rows = this.store
      .sql<{ layout: number | null; n: number }>(
        `select layout, count(*) as n from sample where ${this.#conditions} group by layout`,
      )
      .all(...this.#values);
    for (const { layout } of rows) if (layout !== null) this.#layouts.push(layout);
    return rows.reduce((sum, { n }) => sum + n, 0);
  }

  async *shapes(): AsyncGenerator<ResultShapes> {
    const layoutsOf = (numbers: readonly number[]): SampleLayout[] =>
      numbers.map((number) => this.names.layout(number));
    yield { layouts: layoutsOf(this.#layouts), documents: [] };
    const known = new Set<number>();
    const columns = "id, layout, case when layout is null then doc else '' end";
    for await (const rows of this.#blocks(columns, this.ids === undefined ? 'layout is null' : 'true')) {
      const layouts = new Set(rows.flatMap(([, layout]) => (layout as number | null) ?? []));
      for (const layout of layouts) if (known.has(layout)) layouts.delete(layout);
      for (const layout of layouts) known.add(layout);
      const documents = rows.filter(([, layout]) => layout === null).map(([, , doc]) => doc as string);
      yield { layouts: layoutsOf([...layouts]), documents };
    }
  }

  async *rows(): AsyncGenerator<ResultRow[]> {
    for await (const rows of this.#blocks(SAMPLE_COLUMNS, 'true')) {
      const read = rows.map((values) => readResultRow(rowOfValues(values), this.names));
      if (this.query.annotations) this.#annotate(read);
      yield read;
    }
  }

  #annotate(rows: ResultRow[]): void {
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const found = this.store.sql<{ sample: number }>(
      `select sample from curation_link where sample in (select value from json_each(?1))
       union select sample from structured_data where sample in (select value from json_each(?1))`,
    );
    const annotated = new Set(found.all({ 1: ids }).map(({ sample }) => sample));
    for (const row of rows) if (annotated.has(row.id)) Object.assign(row, this.#annotations.read(row.id));
  }

  /** Rows as lists of values, the number of the sample first: a list is read in half the time of an object. */
  async *#blocks(columns: string, further: string): AsyncGenerator<unknown[][]> {
    const among = this.ids === undefined ? '' : ' and id in (select value from json_each(?))';
    const from = `from sample where id > ? and ${this.#conditions} and ${further}${among} order by id`;
    const size = this.store.prepare(
      `select coalesce(sum(bytes), 0) from (select octet_length(doc) as bytes ${from} limit ${BLOCK_SAMPLES})`,
    );
    const rows = this.store.prepare(`select ${columns} ${from} limit ${BLOCK_SAMPLES}`).raw();
    for (const ids of this.ids?.runs(BLOCK_SAMPLES) ?? [undefined]) {
      const asked = ids === undefined ? [] : [JSON.stringify(ids)];
      for (let last = 0; last !== ids?.at(-1); ) {
        this.#inTime();
        const values = [last, ...this.#values, ...asked];
        const bytes = size.pluck().get(...values) as number;
        const block = (bytes > BLOCK_BYTES ? someOf(rows.iterate(...values)) : rows.all(...values)) as unknown[][];
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
