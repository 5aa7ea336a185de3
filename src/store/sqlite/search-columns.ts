/** The columns of the index file: written with the entries, read for facets and ranges. */
import { IdSet } from '../../registry/id-set.js';
import { indexedSample } from '../../registry/indexed-sample.js';
import type { SampleFacets } from '../../registry/sample-facets.js';
import { SEARCH_MS, tookTooLong } from '../../registry/search-store.js';
import { type ColumnSample, FIRST_KEY, KEYS } from '../columns/entries.js';
import type { Answers, Ask, StoredBlock } from '../columns/reading.js';
import { columnsOf, stage, withStaged } from '../columns/staged.js';
import type { SqliteDatabase } from './database.js';
import { matchText } from './search-entries.js';
import { type Place, restOf } from './search-journal.js';
import type { SearchRecords } from './search-record.js';

const COLUMN = 4_194_304;

/** Inside a write of the index. */
export function writeColumns(index: SqliteDatabase, samples: readonly ColumnSample[]): void {
  const read = index.sql<{ data: Buffer }>('select data from facet_block where id = ?');
  const save = index.sql('replace into facet_block (id, data) values (?, ?)');
  for (const staged of stage(samples, (code) => keyOf(index, code))) {
    const dataOf = (column: number) => read.get(column * COLUMN + staged.block)?.data;
    for (const column of columnsOf(staged, dataOf(KEYS))) {
      const id = column * COLUMN + staged.block;
      const data = withStaged(staged, column, dataOf(column));
      if (data === null) index.sql('delete from facet_block where id = ?').run(id);
      else if (data !== undefined) save.run(id, data);
    }
  }
}

function keyOf(index: SqliteDatabase, code: number): number {
  const known = index.sql<{ id: number }>('select id from facet_key where code = ?').get(code);
  if (known) return known.id;
  return Number(
    index
      .sql('insert into facet_key (id, code) select max(coalesce(max(id), 0) + 1, ?), ? from facet_key')
      .run(FIRST_KEY, code).lastInsertRowid,
  );
}

export function emptyColumns(index: SqliteDatabase): void {
  index.sql('delete from facet_block').run();
  index.sql('delete from facet_key').run();
}

export interface ColumnSource {
  store: SqliteDatabase;
  index: SqliteDatabase;
  records: SearchRecords;
  prefix: string;
  place: Place;
}

/** Answers in the snapshots of the store and of the index. @throws RegistryError service.unavailable after `ms` */
export function columnAnswers(source: ColumnSource, ms = SEARCH_MS): (asked: Ask) => Answers[Ask['kind']] {
  const { index, store, place } = source;
  const until = Date.now() + ms;
  return (asked) => {
    if (Date.now() > until) throw tookTooLong();
    switch (asked.kind) {
      case 'blocks':
        return index
          .sql<{ id: number; data: Buffer }>(
            'select id, data from facet_block where id between ? and ? order by id limit ?',
          )
          .all(asked.column * COLUMN + asked.from, (asked.column + 1) * COLUMN - 1, asked.most)
          .map(({ id, data }): StoredBlock => ({ block: id % COLUMN, data }));
      case 'columns':
        return asked.codes.map(
          (code) => index.sql<{ id: number }>('select id from facet_key where code = ?').get(code)?.id,
        );
      case 'found': {
        const found = new IdSet();
        const ids = index
          .prepare('select rowid from entry_terms where entry_terms match ? and in_time(rowid)')
          .pluck()
          .iterate(matchText(asked.terms));
        for (const id of ids) found.add(id as number);
        return found;
      }
      case 'waiting':
        return waiting(store, place);
      case 'samples':
        return facetsOf(source, asked.ids);
    }
  };
}

function* waiting(store: SqliteDatabase, place: Place): Generator<{ first: number; count: number }> {
  const rows = store.sql<{ seq: number; first: number; count: number }>(
    'select seq, first, count from change where seq > ?',
  );
  for (const row of rows.iterate(place.seq)) yield* restOf(row, place);
}

function facetsOf({ records, prefix }: ColumnSource, ids: readonly number[]): Map<number, SampleFacets> {
  const found = new Map<number, SampleFacets>();
  for (const id of ids) {
    const head = records.head(id);
    if (head) found.set(id, indexedSample(prefix, head, false, () => records.content(id)).facets);
  }
  return found;
}

/** Entries that are not in the columns yet, at most. */
export function columnsLeft(index: SqliteDatabase, place: Place): number {
  if (place.columns_moved !== place.moved) {
    return index.sql<{ n: number | null }>('select max(id) as n from entry').get()?.n ?? 0;
  }
  return place.refilling ? Math.max(0, place.scan_end - place.scan_next + 1) : 0;
}

/** Sets every entry to be visited for the columns. Inside a write of the index. */
export function refillColumns(index: SqliteDatabase): void {
  emptyColumns(index);
  // A rebuild that is under way begins anew: what it has visited is not in the columns.
  index
    .sql(
      `update progress set columns_moved = moved, refilling = iif(scan_next > scan_end, 1, refilling), scan_next = 1,
         scan_end = iif(scan_next > scan_end, (select coalesce(max(id), 0) from entry), scan_end)`,
    )
    .run();
}
