/** Of a wide row as many cells as a browser draws at once without a stop; the others are named by their number. */
import { columnLetter } from '../../../src/tsv/dialect.js';

/** Wider rows are shown in part. */
const MOST_COLUMNS = 60;

/** Places of the columns that are shown: those around `at`, or the first. */
export function shownColumns(width: number, at = 0): number[] {
  const from = Math.max(0, Math.min(at - MOST_COLUMNS / 2, width - MOST_COLUMNS));
  return Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, place) => from + place);
}

/** Undefined where all are shown. */
export function notShown(width: number, places: readonly number[]): string | undefined {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || places.length >= width) return undefined;
  return `Columns ${columnLetter(first)} to ${columnLetter(last)} are shown; of ${width} columns the others are not.`;
}
