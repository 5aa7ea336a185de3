/**
 * The column that names the samples of a sheet that has no Sample Name and is of no format that is known: named by the
 * option `nameColumn`, or by a row above the header, with which such a sheet is sent back so that it can come again.
 */

import { columnLetter, fold } from '../dialect.js';
import { type ColumnKind, columnKind } from './header-name.js';

const POINTER = '#nameColumn';

/** The row above the header that says it. */
export const namePointer = (column: string): string[] => [POINTER, column];

/** The column that a row above the header names; undefined for any other row. */
export function pointedName([first = '', second = '']: readonly string[]): string | undefined {
  return fold(first) === fold(POINTER) && second.trim() !== '' ? second.trim() : undefined;
}

export const isNamed = (header: string, nameColumn: string | undefined): boolean =>
  nameColumn !== undefined && fold(header) === fold(nameColumn);

/** Kinds of headers under which we add a column of our own to a result. */
export const ADDED: readonly ColumnKind['kind'][] = ['identifier', 'release'];

/** Which columns of a header are the one that was said to name the samples. Where its header is also that of one of ours, which stands behind it in a result, the first is. */
export function namedColumns(header: readonly string[], nameColumn: string | undefined): (column: number) => boolean {
  const named = [...header.keys()].filter((column) =>
    isNamed(columnTitle(header[column] as string, column), nameColumn),
  );
  const [first = -1] = named;
  const isOurs = ADDED.includes(columnKind(header[first] ?? '').kind);
  const columns = new Set(isOurs ? [first] : named);
  return (column) => columns.has(column);
}

/** What a column is called: by its header, else by its place. */
export const columnTitle = (header: string, column: number): string =>
  header.trim() || `${columnLetter(column)} (no header)`;
