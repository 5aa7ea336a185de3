/**
 * Tables whose rows begin with a name or a number of their own, for which the header has no cell, as `write.table` of R writes
 * them: a header that is one cell shorter than each row begins with the second column, as `read.table` and pandas have it, too.
 */
import { ColumnValues } from '../propose/column-values.js';

/** Rows that are looked at. */
const LOOKED_AT = 200;

/**
 * The header with an empty cell in front, where the rows below it begin with what is not in it. Where it names the samples the rows
 * must be numbered: the column without a header could be the last one as well.
 */
export function withRowNames(header: string[], rows: Iterable<readonly string[]>, named: boolean): string[] {
  const names: string[] = [];
  for (const cells of rows) {
    if (cells.length !== header.length + 1) return header;
    if (names.push(cells[0] as string) === LOOKED_AT) break;
  }
  const values = new ColumnValues(names);
  return names.length > 1 && (named ? values.counts : values.unique) ? ['', ...header] : header;
}
