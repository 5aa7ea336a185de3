/**
 * The column that names the samples of a sheet that has no Sample Name and is of no format that is known: named by the
 * option `nameColumn`, or by a row above the header, with which such a sheet is sent back so that it can come again.
 */

import { columnLetter, fold } from '../dialect.js';

const POINTER = '#nameColumn';

/** The row above the header that says it. */
export const namePointer = (column: string): string[] => [POINTER, column];

/** The column that a row above the header names; undefined for any other row. */
export function pointedName([first = '', second = '']: readonly string[]): string | undefined {
  return fold(first) === fold(POINTER) && second.trim() !== '' ? second.trim() : undefined;
}

export const isNamed = (header: string, nameColumn: string | undefined): boolean =>
  nameColumn !== undefined && fold(header) === fold(nameColumn);

/** What a column is called: by its header, else by its place. */
export const columnTitle = (header: string, column: number): string =>
  header.trim() || `${columnLetter(column)} (no header)`;
