/** Which columns of a form have a box to tick in each row: a spreadsheet writes FALSE for those of rows that nobody has filled in. */
import type { SheetPlan } from '../header/columns.js';
import { UNTICKED } from './blank-forms.js';

type Planned = Pick<SheetPlan, 'header' | 'nameColumn' | 'errorColumns'>;

/** In the languages of `UNTICKED`. */
const TICKED = /^(?:true|wahr|vrai|verdadero|vero|verdadeiro|waar|sant|sandt?|prawda|tosi)$/i;

/**
 * Of these columns those that hold nothing but ticked and unticked boxes. None where a sample has nothing beside them but its name and
 * number: a row without a name may be one whose name was forgotten.
 */
export function boxColumns(
  { header, nameColumn, errorColumns }: Planned,
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  numbers: readonly number[],
): number[] {
  if (nameColumn >= header.length) return [];
  const boxes = columns.filter((column) => column !== nameColumn && areBoxes(rows, column));
  if (boxes.length === 0) return [];
  const others = new Set([nameColumn, ...errorColumns, ...numbers, ...boxes]);
  const isSaid = (cells: readonly string[]): boolean =>
    !isFilled(cells[nameColumn]) || cells.some((text, column) => isFilled(text) && !others.has(column));
  return rows.every(isSaid) ? boxes : [];
}

function areBoxes(rows: readonly (readonly string[])[], column: number): boolean {
  let some = false;
  for (const cells of rows) {
    const text = (cells[column] ?? '').trim();
    if (text === '') continue;
    if (!UNTICKED.test(text) && !TICKED.test(text)) return false;
    some = true;
  }
  return some;
}

const isFilled = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';
