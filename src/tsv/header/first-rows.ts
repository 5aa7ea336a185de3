/** The first rows below a header that may be samples: as far as something is to be learned from them, and to the receipt or another section of the file. */
import type { Head } from '../bytes/head-rows.js';
import { RECEIPT_START } from '../rows/receipt.js';
import type { SheetPlan } from './columns.js';
import { beginsSection } from './preamble.js';

const MOST = 200;

export function* firstRows(
  head: Head,
  place: Pick<SheetPlan, 'delimiter' | 'headerEnd' | 'inSection'>,
): Generator<readonly string[]> {
  let rows = 0;
  for (const { cells } of head.rowsBelow(place)) {
    if (++rows > MOST || cells.some((cell) => cell.trim() === RECEIPT_START) || beginsSection(cells, place)) return;
    yield cells;
  }
}
