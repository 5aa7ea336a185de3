/** The columns of the index file: written with the entries, read for facets and ranges. */
import { IdSet } from '../../../registry/search/id-set.js';
import { indexedSample } from '../../../registry/search/indexed-sample.js';
import type { SampleFacets } from '../../../registry/search/sample-facets.js';
import { SEARCH_MS, tookTooLong } from '../../../registry/search/search-store.js';
import { FIRST_KEY, KEYS } from '../../columns/entries.js';
import type { Answers, Ask, StoredBlock } from '../../columns/reading.js';
import { columnsOf, Staged, withStaged } from '../../columns/staged.js';
import type { SqliteDatabase } from '../database.js';
import { type BlobRow, sumOfBlob, wholeBlob } from './search-damage.js';
import { type Place, restOf } from './search-journal.js';
import type { SearchRecords } from './search-record.js';
import { segmentsOf, spansOf } from './search-segments.js';
import { keysOf, slotsFound } from './search-slots.js';

const COLUMN = 4_194_304;

/** A block of a column. @throws DamagedIndex */
export function blockOfColumn(index: SqliteDatabase, column: number, block: number): Buffer | undefined {
  const row = index.sql<BlobRow>('select * from facet_block where id = ?').get(column * COLUMN + block);
  return row && wholeBlob(row);
}

/** Inside a write of the index. */
export const stagedColumns = (index: SqliteDatabase): Staged => new Staged((code) => keyOf(index, code));

/** Inside the same write. */
export function writeColumns(index: SqliteDatabase, samples: Staged): void {
  const save = index.sql('replace into facet_block (id, data, sum) values (?, ?, ?)');
  for (const staged of samples.blocks()) {
    const dataOf = (column: number) => blockOfColumn(index, column, staged.block);
    for (const column of columnsOf(staged, dataOf(KEYS))) {
      const id = column * COLUMN + staged.block;
      const data = withStaged(staged, column, dataOf(column), true);
      if (data === null) index.sql('delete from facet_block where id = ?').run(id);
      else if (data !== undefined) save.run(id, data, sumOfBlob(id, data));
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
  const until = performance.now() + ms;
  return (asked) => {
    if (performance.now() > until) throw tookTooLong();
    switch (asked.kind) {
      case 'blocks':
        return index
          .sql<BlobRow>('select * from facet_block where id between ? and ? order by id limit ?')
          .all(asked.column * COLUMN + asked.from, (asked.column + 1) * COLUMN - 1, asked.most)
          .map((row): StoredBlock => ({ block: row.id % COLUMN, data: wholeBlob(row) }));
      case 'columns':
        return asked.codes.map(
          (code) => index.sql<{ id: number }>('select id from facet_key where code = ?').get(code)?.id,
        );
      case 'found': {
        const found = new IdSet();
        const groups = keysOf(asked.terms);
        for (const span of spansOf(index)) {
          const mask = slotsFound(index, segmentsOf(index, span), groups);
          if (mask) found.addSpan(span, mask);
          index.askTime();
        }
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
