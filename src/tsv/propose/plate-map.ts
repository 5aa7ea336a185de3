/**
 * Sheets that show the wells of a plate as they lie: columns called 1, 2, 3…, rows called A, B, C…, or the other way round, and in each
 * cell what is in the well.
 */
import { RegistryError } from '../../registry/errors.js';
import type { Head, HeadRow } from '../bytes/head-rows.js';
import type { Delimiter } from '../dialect.js';

interface PlateMap {
  line: number;
  /** The column that calls its rows; -1 where they have no names. */
  corner: number;
  /** What its columns are called by; its rows are called by the other. */
  above: 'numbers' | 'letters';
  columns: number;
  rows: number;
}

/** Of the smallest plate, and of one that lies on its side: a table of fewer columns, or of one row, may be anything. */
const LEAST = { numbers: 6, letters: 8 } as const;
const LEAST_ROWS = 2;
/** Columns of plates, which are half as many again as their rows: without names of rows, no other number is one of wells. */
const PLATES = [6, 12, 24, 48];
const LOOKED_AT = 200;
/** Cells of a row beside a map that is a title or a remark. */
const TITLE = 2;

/**
 * For a sheet of which no column is known to name samples: read row by row, the wells would be values of eight samples.
 * @param amid other rows may stand around the map, as programs of plate readers write them: nothing of the sheet could name samples
 * @throws RegistryError file.wrong-kind
 */
export function refusePlate(head: Head, delimiter: Delimiter, amid = false): void {
  const map = plateMap(head.rowsBelow({ delimiter, headerEnd: 0 }), amid);
  if (!map) return;
  const { line, corner, above, columns, rows } = map;
  const below = above === 'numbers' ? 'letters' : 'numbers';
  const titled = corner < 0 ? '' : `rows ${span(below, rows)} and `;
  throw new RegistryError(
    'file.wrong-kind',
    `Line ${line}: this is the map of a plate, with its wells in ${titled}columns ${span(above, columns)}, and no list of samples. Make a list of it, with a row for each sample and its well in a column (Well: A1), and upload that.`,
    { extra: { line } },
  );
}

/** The first map of a sheet that has nothing but such maps and their titles, side by side or below each other. */
function plateMap(rows: Iterable<HeadRow>, amid: boolean): PlateMap | undefined {
  const maps: PlateMap[] = [];
  const open = new Map<number, PlateMap>();
  let seen = 0;
  for (const { line, cells } of rows) {
    if (++seen > LOOKED_AT) break;
    const going = [...open.values()].filter((map) => hasNext(map, cells));
    for (const map of going) map.rows++;
    const begun = mapsBegun(cells).map((map): PlateMap => ({ ...map, line, rows: 0 }));
    for (const map of begun) open.set(map.corner, map);
    maps.push(...begun);
    const isOfMap = going.length + begun.length > 0;
    if (!isOfMap && !amid && filled(cells) > TITLE) return undefined;
  }
  const whole = maps.filter((map) => map.rows >= LEAST_ROWS);
  return amid || whole.length === maps.length ? whole[0] : undefined;
}

function hasNext({ corner, above, columns, rows }: PlateMap, cells: readonly string[]): boolean {
  if (corner >= 0) return isCalled(cells[corner], above === 'numbers' ? 'letters' : 'numbers', rows);
  return rows * 3 < columns * 2 && cells.length <= columns && filled(cells) > 1;
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;

function isCalled(cell: string | undefined, by: PlateMap['above'], at: number): boolean {
  const text = cell?.trim() ?? '';
  if (text === '') return false;
  return by === 'letters' ? text.toUpperCase() === letters(at) : Number(text) === at + 1;
}

/** `A` to `Z`, then `AA`: plates of 1536 wells have 32 rows. */
const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : `A${String.fromCharCode(65 + at - 26)}`;

const span = (by: PlateMap['above'], count: number): string =>
  by === 'letters' ? `A to ${letters(count - 1)}` : `1 to ${count}`;

/** The plates whose columns a row names, with the cell before the first of each: whatever stands there, it calls no well. */
function mapsBegun(cells: readonly string[]): Pick<PlateMap, 'corner' | 'above' | 'columns'>[] {
  const maps: Pick<PlateMap, 'corner' | 'above' | 'columns'>[] = [];
  let first = 0;
  while (first < cells.length) {
    const by = isCalled(cells[first], 'numbers', 0) ? 'numbers' : 'letters';
    let columns = 0;
    while (isCalled(cells[first + columns], by, columns)) columns++;
    const isBare = maps.length > 0 || cells.slice(0, Math.max(first - 1, 0)).every((cell) => cell.trim() === '');
    const map = { corner: first - 1, above: by, columns } as const;
    if (isBare && columns >= LEAST[by] && isPlate(map, cells)) maps.push(map);
    first += Math.max(columns, 1);
  }
  return maps;
}

function isPlate({ corner, above, columns }: Omit<PlateMap, 'line' | 'rows'>, cells: readonly string[]): boolean {
  if (corner < 0) return above === 'numbers' && PLATES.includes(columns) && filled(cells) === columns;
  // A table whose rows are numbered may have columns that are called by letters.
  return above === 'numbers' || cells[corner]?.trim() === '';
}
