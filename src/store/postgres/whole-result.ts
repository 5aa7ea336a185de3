/** Whole results in PostgreSQL: one transaction that reads, in which the index and the samples are of one moment. */

import { RegistryError } from '../../registry/errors.js';
import { IdSet } from '../../registry/id-set.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
import type { Wanted } from '../../registry/pending-samples.js';
import {
  BLOCK_BYTES,
  BLOCK_SAMPLES,
  IndexBehind,
  onceIndexed,
  type ResultQuery,
  type ResultRow,
  type ResultShapes,
  type WholeResult,
  type WholeResultStore,
  withinTime,
} from '../../registry/whole-result.js';
import { resultConditions } from '../result-conditions.js';
import { askedBeside } from '../search-page.js';
import { readLinks, readTables } from './annotations.js';
import type { PostgresDatabase, Session } from './database.js';
import type { Names } from './names.js';
import { type JoinedSample, readResultRow, samplesFrom } from './sample-rows.js';
import { eachEntry } from './search-entries.js';
import { readPending } from './search-pending.js';
import { wantedBy } from './search-store.js';
import { numberArray } from './text.js';

export const postgresWholeResults = (database: PostgresDatabase, names: Names, prefix: string): WholeResultStore => ({
  wholeResult: async (query, work) => {
    const wanted = await wantedBy(names, { ...query, size: 0 });
    let began = false;
    return onceIndexed(() =>
      database.read(async (session) => {
        // A transaction whose connection was lost would be repeated, and what was read already is with others.
        if (began) throw new RegistryError('service.unavailable', 'The database went away while a result was read.');
        const ids = query.terms.length === 0 ? undefined : await indexed(session, { names, prefix }, wanted);
        began = true;
        const result = new PostgresResult(session, names, query, wanted, ids);
        await result.begin();
        return work(result);
      }),
    );
  },
});

async function indexed(session: Session, known: { names: Names; prefix: string }, wanted: Wanted): Promise<IdSet> {
  const { entries, missing } = await readPending(session, known, wanted, undefined);
  if (missing > 0) throw new IndexBehind(missing);
  const { asked, fresh } = askedBeside(entries, wanted, undefined);
  const ids = new IdSet();
  await eachEntry(session, asked, (some) => {
    for (const id of some) ids.add(id);
  });
  for (const id of fresh) ids.add(id);
  return ids;
}

class PostgresResult implements WholeResult {
  count = 0;
  #layouts: number[] = [];
  readonly #conditions: string;
  readonly #values: unknown[] = [];
  readonly #inTime = withinTime();

  constructor(
    private readonly session: Session,
    private readonly names: Names,
    private readonly query: ResultQuery,
    wanted: Wanted,
    private readonly ids: IdSet | undefined,
  ) {
    this.#conditions = resultConditions(wanted, {
      place: (given) => `$${this.#values.push(given)}`,
      list: (numbers) => `(select unnest($${this.#values.push(numberArray(numbers))}::bigint[]))`,
    });
  }

  /** Every sample is looked at once, and which layouts there are is learned by the way. */
  async begin(): Promise<void> {
    if (this.ids !== undefined) {
      this.count = this.ids.size;
      return;
    }
    const rows = await this.session.rows<{ layout: number | null; n: number }>(
      `select layout, count(*) as n from sample where ${this.#conditions} group by layout`,
      this.#values,
    );
    this.#layouts = rows.flatMap(({ layout }) => layout ?? []);
    this.count = rows.reduce((sum, { n }) => sum + n, 0);
  }

  async *shapes(): AsyncGenerator<ResultShapes> {
    yield { layouts: await this.#layoutsOf(this.#layouts), documents: [] };
    const known = new Set<number>();
    for await (const ids of this.#blocks(this.ids === undefined ? 'layout is null' : 'true')) {
      const rows = await this.session.rows<{ layout: number | null; doc: string }>(
        `select layout, case when layout is null then doc else '' end as doc from sample where id = any($1::bigint[]) order by id`,
        [numberArray(ids)],
      );
      const layouts = rows.flatMap(({ layout }) => layout ?? []).filter((layout) => !known.has(layout));
      for (const layout of layouts) known.add(layout);
      const documents = rows.filter(({ layout }) => layout === null).map(({ doc }) => doc);
      yield { layouts: await this.#layoutsOf([...new Set(layouts)]), documents };
    }
  }

  async *rows(): AsyncGenerator<ResultRow[]> {
    for await (const ids of this.#blocks('true')) {
      const asked = numberArray(ids);
      const rows = await this.session.rows<JoinedSample>(
        `${samplesFrom('sample')} where x.id = any($1::bigint[]) order by x.id`,
        [asked],
      );
      const layouts = await this.names.layoutsOf(
        this.session,
        rows.map(({ layout }) => layout),
      );
      const read = rows.map((row) => readResultRow(row, layouts, this.names));
      if (this.query.annotations) await this.#annotate(read, asked);
      yield read;
    }
  }

  async #annotate(rows: ResultRow[], asked: string): Promise<void> {
    const links = await readLinks(this.session, asked);
    const tables = await readTables(this.session, asked);
    for (const row of rows) {
      const [curationLinks, structuredData] = [links.get(row.id), tables.get(row.id)];
      if (curationLinks || structuredData) {
        Object.assign(row, { curationLinks: curationLinks ?? [], structuredData: structuredData ?? [] });
      }
    }
  }

  async #layoutsOf(numbers: readonly number[]): Promise<SampleLayout[]> {
    const found = await this.names.layoutsOf(this.session, numbers);
    return numbers.map((number) => found.get(number) as SampleLayout);
  }

  /** Numbers of the samples of a block: lengths are known without reading what is long. */
  async *#blocks(further: string): AsyncGenerator<number[]> {
    const [last, asked] = [this.#values.length + 1, this.#values.length + 2];
    const among = this.ids === undefined ? '' : `and id = any($${asked}::bigint[])`;
    const text = `select id from (
        select id, row_number() over (order by id) as at, sum(octet_length(doc)) over (order by id) as bytes from (
          select id, doc from sample where id > $${last} and ${this.#conditions} and ${further} ${among}
          order by id limit ${BLOCK_SAMPLES}) block) counted
      where at = 1 or bytes <= ${BLOCK_BYTES} order by id`;
    for (const ids of this.ids?.runs(BLOCK_SAMPLES) ?? [undefined]) {
      for (let from = 0; ; ) {
        this.#inTime();
        const values = [...this.#values, from, ...(ids === undefined ? [] : [numberArray(ids)])];
        const rows = await this.session.rows<{ id: number }>(text, values);
        if (rows.length === 0) break;
        yield rows.map(({ id }) => id);
        from = rows.at(-1)?.id as number;
        if (from === ids?.at(-1)) break;
      }
    }
  }
}
