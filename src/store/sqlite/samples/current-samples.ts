/** Samples as they are now: the row of `sample`, else the newest block that holds the number. */

import type { SampleRow } from '../../rows/sample-row.js';
import { CELL, cellOf, holding } from '../../sample-blocks.js';
import type { Checking } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import { type BlockPlace, BlockReader, type BlockRow, holds } from './block-reader.js';
import { ofBlock, RELEASE_OF } from './block-views.js';
import type { UnpackedBlock } from './packed-block.js';

/** What is known of a sample without unpacking its block. */
export type SampleHead = Pick<SampleRow, 'account' | 'admin_status' | 'submission'>;
/** What of a sample decides who may see it: of a block whose releases differ, it is unpacked. */
export type SampleVisibility = Pick<SampleRow, 'account' | 'release' | 'admin_status'>;

const HEAD = 'account, admin_status, submission';
const VISIBILITY = 'account, release, admin_status';

/** SQL: of the newest block that holds a number. */
const ofNewest = (columns: string, id: string): string =>
  `select ${columns} from sample_block where ${holding(id)} order by number desc limit 1`;
const visibilityInBlock = (id: string): string =>
  ofNewest(
    `account, case when earliest = latest then earliest else ${RELEASE_OF}(${id}, ${ofBlock()}) end as release, admin_status`,
    id,
  );

/** SQL: a `SampleVisibility` of whatever sample `id` says, as a subquery of a statement. */
export const VISIBILITY_OF = (id: string): string => `select ${VISIBILITY} from sample where id = ${id} union all
  select ${VISIBILITY} from (${visibilityInBlock(id)}) where not exists (select 1 from sample where id = ${id})`;

export const headOf = (database: SqliteDatabase, id: number): SampleHead | undefined =>
  database.sql<SampleHead>(`select ${HEAD} from sample where id = @id`).get({ id }) ??
  database.sql<SampleHead>(ofNewest(HEAD, '@id')).get({ id });

export const visibilityOf = (database: SqliteDatabase, id: number): SampleVisibility | undefined =>
  database.sql<SampleVisibility>(VISIBILITY_OF('@id')).get({ id });

/** Cells that are looked at in one step. */
const CELLS_AT_ONCE = 64;

export class CurrentSamples {
  readonly blocks: BlockReader;

  constructor(
    private readonly database: SqliteDatabase,
    checking: Pick<Checking, 'accession'>,
  ) {
    this.blocks = new BlockReader(database, checking);
  }

  /** Not checked against its checksum. @throws RegistryError storage.damaged */
  row(id: number): SampleRow | undefined {
    const row = this.database.sql<SampleRow>('select * from sample where id = ?').get(id);
    if (row !== undefined) return row;
    const block = this.blocks.latest(id);
    return block && this.blocks.rowOf(block, id);
  }

  /** Samples with numbers from `from` to `to` that stand in blocks, and not in rows. @throws RegistryError storage.damaged */
  *inBlocks(from: number, to: number): Generator<[row: BlockRow, block: UnpackedBlock, ids: number[]]> {
    const accept = (id: number): boolean => id >= from && id <= to;
    const next = this.database.sql<{ cell: number }>(
      'select cell from sample_block where cell between ? and ? order by cell limit 1',
    );
    for (let cell = cellOf(from); ; cell++) {
      const found = next.get(cell, cellOf(to));
      if (found === undefined) return;
      cell = found.cell;
      for (const [row, ids] of heldOf(this.database, [...this.blocks.ofCell(cell)], accept)) {
        if (ids.length > 0) yield [row, this.blocks.unpack(row), ids];
      }
    }
  }

  /** Of these samples, of each cell once: the newest block that holds each, those left out that have rows of their own. */
  blocksOf(ids: readonly number[], isRow: (id: number) => boolean): [row: BlockRow, ids: number[]][] {
    const cells = new Map<number, number[]>();
    for (const id of new Set(ids)) {
      if (isRow(id)) continue;
      const cell = cellOf(id);
      const known = cells.get(cell);
      if (known) known.push(id);
      else cells.set(cell, [id]);
    }
    const found: [BlockRow, number[]][] = [];
    for (const [cell, wanted] of cells) {
      let left = wanted;
      const take = (row: BlockRow): void => {
        const held = left.filter((id) => holds(row, id));
        if (held.length === 0) return;
        found.push([row, held]);
        left = left.filter((id) => !holds(row, id));
      };
      const newest = this.blocks.newestOfCell(cell);
      if (newest === undefined) continue;
      take(newest);
      // Mostly it holds them all, and the others are not read.
      if (left.length === 0) continue;
      for (const row of this.blocks.ofCell(cell)) {
        take(row);
        if (left.length === 0) break;
      }
    }
    return found;
  }
}

/** Of blocks of one cell, the newest first: the numbers of each that none before holds, and that have no row. */
export function* heldOf<Block extends BlockPlace>(
  database: SqliteDatabase,
  blocks: readonly Block[],
  accept: (id: number) => boolean,
): Generator<[Block, number[]]> {
  const from = (blocks[0]?.cell ?? 0) * CELL;
  const taken = new Set(
    database
      .rowsOf<[number]>('select id from sample where id between ? and ?', [from, from + CELL - 1])
      .map(([id]) => id),
  );
  for (const block of blocks) {
    const ids: number[] = [];
    for (let id = block.first; id < block.first + block.count; id++) {
      if (taken.has(id)) continue;
      taken.add(id);
      if (accept(id)) ids.push(id);
    }
    yield [block, ids];
  }
}

/** Numbers from `from` to `to` that are taken, in order, up to `limit`. */
export function numbersFrom(database: SqliteDatabase, from: number, to: number, limit: number): number[] {
  const rows = database
    .sql<{ id: number }>('select id from sample where id between ? and ? order by id limit ?')
    .all(from, to, limit)
    .map(({ id }) => id);
  const numbers = new Set(rows);
  // Behind the last row that was read nothing is known of rows.
  let upTo = rows.length < limit ? to : (rows.at(-1) as number);
  const cells = database
    .sql<{ cell: number }>('select distinct cell from sample_block where cell between ? and ? order by cell limit ?')
    .all(cellOf(from), cellOf(upTo), CELLS_AT_ONCE)
    .map(({ cell }) => cell);
  if (cells.length === CELLS_AT_ONCE) upTo = Math.min(upTo, ((cells.at(-1) as number) + 1) * CELL - 1);
  const held = database.sql<Pick<BlockPlace, 'first' | 'count'>>(
    'select first, count from sample_block where cell between ? and ? order by cell',
  );
  if (cells.length > 0) {
    for (const { first, count } of held.all(cells[0], cells.at(-1))) {
      for (let id = first; id < first + count; id++) if (id >= from && id <= upTo) numbers.add(id);
    }
  }
  const found = [...numbers].filter((id) => id <= upTo).sort((one, other) => one - other);
  if (found.length < limit && upTo < to)
    return [...found, ...numbersFrom(database, upTo + 1, to, limit - found.length)];
  return found.slice(0, limit);
}

/** The least and the greatest number that is taken. */
export function takenSpan(database: SqliteDatabase): { least: number | null; greatest: number | null } {
  const row = database
    .sql<{ least: number | null; greatest: number | null }>(
      `select min(least) as least, max(greatest) as greatest from (
         select (select min(id) from sample) as least, (select max(id) from sample) as greatest
         union all select min(first), max(first + count - 1) from sample_block
           where cell in ((select min(cell) from sample_block), (select max(cell) from sample_block)))`,
    )
    .get();
  return row ?? { least: null, greatest: null };
}
