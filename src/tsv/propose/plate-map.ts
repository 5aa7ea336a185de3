/** Sheets that show the wells of a plate as they lie: columns called 1, 2, 3…, rows called A, B, C…, and in each cell what is in the well. */
import { RegistryError } from '../../registry/errors.js';
import type { Head, HeadRow } from '../bytes/head-rows.js';
import type { Delimiter } from '../dialect.js';

interface PlateMap {
  line: number;
  /** Of the first plate, from 1. */
  columns: number;
  rows: number;
}

/** Of the smallest plate: a table of three columns or one row may be anything. */
const LEAST_COLUMNS = 6;
const LEAST_ROWS = 2;
const LOOKED_AT = 200;
/** Cells of a row beside a map that is a title or a remark. */
const TITLE = 2;

/**
 * For a sheet of which no column is known to name samples: read row by row, the wells would be values of eight samples.
 * @throws RegistryError file.wrong-kind
 */
export function refusePlate(head: Head, delimiter: Delimiter): void {
  const map = plateMap(head.rowsBelow({ delimiter, headerEnd: 0 }));
  if (!map) return;
  const { line, columns, rows } = map;
  throw new RegistryError(
    'file.wrong-kind',
    `Line ${line}: this is the map of a plate, with its wells in rows A to ${rowTitle(rows - 1)} and columns 1 to ${columns}, and no list of samples. Make a list of it, with a row for each sample and its well in a column (Well: A1), and upload that.`,
    { extra: { line } },
  );
}

/** The first map of a sheet that has nothing but such maps and their titles. */
function plateMap(rows: Iterable<HeadRow>): PlateMap | undefined {
  const maps: (PlateMap & { corner: number })[] = [];
  let seen = 0;
  for (const { line, cells } of rows) {
    if (++seen > LOOKED_AT) break;
    const map = maps.at(-1);
    const begun = columnsOf(cells);
    if (begun) maps.push({ line, ...begun, rows: 0 });
    else if (map && cells[map.corner]?.trim().toUpperCase() === rowTitle(map.rows)) map.rows++;
    else if (cells.filter((cell) => cell.trim() !== '').length > TITLE) return undefined;
  }
  return maps[0] && maps.every((map) => map.rows >= LEAST_ROWS) ? maps[0] : undefined;
}

/** `A` to `Z`, then `AA`: plates of 1536 wells have 32 rows. */
const rowTitle = (row: number): string =>
  row < 26 ? String.fromCharCode(65 + row) : `A${String.fromCharCode(65 + row - 26)}`;

/** How many columns of a plate a row names, and the cell before the first: whatever stands there, it calls no well. */
function columnsOf(cells: readonly string[]): { columns: number; corner: number } | undefined {
  const first = cells.findIndex((cell) => Number(cell) === 1 && cell.trim() !== '');
  if (first < 1 || cells.slice(0, first - 1).some((cell) => cell.trim() !== '')) return undefined;
  let columns = 1;
  while (Number(cells[first + columns]) === columns + 1) columns++;
  return columns >= LEAST_COLUMNS ? { columns, corner: first - 1 } : undefined;
}
