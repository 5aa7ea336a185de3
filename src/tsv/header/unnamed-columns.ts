/**
 * Columns that their header gives no name of its own, known by what stands below: units beside the values that a merged header
 * names, and the numbers of rows that pandas has read back.
 */
import { ColumnValues } from '../propose/column-values.js';
import { RECEIPT_START } from '../rows/receipt.js';
import type { Headless } from './columns.js';
import { columnKind } from './header-name.js';
import { firstText } from './preamble.js';

/** Rows that are looked at, and columns. */
export const LOOKED_AT = 200;
const MOST_COLUMNS = 100;
/** One letter may be the value of a row: `m` is a sex, too. */
const FEWEST_LETTERS = 2;
/** What pandas calls the first column of a table that has no header there, and the same once more: `Unnamed: 0.1`. */
const NO_NAME = /^Unnamed: 0(?:\.\d+)*$/;
const WHOLE = /^\d+$/;

type Rows = () => Iterable<readonly string[]>;

/** The header with `Unit` where it has nothing, behind a column of numbers and above nothing but units. */
export function withUnits(header: string[], rows: Rows): string[] {
  const nameless = [...header.keys(), header.length].filter(
    (column) => !header[column]?.trim() && isOfValues(header[column - 1]),
  );
  if (nameless.length === 0) return header;
  const cells = [...firstOf(rows())];
  const units = nameless.slice(0, MOST_COLUMNS).filter((column) => areUnits(cells, column));
  if (units.length === 0) return header;
  const named = [...header];
  for (const column of units) named[column] = 'Unit';
  return named;
}

/** The columns that pandas has named and that number the rows. */
export function rowNumbers(header: readonly string[], rows: Rows): number[] {
  const unnamed = [...header.keys()].filter((column) => NO_NAME.test((header[column] as string).trim()));
  if (unnamed.length === 0) return [];
  const cells = [...firstOf(rows())];
  return unnamed.slice(0, MOST_COLUMNS).filter((column) => {
    const values = valuesOf(cells, column);
    return values.unique && values.all((text) => WHOLE.test(text));
  });
}

/** Most that are named. */
const MOST_HEADLESS = 10;

/** Columns without a header in which rows have something else than their numbers. `isRead`: what they hold is read all the same. */
export function headless(header: readonly string[], rows: Rows, isRead: (column: number) => boolean): Headless[] {
  const blank = [...header.keys()].filter((column) => header[column]?.trim() === '' && !isRead(column));
  if (blank.length === 0) return [];
  const cells = [...firstOf(rows())];
  const found: Headless[] = [];
  for (const column of blank.slice(0, MOST_COLUMNS)) {
    const values = valuesOf(cells, column);
    const [value] = values.values;
    if (value !== undefined && !(column === 0 && values.counts) && found.length < MOST_HEADLESS)
      found.push({ column, value });
  }
  return found;
}

/** A value of its own stands below, whose unit the next column may have. */
function isOfValues(header = ''): boolean {
  const { kind } = columnKind(header);
  return kind === 'characteristic' || (kind === 'unknown' && header.trim() !== '');
}

function areUnits(rows: readonly (readonly string[])[], column: number): boolean {
  const units = valuesOf(rows, column);
  return (
    units.units && units.values.some((text) => text.length >= FEWEST_LETTERS) && valuesOf(rows, column - 1).numeric
  );
}

const valuesOf = (rows: readonly (readonly string[])[], column: number): ColumnValues =>
  new ColumnValues(rows.map((cells) => cells[column] ?? ''));

/** Rows of samples, as far as they are looked at. */
export function* firstOf(rows: Iterable<readonly string[]>): Generator<readonly string[]> {
  let seen = 0;
  for (const cells of rows) {
    const first = firstText(cells);
    if (first === RECEIPT_START) return;
    if (first.startsWith('#')) continue;
    yield cells;
    if (++seen === LOOKED_AT) return;
  }
}
