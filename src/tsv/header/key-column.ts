/** The column whose cells identify the rows of a sheet across uploads: what the option `key` names. */
import { columnLetter } from '../dialect.js';
import { noKey } from './header-errors.js';
import { namesSamples } from './header-name.js';
import { isNamed } from './name-column.js';

/** The column of this header; the words `Sample Name` also mean the column that names the samples, whatever its header. */
export function keyOf(header: readonly string[], key: string, nameColumn: number, line: number): number {
  const columns = header.flatMap((text, column) => (isNamed(text, key) ? [column] : []));
  if (columns.length === 0 && namesSamples(key)) return nameColumn;
  if (columns.length === 1) return columns[0] as number;
  throw noKey(header, key, columns.map(columnLetter), line);
}
