/** Rows whose cells are parted by another sign than those of the header, as where somebody has put the header of one file above the rows of another. */
import type { Head } from '../bytes/head-rows.js';
import { DELIMITERS, type Delimiter } from '../dialect.js';
import type { SheetPlan } from './columns.js';
import { firstRows } from './first-rows.js';

/** Characters of a row that are looked at. */
const LONGEST = 10_000;
const QUOTED = /"(?:[^"]|"")*"/g;
/** In two columns one row may be a name with a comma in it, and nothing else. */
const FEWEST = { columns: 3, rows: 2 };

/** The sign that parts all rows into as many cells as the header has, where its own parts none so. */
export function partedOtherwise(
  plan: Pick<SheetPlan, 'header' | 'delimiter' | 'headerEnd'>,
  head: Head,
): Delimiter | undefined {
  const columns = plan.header.length;
  let others = columns < 2 ? [] : DELIMITERS.filter((delimiter) => delimiter !== plan.delimiter);
  let rows = 0;
  for (const cells of firstRows(head, plan)) {
    if (cells.length === 0 || cells[0]?.startsWith('#')) continue;
    if (others.length === 0 || cells.length >= columns) return undefined;
    const row = cells.join(plan.delimiter);
    if (row.length > LONGEST) return undefined;
    const bare = row.replace(QUOTED, '"');
    others = others.filter((delimiter) => bare.split(delimiter).length === columns);
    rows++;
  }
  return rows >= (columns < FEWEST.columns ? FEWEST.rows : 1) ? others[0] : undefined;
}
