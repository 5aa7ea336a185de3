/** Whole results in SQLite: each with connections of its own, whose snapshot ends with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IdSet } from '../../registry/id-set.js';
import {
  BLOCK_BYTES,
  BLOCK_SAMPLES,
  type FirstOfMoment,
  type IdRange,
  needsIndex,
  onceIndexed,
  type ResultQuery,
  type ResultRow,
  type ResultShapes,
  type WholeResult,
  type WholeResultStore,
} from '../../registry/whole-result.js';
import { EVERYTHING, ResultSelection, shapesOf, spanOf } from '../whole-result-rules.js';
import { sqliteAnnotations } from './annotations.js';
import type { SqliteDatabase } from './database.js';
import { Names } from './names.js';
import { ResultRows } from './result-rows.js';
import { begin, type OpenAgain } from './result-snapshot.js';
import { wantedBy } from './search-store.js';

/** How long others' writes are waited for before a moment is given up that several are to see, and between looks. */
const MOMENT_MS = 500;
const MOMENT_LOOK_MS = 2;

export const sqliteWholeResults = (open: OpenAgain, prefix: string): WholeResultStore => ({
  wholeResult: async (query, work, moment) => {
    const { store, ids } = await onceIndexed(async () => begin(open, prefix, query));
    try {
      if (moment && 'join' in moment) moment.joined();
      const result = new SqliteResult(store, new Names(store, prefix), query, ids);
      if (moment && 'share' in moment && !needsIndex(query) && (await moment.isShared(result.count))) {
        await shareMoment(open, store, result, moment);
      }
      return await work(result);
    } finally {
      store.close();
    }
  },
  idSpan: async () => {
    const store = open.store();
    try {
      const span = store.sql<{ least: number | null; greatest: number | null }>(
        'select (select min(id) from sample) as least, (select max(id) from sample) as greatest',
      );
      const found = span.get();
      return spanOf(found?.least, found?.greatest);
    } finally {
      store.close();
    }
  },
});

/**
 * SQLite has no name for a moment. While another connection keeps others from writing, every snapshot that begins is
 * the same, so the first one begins its own once more. The moment is not shared where writes do not pause.
 */
async function shareMoment(
  open: OpenAgain,
  store: SqliteDatabase,
  result: SqliteResult,
  moment: FirstOfMoment,
): Promise<void> {
  const writer = open.store();
  try {
    const until = performance.now() + MOMENT_MS;
    while (!writer.holdWrites()) {
      if (performance.now() > until) return;
      await sleep(MOMENT_LOOK_MS);
    }
    if (store.holdAnew()) result.count = result.counted();
    await moment.share('');
  } finally {
    writer.close();
  }
}

class SqliteResult implements WholeResult {
  count: number;
  readonly #selection: ResultSelection;
  #layouts: number[] = [];
  /** Whether any block may be larger than one may be; known where every sample was looked at. */
  #mayBeLarge = true;
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
    this.count = ids?.size ?? this.counted();
  }

  /** Every sample is looked at once, and which layouts there are is learned by the way. */
  counted(): number {
    const { conditions, values } = this.#selection;
    // Not grouped: that would sort all samples.
    const found = this.store
      .sql<{ n: number; longest: number | null; layouts: string }>(
        `select count(*) as n, max(octet_length(doc)) as longest, json_group_array(distinct layout) as layouts
         from sample where ${conditions}`,
      )
      .get(...values);
    if (found === undefined) return 0;
    this.#layouts = (JSON.parse(found.layouts) as (number | null)[]).flatMap((layout) => layout ?? []);
    this.#mayBeLarge = (found.longest ?? 0) * BLOCK_SAMPLES > BLOCK_BYTES;
    return found.n;
  }

  shapes(): AsyncIterable<ResultShapes> {
    return shapesOf(this.#layouts, this.#unknownShapes(), (numbers) =>
      numbers.map((number) => this.names.layout(number)),
    );
  }

  async *#unknownShapes() {
    const columns = "id, layout, case when layout is null then doc else '' end as doc";
    yield* this.#blocks<{ id: number; layout: number | null; doc: string }>(this.#selection.further, (from) => {
      const rows = this.store.prepare(`select ${columns} ${from}`);
      return (values) => rows.all(...values) as { id: number; layout: number | null; doc: string }[];
    });
  }

  async *rows(among?: IdRange): AsyncGenerator<ResultRow[]> {
    const reading = new ResultRows(this.names);
    const blocks = this.#blocks(
      'true',
      (from) => {
        const texts = this.store
          .prepare(`select cast(group_concat(text, '') as blob) from (select ${reading.text} as text ${from})`)
          .pluck();
        return (values) => reading.read((texts.get(...reading.given(), ...values) as Buffer | null) ?? Buffer.alloc(0));
      },
      among,
    );
    for await (const rows of blocks) yield this.query.annotations ? this.#annotated(rows) : rows;
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

  /** `prepare` is given what the rows are read from, and reads them with the values of its places. */
  async *#blocks<Row extends { id: number }>(
    further: string,
    prepare: (from: string) => (values: readonly unknown[]) => Row[],
    { after, upTo }: IdRange = EVERYTHING,
  ): AsyncGenerator<Row[]> {
    const { ids: all, conditions, values: wanted } = this.#selection;
    const among = all && ' and id in (select value from json_each(?))';
    const from = `from sample where id > ? and id <= ? and ${conditions} and ${further}${among ?? ''} order by id limit ?`;
    const fitting = this.store
      .prepare(
        `select count(*) from (select sum(octet_length(doc)) over (order by id) as bytes from (select id, doc ${from}))
         where bytes <= ${BLOCK_BYTES}`,
      )
      .pluck();
    const read = prepare(from);
    for (const ids of this.#selection.blocks({ after, upTo })) {
      const asked = ids === undefined ? [] : [JSON.stringify(ids)];
      for (let last = after; last !== (ids?.at(-1) ?? upTo); ) {
        this.#selection.inTime();
        const values = [last, upTo, ...wanted, ...asked];
        // One that is larger is a block of its own.
        const fit = this.#mayBeLarge ? Math.max(1, fitting.get(...values, BLOCK_SAMPLES) as number) : BLOCK_SAMPLES;
        const block = read([...values, fit]);
        if (block.length === 0) break;
        yield block;
        last = (block.at(-1) as Row).id;
      }
    }
  }
}
