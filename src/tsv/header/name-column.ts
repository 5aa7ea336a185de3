/**
 * The column that names the samples of a sheet that has no Sample Name and is of no format that is known: named by the
 * option `nameColumn`, or by a row above the header, with which such a sheet is sent back so that it can come again.
 */

import { RowReader } from '../bytes/row-reader.js';
import { type Delimiter, fold } from '../dialect.js';
import { columnKind } from './header-name.js';

const POINTER = '#nameColumn';

/** The row above the header that says it. */
export const namePointer = (column: string): string[] => [POINTER, column];

/** The column that a row above the header names; undefined for any other row. */
export function pointedName([first = '', second = '']: readonly string[]): string | undefined {
  return fold(first) === fold(POINTER) && second.trim() !== '' ? second.trim() : undefined;
}

export const isNamed = (header: string, nameColumn: string): boolean => fold(header) === fold(nameColumn);

/** Lines below the header that are looked at, and rows among them. */
const LINES = 500;
const ROWS = 200;
const MAX_PROPOSED = 5;
/** Words of headers that name things, likeliest first. */
const NAMING = [
  /sample|specimen/,
  /isolate|strain|biosample|alias/,
  /name|label|title/,
  /(^|[^a-z])id([^a-z]|$)|barcode|code|number/,
];

interface Header {
  delimiter: Delimiter;
  cells: readonly string[];
  headerEnd: number;
}

/** Headers of the columns that could name the samples, likeliest first: each row has a value there, and none twice. */
export function proposedNames(text: string, { delimiter, cells: header, headerEnd }: Header): string[] {
  const seen = header.map(() => new Set<string>());
  const reader = new RowReader(delimiter);
  const below = text.split(/\r\n|\n|\r/, headerEnd + LINES).slice(headerEnd);
  reader.load(`${below.join('\n')}\n`, false);
  let rows = 0;
  while (rows < ROWS && reader.next()) {
    const { row } = reader;
    if (row.firstFilled() < 0 || row.cell(0).startsWith('#')) continue;
    rows++;
    header.forEach((_, column) => {
      const value = column < row.cells ? row.cell(column).trim() : '';
      if (value !== '') seen[column]?.add(value);
    });
  }
  const columns = header.flatMap((text, column) => {
    const unique = rows > 0 && seen[column]?.size === rows;
    return unique && text.trim() !== '' && columnKind(text).kind === 'unknown' ? [text.trim()] : [];
  });
  return columns
    .map((text, at) => ({ text, rank: nameRank(text), at }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .slice(0, MAX_PROPOSED)
    .map(({ text }) => text);
}

/** The rank of a header that does not speak of names. */
export const NAMES_NOTHING = NAMING.length;

/** How much a header speaks of names: the lower, the more. */
export function nameRank(text: string): number {
  const rank = NAMING.findIndex((words) => words.test(text.toLowerCase()));
  return rank < 0 ? NAMES_NOTHING : rank;
}
