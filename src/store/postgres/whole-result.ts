/** Whole results in PostgreSQL: one transaction that reads, in which the index and the samples are of one moment. */

import { RegistryError } from '../../registry/errors.js';
import type { IdSet } from '../../registry/id-set.js';
import type { SampleLayout } from '../../registry/packed-sample.js';
import type { Wanted } from '../../registry/pending-samples.js';
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
import { measured } from '../columns/matching.js';
import { readLater } from '../columns/reading.js';
import { EVERYTHING, idsBesideIndex, ResultSelection, shapesOf, spanOf } from '../whole-result-rules.js';
import { readLinks, readTables } from './annotations.js';
import type { PostgresDatabase, Session } from './database.js';
import type { Names } from './names.js';
import { type JoinedSample, readResultRow, samplesFrom } from './sample-rows.js';
import { columnAnswers, columnsLeft } from './search-columns.js';
import { eachEntry } from './search-entries.js';
import { readPending } from './search-pending.js';
import { wantedBy } from './search-store.js';
import { numberArray } from './text.js';

export const postgresWholeResults = (database: PostgresDatabase, names: Names, prefix: string): WholeResultStore => ({
  wholeResult: async (query, work, moment) => {
    const wanted = await wantedBy(names, { ...query, size: 0 });
    let began = false;
    return onceIndexed(() =>
      database.read(async (session) => {
        // A transaction whose connection was lost would be repeated, and what was read already is with others.
        if (began) throw new RegistryError('service.unavailable', 'The database went away while a result was read.');
        if (moment && 'join' in moment) await join(session, moment);
        const ids = needsIndex(query) ? await indexed(session, { names, prefix }, wanted) : undefined;
        began = true;
        const result = new PostgresResult(session, names, query, wanted, ids);
        await result.begin();
        if (moment && 'share' in moment && !needsIndex(query)) await share(session, result.count, moment);
        return work(result);
      }),
    );
  },
  idSpan: async () => {
    const span = await database.one<{ least: number | null; greatest: number | null }>(
      'select (select min(id) from sample) as least, (select max(id) from sample) as greatest',
    );
    return spanOf(span?.least, span?.greatest);
  },
});

/** The moment is the transaction's snapshot, which PostgreSQL names for others as long as the transaction goes on. */
async function share(session: Session, count: number, moment: FirstOfMoment): Promise<void> {
  if (!(await moment.isShared(count))) return;
  const [exported] = await session.rows<{ name: string }>('select pg_export_snapshot() as name');
  await moment.share(exported?.name as string);
}

async function join(session: Session, { join: name, joined }: { join: string; joined(): void }): Promise<void> {
  if (!/^[0-9A-F-]+$/.test(name)) throw new Error(`"${name}" names no snapshot`);
  await session.run(`set transaction snapshot '${name}'`);
  joined();
}

async function indexed(session: Session, known: { names: Names; prefix: string }, wanted: Wanted): Promise<IdSet> {
  const { entries, missing } = await readPending(session, known, wanted, undefined);
  const unseen = missing + (wanted.query.ranges ? await columnsLeft(session) : 0);
  const among = await readLater(measured(wanted.query.ranges), columnAnswers(session, known));
  const found = idsBesideIndex({ entries, missing: unseen }, wanted, among);
  await eachEntry(session, found.asked, (some) => {
    for (const id of some) found.ids.add(id);
  });
  return found.ids;
}

class PostgresResult implements WholeResult {
  count = 0;
  readonly #layouts: number[] = [];
  readonly #selected: ResultSelection;

  constructor(
    private readonly session: Session,
    private readonly names: Names,
    private readonly query: ResultQuery,
    wanted: Wanted,
    ids: IdSet | undefined,
  ) {
    this.#selected = new ResultSelection(wanted, ids, (places) => ({
      place: (given) => `$${places.push(given)}`,
      list: (given) => `(select unnest($${places.push(numberArray(given))}::bigint[]))`,
    }));
  }

  /** Every sample is looked at once, and which layouts there are is learned by the way. */
  async begin(): Promise<void> {
    const { ids, conditions: where, values } = this.#selected;
    if (ids !== undefined) {
      this.count = ids.size;
      return;
    }
    const rows = await this.session.rows<{ layout: number | null; n: number }>(
      `select layout, count(*) as n from sample where ${where} group by layout`,
      values,
    );
    this.#layouts.push(...rows.flatMap(({ layout }) => layout ?? []));
    this.count = rows.reduce((sum, { n }) => sum + n, 0);
  }

  shapes(): AsyncIterable<ResultShapes> {
    return shapesOf(this.#layouts, this.#others(), (numbers) => this.#layoutsOf(numbers));
  }

  async *#others() {
    for await (const ids of this.#blocks(this.#selected.further)) {
      yield await this.session.rows<{ layout: number | null; doc: string }>(
        `select layout, case when layout is null then doc else '' end as doc from sample where id = any($1::bigint[]) order by id`,
        [numberArray(ids)],
      );
    }
  }

  async *rows(among?: IdRange): AsyncGenerator<ResultRow[]> {
    for await (const ids of this.#blocks('true', among)) {
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
  async *#blocks(further: string, { after, upTo }: IdRange = EVERYTHING): AsyncGenerator<number[]> {
    const { ids: listed, conditions: where, values: wanted, inTime } = this.#selected;
    const [last, end, asked] = [wanted.length + 1, wanted.length + 2, wanted.length + 3];
    const among = listed === undefined ? '' : `and id = any($${asked}::bigint[])`;
    const text = `select id from (
        select id, row_number() over (order by id) as at, sum(octet_length(doc)) over (order by id) as bytes from (
          select id, doc from sample where id > $${last} and id <= $${end} and ${where} and ${further} ${among}
          order by id limit ${BLOCK_SAMPLES}) block) counted
      where at = 1 or bytes <= ${BLOCK_BYTES} order by id`;
    for (const ids of this.#selected.blocks({ after, upTo })) {
      for (let from = after; ; ) {
        inTime();
        const values = [...wanted, from, upTo, ...(ids === undefined ? [] : [numberArray(ids)])];
        const rows = await this.session.rows<{ id: number }>(text, values);
        if (rows.length === 0) break;
        yield rows.map(({ id }) => id);
        from = rows.at(-1)?.id as number;
        if (from === (ids?.at(-1) ?? upTo)) break;
      }
    }
  }
}
