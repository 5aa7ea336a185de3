/** Rows that all have as many cells, and fewer than the header: what they lack may stand in front of their last value. */
import type { Head } from '../bytes/head-rows.js';
import type { SheetPlan } from '../header/columns.js';
import { firstRows } from '../header/first-rows.js';
import { firstText } from '../header/preamble.js';

type Place = Pick<SheetPlan, 'header' | 'delimiter' | 'headerEnd' | 'inSection'>;

const FEWEST_ROWS = 2;

/**
 * How many cells the first rows have; undefined where they have as many as the header, or not all as many. Of rows between TABs it says nothing: editors
 * take what looks like blanks from the ends of lines.
 */
export function cellsOfRows(plan: Place, head: Head): number | undefined {
  if (plan.delimiter === '\t') return undefined;
  const named = plan.header.findLastIndex((text) => text.trim() !== '') + 1;
  let all: number | undefined;
  let rows = 0;
  for (const cells of firstRows(head, plan)) {
    if (firstText(cells).startsWith('#') || cells.every((cell) => cell.trim() === '')) continue;
    all ??= cells.length;
    if (cells.length !== all || all >= named) return undefined;
    rows++;
  }
  return rows < FEWEST_ROWS ? undefined : all;
}
