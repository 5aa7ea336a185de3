/** Whole results in SQLite: each with connections of its own, whose snapshot ends with it. */
import { setTimeout as sleep } from 'node:timers/promises';
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
} from '../../../registry/samples/whole-result.js';
import type { IdSet } from '../../../registry/search/id-set.js';
import { ResultSelection, shapesOf, spanOf } from '../../whole-result-rules.js';
import type { SqliteDatabase } from '../database.js';
import { sqliteAnnotations } from '../samples/annotations.js';
import { takenSpan } from '../samples/current-samples.js';
import { Names } from '../samples/names.js';
import { wantedBy } from '../search/search-store.js';
import { ResultBlocks, spellPlaces } from './result-blocks.js';
import { ResultRows } from './result-rows.js';
import { begin, type OpenAgain } from './result-snapshot.js';
import { ResultSteps } from './result-steps.js';

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
      const { least, greatest } = takenSpan(store);
      return spanOf(least, greatest);
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
  readonly #inBlocks: ResultBlocks;
  readonly #annotations: ReturnType<typeof sqliteAnnotations>;

  constructor(
    private readonly store: SqliteDatabase,
    private readonly names: Names,
    private readonly query: ResultQuery,
    ids: IdSet | undefined,
  ) {
    this.#annotations = sqliteAnnotations(store, names);
    this.#selection = new ResultSelection(wantedBy(names, { ...query, size: 0 }), ids, spellPlaces);
    this.#inBlocks = new ResultBlocks(store, names, query);
    this.count = ids?.size ?? this.counted();
  }

  /** Every row and every block is looked at once, and which layouts there are is learned by the way. */
  counted(): number {
    const { conditions, values } = this.#selection;
    // Not grouped: that would sort all samples.
    const found = this.store
      .sql<{ n: number; longest: number | null; layouts: string }>(
        `select count(*) as n, max(octet_length(doc)) as longest, json_group_array(distinct layout) as layouts
         from sample where ${conditions}`,
      )
      .get(...values);
    const blocks = this.#inBlocks.counted();
    const layouts = JSON.parse(found?.layouts ?? '[]') as (number | null)[];
    this.#layouts = [...new Set([...layouts.flatMap((layout) => layout ?? []), ...blocks.layouts])];
    this.#mayBeLarge = Math.max(found?.longest ?? 0, blocks.longest) * BLOCK_SAMPLES > BLOCK_BYTES;
    return (found?.n ?? 0) + blocks.n;
  }

  shapes(): AsyncIterable<ResultShapes> {
    return shapesOf(this.#layouts, this.#unknownShapes(), (numbers) =>
      numbers.map((number) => this.names.layout(number)),
    );
  }

  #steps(): ResultSteps {
    return new ResultSteps(this.store, this.#selection, this.#inBlocks, this.#mayBeLarge);
  }

  async *#unknownShapes() {
    const { further } = this.#selection;
    const columns = "id, layout, case when layout is null then doc else '' end as doc";
    yield* this.#steps().read<{ id: number; layout: number | null; doc: string }>(
      further,
      (from) => {
        const rows = this.store.prepare(`select ${columns} ${from}`);
        return (values) => rows.all(...values) as { id: number; layout: number | null; doc: string }[];
      },
      (cell, accept) => this.#inBlocks.shapes(cell, further, accept),
    );
  }

  async *rows(among?: IdRange): AsyncGenerator<ResultRow[]> {
    const reading = new ResultRows(this.names);
    const blocks = this.#steps().read(
      'true',
      (from) => {
        const texts = this.store
          .prepare(`select cast(group_concat(text, '') as blob) from (select ${reading.text} as text ${from})`)
          .pluck();
        return (values) => reading.read((texts.get(...reading.given(), ...values) as Buffer | null) ?? Buffer.alloc(0));
      },
      (cell, accept) => this.#inBlocks.rows(cell, accept),
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
}
