/** What whole results read of blocks: cell after cell, each sample as its newest block has it, unless it has a row of its own. */
import type { ResultQuery, ResultRow } from '../../../registry/samples/whole-result.js';
import type { Places } from '../../result-conditions.js';
import { sharedMembers } from '../../rows/sample-row.js';
import { cellOf } from '../../sample-blocks.js';
import { ResultSelection } from '../../whole-result-rules.js';
import type { SqliteDatabase } from '../database.js';
import { type BlockHead, type BlockRow, HEAD_COLUMNS, unpackBlock } from '../samples/block-reader.js';
import { heldOf } from '../samples/current-samples.js';
import type { Names } from '../samples/names.js';
import { wantedBy } from '../search/search-store.js';
import { BytesRow } from './result-rows.js';

/** How many of a block's releases that are the least and the greatest a result wants: of 1, the others have to be looked at. */
type Wanted = 0 | 1 | 2;

type NumberedHead = BlockHead & { number: number };
type CountedBlock = NumberedHead & { wanted: Wanted };
/** A block without its body where the result wants nothing of it. */
type AskedBlock = CountedBlock & { body: Buffer | null };

/** How a statement of SQLite is given the values of a selection. */
export const spellPlaces = (values: unknown[]): Places => {
  const place = (value: unknown): string => (values.push(value) > 0 ? '?' : '');
  return { place, list: (numbers) => `(select value from json_each(${place(JSON.stringify(numbers))}))` };
};

export interface Counted {
  n: number;
  /** Bytes of the longest content. */
  longest: number;
  layouts: Set<number>;
}

export class ResultBlocks {
  readonly #selection: ResultSelection;
  readonly #among: Set<number> | undefined;
  /** SQL: a `Wanted`; its values. */
  readonly #wanted: string;
  readonly #values: unknown[];
  /** SQL: of the cells of the samples that are asked for by number; its values. */
  readonly #inCells: string;
  readonly #cells: unknown[];

  constructor(
    private readonly store: SqliteDatabase,
    private readonly names: Names,
    query: ResultQuery,
  ) {
    const { ids, ...rest } = query;
    this.#among = ids && new Set(ids);
    this.#selection = new ResultSelection(wantedBy(names, { ...rest, size: 0 }), undefined, spellPlaces);
    const { conditions, values } = this.#selection;
    const of = (release: string): string => `(select ${conditions} from (select ${release} as release))`;
    // Conditions on a release are a span of time: where both ends lie in it, all do.
    const some = conditions.includes('release') ? 'case when earliest = latest then 0 else 1 end' : '0';
    this.#wanted = `case when ${of('earliest')} and ${of('latest')} then 2 else ${some} end`;
    this.#values = [...values, ...values];
    this.#inCells = ids ? 'cell in (select value from json_each(?))' : 'true';
    this.#cells = ids ? [JSON.stringify([...new Set(ids.map(cellOf))])] : [];
  }

