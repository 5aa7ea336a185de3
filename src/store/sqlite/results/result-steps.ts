/** A whole result in steps: rows of `sample` and what blocks hold, in one order, some hundred samples at a time. */
import { BLOCK_BYTES, BLOCK_SAMPLES, type IdRange } from '../../../registry/samples/whole-result.js';
import { CELL, cellOf } from '../../sample-blocks.js';
import { EVERYTHING, type ResultSelection } from '../../whole-result-rules.js';
import type { SqliteDatabase } from '../database.js';
import type { ResultBlocks } from './result-blocks.js';

interface Numbered {
  id: number;
}

/** How a result is read; `further` is a condition beside those of the selection. */
interface Reading<Row> {
  further: string;
  /** Rows, of a statement's values. */
  read(values: readonly unknown[]): Row[];
  /** How many of them are few enough to be read at once. */
  fitting(values: readonly unknown[]): number;
  /** What the blocks of a cell hold. */
  ofCell(cell: number, accept: (id: number) => boolean): Row[];
}

/** Where a step goes to, and among which numbers. */
interface Stretch {
  end: number;
  ids: readonly number[] | undefined;
}

/** Cells of blocks that are read at once: at most BLOCK_SAMPLES samples. */
const CELLS_AT_ONCE = Math.floor(BLOCK_SAMPLES / CELL);

const endOf = (cell: number): number => cell * CELL + CELL - 1;

export class ResultSteps {
  constructor(
    private readonly store: SqliteDatabase,
    private readonly selection: ResultSelection,
    private readonly inBlocks: ResultBlocks,
    /** Whether any step may be larger than one may be. */
    private readonly mayBeLarge: boolean,
  ) {}

  /**
   * `prepare` is given what rows of `sample` are read from, and reads them with the values of its places; `ofCell` reads what the
   * blocks of a cell hold.
   */
  async *read<Row extends Numbered>(
    further: string,
    prepare: (from: string) => (values: readonly unknown[]) => Row[],
    ofCell: Reading<Row>['ofCell'],
    { after, upTo }: IdRange = EVERYTHING,
  ): AsyncGenerator<Row[]> {
    const { ids: all, conditions } = this.selection;
    const among = all && ' and id in (select value from json_each(?))';
    const from = `from sample where id > ? and id <= ? and ${conditions} and ${further}${among ?? ''} order by id limit ?`;
    const counted = this.store
      .prepare(
        `select count(*) from (select sum(octet_length(doc)) over (order by id) as bytes from (select id, doc ${from}))
         where bytes <= ${BLOCK_BYTES}`,
      )
      .pluck();
    // One that is larger is a step of its own.
    const fitting = (values: readonly unknown[]): number =>
      this.mayBeLarge ? Math.max(1, counted.get(...values, BLOCK_SAMPLES) as number) : BLOCK_SAMPLES;
    const reading: Reading<Row> = { further, read: prepare(from), fitting, ofCell };
    for (const ids of this.selection.blocks({ after, upTo })) {
      const stretch: Stretch = { end: ids?.at(-1) ?? upTo, ids };
      for (let last = after; last < stretch.end; ) {
        this.selection.inTime();
        const { rows, upTo: reached } = this.#step(reading, stretch, last);
        if (rows.length > 0) yield rows;
        last = reached;
      }
    }
  }

  /** The samples behind `last`, up to a number, not more than are read at once. */
  #step<Row extends Numbered>(
    reading: Reading<Row>,
    { end, ids }: Stretch,
    last: number,
  ): { rows: Row[]; upTo: number } {
    const cells = ids
      ? [...new Set(ids.map(cellOf))]
      : this.inBlocks.cells(last + 1, end, CELLS_AT_ONCE, reading.further);
    // Rows are read as far as the cells reach.
    let upTo = ids || cells.length < CELLS_AT_ONCE ? end : Math.min(end, endOf(cells.at(-1) as number));
    const values = [last, upTo, ...this.selection.values, ...(ids ? [JSON.stringify(ids)] : [])];
    const fit = reading.fitting(values);
    const rows = reading.read([...values, fit]);
    if (rows.length === fit) upTo = (rows.at(-1) as Row).id;
    const asked = ids && new Set(ids);
    const accept = (id: number): boolean => id > last && id <= upTo && (asked?.has(id) ?? true);
    const found = cells.flatMap((cell) =>
      endOf(cell) > last && cell * CELL <= upTo ? reading.ofCell(cell, accept) : [],
    );
    if (found.length === 0) return { rows, upTo };
    return { rows: [...rows, ...found].sort((one, other) => one.id - other.id), upTo };
  }
}
