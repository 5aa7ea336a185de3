/** Which samples that a batch writes stand together in a block (docs/decisions/0150): the same in every store. Pure. */
import { type CheckedValues, SHARED_COLUMNS, type SharedValues } from './sample-checksum.js';

/** SQL shifts numbers by this: their cell, whatever kind of number they were bound as. */
export const CELL_BITS = 6;
/** A block never reaches over a number that this divides: numbers `cell * CELL` to `cell * CELL + CELL - 1` are a cell. */
export const CELL = 2 ** CELL_BITS;
/** Fewer samples than these are rows of their own: a block costs about as much as four. */
export const LEAST = 8;
/** Characters of names and contents in a block: reading one sample of it reads all. One of more than an eighth of them is a row of its own. */
const MOST_TEXT = 128 * 1024;

export const cellOf = (id: number): number => Math.floor(id / CELL);

/** SQL: of rows of `sample_block` that hold this number; `block` is their alias with a dot, or nothing. */
export const holding = (id: string, block = ''): string =>
  `${block}cell = ${id} >> ${CELL_BITS} and ${block}first <= ${id} and ${block}first + ${block}count > ${id}`;

/** What all samples of a block have in common, beside the cell. */
export const BLOCK_COLUMNS = [...SHARED_COLUMNS, 'layout'] as const;
export type BlockValues = Pick<CheckedValues, (typeof BLOCK_COLUMNS)[number]>;

/** Of samples that a batch overwrites; those of a block mostly have one object in common. */
export const inSameBlock = (one: Overwritten, other: Overwritten): boolean =>
  one.layout === other.layout &&
  (one.shared === other.shared || SHARED_COLUMNS.every((column) => one.shared[column] === other.shared[column]));

type Overwritten = Pick<CheckedValues, 'layout'> & { shared: SharedValues };

type Placed = Pick<CheckedValues, 'id' | 'name' | 'doc'>;

/**
 * Blocks of samples with consecutive numbers of one cell, each of which is the `same` as the one before, and the `others`, in order of numbers
 * within each.
 * Of one number there is one row.
 */
export function inBlocks<Row extends Placed>(
  rows: readonly Row[],
  same: (one: Row, other: Row) => boolean,
): { blocks: Row[][]; others: Row[] } {
  const blocks: Row[][] = [];
  const others: Row[] = [];
  let run: Row[] = [];
  let text = 0;
  const end = (): void => {
    if (run.length >= LEAST) blocks.push(run);
    else others.push(...run);
    run = [];
    text = 0;
  };
  for (const row of inOrder(rows)) {
    const last = run.at(-1);
    const belongs = last !== undefined && last.id + 1 === row.id && row.id % CELL !== 0 && same(last, row);
    const length = row.name.length + row.doc.length;
    const isLarge = length > MOST_TEXT / LEAST;
    if (!belongs || isLarge || text + length > MOST_TEXT) end();
    if (isLarge) {
      others.push(row);
      continue;
    }
    run.push(row);
    text += length;
  }
  end();
  return { blocks, others };
}

function inOrder<Row extends Placed>(rows: readonly Row[]): readonly Row[] {
  for (let at = 1; at < rows.length; at++) {
    if ((rows[at - 1] as Row).id > (rows[at] as Row).id) return [...rows].sort((one, other) => one.id - other.id);
  }
  return rows;
}