  /** Cells that have blocks of which something may be wanted, in order. */
  cells(from: number, to: number, limit: number, further: string): number[] {
    return this.store
      .sql<{ cell: number }>(
        `select distinct cell from (
           select cell, layout, ${this.#wanted} as wanted from sample_block where ${this.#inCells} and cell between ? and ?)
         where wanted > 0 and ${further} order by cell limit ?`,
      )
      .all(...this.#values, ...this.#cells, cellOf(from), cellOf(to), limit)
      .map(({ cell }) => cell);
  }

  /** Of all blocks, what the selection wants of them. */
  counted(): Counted {
    const all = this.store
      .prepare(`select number, ${HEAD_COLUMNS}, ${this.#wanted} as wanted from sample_block
         where ${this.#inCells} order by cell, number desc`)
      .iterate(...this.#values, ...this.#cells) as IterableIterator<CountedBlock>;
    const counted: Counted = { n: 0, longest: 0, layouts: new Set() };
    let group: CountedBlock[] = [];
    for (const block of all) {
      if (block.cell !== group[0]?.cell) {
        this.#count(group, counted);
        group = [];
      }
      group.push(block);
    }
    this.#count(group, counted);
    return counted;
  }

  #count(blocks: readonly CountedBlock[], counted: Counted): void {
    for (const [block, ids] of heldOf(this.store, blocks, (id) => this.#among?.has(id) ?? true)) {
      const n =
        block.wanted === 1 ? this.#amongReleases(this.#withBody(block), ids).length : block.wanted && ids.length;
      if (n === 0) continue;
      counted.n += n;
      counted.longest = Math.max(counted.longest, block.longest);
      if (block.layout !== null) counted.layouts.add(block.layout);
    }
  }

  /** In order of their numbers. @throws RegistryError storage.damaged */
  rows(cell: number, accept: (id: number) => boolean): ResultRow[] {
    return this.#read(cell, 'true', accept, (row, ids) => this.#resultRows(row, ids));
  }

  /** Layouts, and contents that have none. @throws RegistryError storage.damaged */
  shapes(cell: number, further: string, accept: (id: number) => boolean) {
    return this.#read(cell, further, accept, (row, ids) => {
      const block = row.layout === null ? unpackBlock(row, this.names) : undefined;
      return ids.map((id) => ({ id, layout: row.layout, doc: block?.row(id - row.first, block.texts).doc ?? '' }));
    });
  }

  #read<Row extends { id: number }>(
    cell: number,
    further: string,
    accept: (id: number) => boolean,
    read: (row: BlockRow, ids: readonly number[]) => Row[],
  ): Row[] {
    const blocks = this.store
      .sql<AskedBlock>(
        `select *, case when wanted > 0 and ${further} then body_of end as body from (
           select number, ${HEAD_COLUMNS}, body as body_of, ${this.#wanted} as wanted from sample_block where cell = ?)
         order by number desc`,
      )
      .all(...this.#values, cell);
    const found: Row[] = [];
    for (const [{ body, wanted, ...head }, held] of heldOf(
      this.store,
      blocks,
      (id) => accept(id) && (this.#among?.has(id) ?? true),
    )) {
      if (body === null) continue;
      const row = { ...head, body };
      const ids = wanted === 1 ? this.#amongReleases(row, held) : held;
      if (ids.length > 0) found.push(...read(row, ids));
    }
    return blocks.length > 1 ? found.sort((one, other) => one.id - other.id) : found;
  }

  #withBody(head: NumberedHead): NumberedHead & BlockRow {
    const read = this.store.sql<{ body: Buffer }>('select body from sample_block where number = ?').get(head.number);
    return { ...head, body: read?.body ?? Buffer.alloc(0) };
  }

  /** Those of a block whose releases are wanted. */
  #amongReleases(row: NumberedHead & BlockRow, ids: readonly number[]): number[] {
    const block = unpackBlock(row, this.names);
    const known = new Map<number, boolean>();
    const { conditions, values } = this.#selection;
    const asked = this.store.sql<{ wanted: number }>(
      `select (select ${conditions} from (select ? as release)) as wanted from sample_block where number = ?`,
    );
    return ids.filter((id) => {
      const release = block.releaseOf(id - row.first);
      let isWanted = known.get(release);
      if (isWanted === undefined) {
        isWanted = asked.get(...values, release, row.number)?.wanted === 1;
        known.set(release, isWanted);
      }
      return isWanted;
    });
  }

  #resultRows(row: BlockRow, ids: readonly number[]): ResultRow[] {
    const block = unpackBlock(row, this.names);
    const { first, layout } = row;
    const members = sharedMembers(row, this.names.accountName(row.account));
    const shape = layout === null ? undefined : this.names.layout(layout);
    return ids.map((id) => {
      const at = id - first;
      return new BytesRow(block.texts, id, block.releaseOf(at), shape, members, block.placeOf(at));
    });
  }
}
