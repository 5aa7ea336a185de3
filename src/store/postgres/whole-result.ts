/** Whole results in PostgreSQL: one transaction that reads, in which the index and the samples are of one moment. */

import { RegistryError } from '../../registry/errors.js';
import type { SampleLayout } from '../../registry/samples/packed-sample.js';
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
} from '../../registry/samples/whole-result.js';
import { IdSet } from '../../registry/search/id-set.js';
import type { Wanted } from '../../registry/search/pending-samples.js';
import { measured } from '../columns/matching.js';
import { readLater } from '../columns/reading.js';
import { EVERYTHING, idsBesideIndex, ResultSelection, shapesOf, spanOf } from '../whole-result-rules.js';
import type { PostgresDatabase, Session } from './database.js';
import { readLinks, readTables } from './samples/annotations.js';
import type { Names } from './samples/names.js';
import { windowsOf, within } from './samples/number-windows.js';
import { GREATEST_NUMBER, LEAST_NUMBER, samplesOf } from './samples/present-samples.js';
import { type JoinedSample, readResultRow, samplesFrom } from './samples/sample-rows.js';
import { columnAnswers, columnsLeft } from './search/search-columns.js';
import { eachEntry } from './search/search-entries.js';
import { readPending } from './search/search-pending.js';
import { wantedBy } from './search/search-store.js';
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
      `select ${LEAST_NUMBER} as least, ${GREATEST_NUMBER} as greatest`,
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
      this.query.ids
        ? `select layout, count(*) as n from ${samplesOf(`$${values.length + 1}`)} x where ${where} group by layout`
        : countedByLayout(where),
      this.query.ids ? [...values, numberArray(this.query.ids)] : values,
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
        `select layout, case when layout is null then doc else '' end as doc from ${samplesOf('$1')} x order by id`,
        [numberArray(ids)],
      );
    }
  }

  async *rows(among?: IdRange): AsyncGenerator<ResultRow[]> {
    for await (const ids of this.#blocks('true', among)) {
      const asked = numberArray(ids);
      const rows = await this.session.rows<JoinedSample>(`${samplesFrom(samplesOf('$1'))} order by x.id`, [asked]);
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
    const tables = await readTables(
      this.session,
      rows.map(({ id }) => id),
    );
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
  async *#blocks(further: string, among: IdRange = EVERYTHING): AsyncGenerator<number[]> {
    const { inTime, ids = this.query.ids && setOf(this.query.ids) } = this.#selected;
    const where = `${this.#selected.conditions} and ${further} order by id`;
    inTime();
    for await (const sized of ids ? this.#listed(where, ids, among) : this.#inRange(where, among)) {
      for (const block of blocksOf(sized)) {
        yield block;
        inTime();
      }
    }
  }

  async *#inRange(where: string, among: IdRange): AsyncGenerator<Sized[]> {
    const { values } = this.#selected;
    const range = within(`$${values.length + 1}`, `$${values.length + 2}`);
    for await (const { first, last } of windowsOf(this.session, among)) {
      const text = `select ${SIZED} from current_sample where ${range} and ${where}`;
      yield await this.session.rows<Sized>(text, [...values, first, last]);
    }
  }

  async *#listed(where: string, ids: IdSet, { after, upTo }: IdRange): AsyncGenerator<Sized[]> {
    const { values } = this.#selected;
    const text = `select ${SIZED} from ${samplesOf(`$${values.length + 1}`)} x where ${where}`;
    for (const run of ids.runs(BLOCK_SAMPLES)) {
      const asked = run.filter((id) => id > after && id <= upTo);
      if (asked.length > 0) yield await this.session.rows<Sized>(text, [...values, numberArray(asked)]);
    }
  }
}

function setOf(numbers: readonly number[]): IdSet {
  const ids = new IdSet();
  for (const id of numbers) ids.add(id);
  return ids;
}

interface Sized {
  id: number;
  bytes: number;
}
const SIZED = 'id, octet_length(doc) as bytes';

/** Numbers in order, as many at a time as a block may hold. */
function* blocksOf(samples: readonly Sized[]): Generator<number[]> {
  const bytesOf = (at: number): number => samples[at]?.bytes ?? 0;
  for (let from = 0, to = 0; from < samples.length; from = to) {
    let bytes = bytesOf(to++);
    while (to < samples.length && to - from < BLOCK_SAMPLES && bytes + bytesOf(to) <= BLOCK_BYTES)
      bytes += bytesOf(to++);
    yield samples.slice(from, to).map(({ id }) => id);
  }
}

/** How many samples of each layout there are: of blocks, nothing that is long is read. */
const countedByLayout = (where: string): string => `select layout, sum(n)::bigint as n from (
    select 1 as n, layout from sample where ${where}
    union all
    select count(*), layout from (
      select b.account, b.admin_status, b.updated, b.layout, r.release from block_standing b
      cross join lateral unnest(b.releases) with ordinality as r (release, at)
      where (b.present >> ((b.first + r.at - 1) & 63)::int) & 1 = 1) held
    where ${where} group by layout) counted
  group by layout`;
