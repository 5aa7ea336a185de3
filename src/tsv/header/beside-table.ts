/** Columns that an empty one keeps apart from others: perhaps a table of its own beside that of the samples. */
import { RECEIPT_START } from '../rows/receipt.js';
import type { ColumnBlock } from './columns.js';
import { firstText } from './preamble.js';

/** Rows that are looked at. */
const LOOKED_AT = 1_000;

const isFilled = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

/** The blocks of columns between those that have neither a header nor a value; none where all stand together. */
export function blocksOf(header: readonly string[], rows: () => Iterable<readonly string[]>): ColumnBlock[] {
  const blank = [...header.keys()].filter((column) => !isFilled(header[column]));
  if (blank.length === 0) return [];
  const cells = firstOf(rows());
  const empty = new Set(blank.filter((column) => !cells.some((row) => isFilled(row[column]))));
  const blocks: ColumnBlock[] = [];
  for (const column of header.keys()) {
    if (empty.has(column)) continue;
    const last = blocks.at(-1);
    if (last?.to === column - 1) last.to = column;
    else blocks.push({ from: column, to: column, rows: 0, isWhole: false });
  }
  return blocks.length < 2 ? [] : blocks.map((block) => ({ ...block, ...heightOf(block, cells) }));
}

function firstOf(rows: Iterable<readonly string[]>): (readonly string[])[] {
  const first: (readonly string[])[] = [];
  for (const cells of rows) {
    const text = firstText(cells);
    if (text === RECEIPT_START) break;
    if (text.startsWith('#')) continue;
    first.push(cells);
    if (first.length === LOOKED_AT) break;
  }
  return first;
}

/** Down to which row it has something, and whether each above has. */
function heightOf(
  { from, to }: ColumnBlock,
  cells: readonly (readonly string[])[],
): Pick<ColumnBlock, 'rows' | 'isWhole'> {
  const filled = cells.map((row) => row.slice(from, to + 1).some(isFilled));
  const rows = filled.lastIndexOf(true) + 1;
  return { rows, isWhole: filled.slice(0, rows).every((each) => each) };
}

const FEWEST_ROWS = 2;

/** Blocks that fill their rows from the top and end above or below the last sample, as a list does that has nothing to do with the samples. */
export function tablesBeside(blocks: readonly ColumnBlock[], nameColumn: number): ColumnBlock[] {
  const samples = blocks.find(({ from, to }) => from <= nameColumn && nameColumn <= to);
  if (samples === undefined) return [];
  return blocks.filter(
    (block) => block !== samples && block.isWhole && block.rows >= FEWEST_ROWS && block.rows !== samples.rows,
  );
}
