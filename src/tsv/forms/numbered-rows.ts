/** Which columns of a form number its rows or have boxes to tick before anybody has filled them in, and what else all of them hold. */
import type { Head } from '../bytes/head-rows.js';
import type { SheetPlan } from '../header/columns.js';
import { firstText } from '../header/preamble.js';
import { firstOf, LOOKED_AT } from '../header/unnamed-columns.js';
import { saysNumberOfRow, wordsOf } from '../propose/header-words.js';
import { type FormRows, NUMBER, UNTICKED } from './blank-forms.js';
import { boxColumns } from './tick-boxes.js';

type Cells = readonly string[];
type Planned = Pick<
  SheetPlan,
  | 'header'
  | 'delimiter'
  | 'headerEnd'
  | 'nameColumn'
  | 'identifierColumn'
  | 'releaseColumn'
  | 'keyColumn'
  | 'relationshipColumns'
  | 'added'
  | 'errorColumns'
>;

/** Of a form that is seen whole, in UTF-16 units: the head of a file is a megabyte of bytes at most. */
const WHOLE = 256 * 1024;
/** Columns from the left. */
const MOST_COLUMNS = 100;

const textAt = (cells: Cells, column: number): string => (cells[column] ?? '').trim();

/** Undefined where no column in front of the names numbers the rows, and none has boxes to tick. */
export function formRows(plan: Planned, head: Head): FormRows | undefined {
  const columns = [...plan.header.keys()].slice(0, MOST_COLUMNS).filter((column) => maybeOfForm(plan, column));
  const front = frontOf(plan);
  const rows = [...firstOf(rowsBelow(plan, head))];
  const numbers = numberColumns(
    plan.header,
    rows,
    columns.filter((column) => column < front),
  );
  const boxes = boxColumns(plan, rows, columns, numbers);
  if (numbers.length + boxes.length === 0) return undefined;
  const alike = numbers.length > 0 ? alikeRows(plan, head, numbers, boxes) : undefined;
  return { numbers, boxes, aside: plan.errorColumns, ...(alike ? { alike } : {}) };
}

/** Of these columns, or of all, those whose header speaks of row numbers and whose cells are some. */
export function numberColumns(
  header: Cells,
  rows: readonly Cells[],
  columns: readonly number[] = [...header.keys()].slice(0, MOST_COLUMNS),
): number[] {
  return columns.filter(
    (column) => saysNumberOfRow(wordsOf((header[column] as string).slice(0, 100))) && numberRows(rows, column),
  );
}

/** Whether a row has something in these columns and in no other. */
export const isOnlyIn = (columns: readonly number[], cells: Cells): boolean =>
  columns.some((column) => textAt(cells, column) !== '') &&
  cells.every((text, column) => text.trim() === '' || columns.includes(column));

function* rowsBelow(plan: Planned, head: Head): Generator<Cells> {
  for (const { cells } of head.rowsBelow(plan)) yield cells;
}

/** Numbers of the rows stand in front of what the samples are called by. */
function frontOf({ header, nameColumn, added }: Planned): number {
  return Math.min(nameColumn, ...(added?.[nameColumn - header.length]?.join?.columns ?? []));
}

/** What means a sample is no number of its row, even where it is one, and no box. */
function maybeOfForm(plan: Planned, column: number): boolean {
  const { identifierColumn, releaseColumn, keyColumn, relationshipColumns } = plan;
  if ([identifierColumn, releaseColumn, keyColumn].includes(column)) return false;
  return relationshipColumns.every((each) => each.column !== column);
}

/**
 * Whole numbers, none twice, of which no more were left out than there are: lines of a form may have been deleted or sorted. What stands
 * alone in its row is a remark below the form.
 */
function numberRows(rows: readonly Cells[], column: number): boolean {
  const numbers = new Set<number>();
  let most = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const cells of rows) {
    const text = textAt(cells, column);
    if (text === '') continue;
    if (!NUMBER.test(text)) {
      if (isOnlyIn([column], cells)) continue;
      return false;
    }
    const number = Number.parseInt(text, 10);
    if (numbers.has(number)) return false;
    numbers.add(number);
    most = Math.max(most, number);
    least = Math.min(least, number);
  }
  return numbers.size > 1 && most - least < 2 * numbers.size;
}

/**
 * Only of a form that is seen to its end. Where the samples have nothing but their names beside what all rows hold, a row without a name
 * may be one whose name was forgotten; a date of release alone makes no sample.
 */
function alikeRows(plan: Planned, head: Head, numbers: readonly number[], boxes: readonly number[]): FormRows['alike'] {
  const { header, nameColumn, releaseColumn, errorColumns } = plan;
  if (!head.complete || head.text.length > WHOLE || nameColumn >= header.length) return undefined;
  const isRemark = (cells: Cells): boolean => firstText(cells).startsWith('#') || isWordAlone(numbers, cells);
  const rows = [...head.rowsBelow(plan)].filter(({ cells }) => !isRemark(cells));
  if (rows.length > LOOKED_AT) return undefined;
  const aside = new Set([...numbers, ...errorColumns, nameColumn]);
  const cells = [...header.keys()].flatMap((column) => {
    const text = textAt(rows[0]?.cells ?? [], column);
    if (aside.has(column) || text === '') return [];
    return rows.every((row) => textAt(row.cells, column) === text) ? [{ column, text }] : [];
  });
  if (cells.length === 0) return undefined;
  const known = new Set([...aside, ...cells.map(({ column }) => column)]);
  const hasOwn = (row: Cells): boolean => row.some((text, column) => isFilled(text) && !known.has(column));
  const named = rows.filter((row) => isFilled(row.cells[nameColumn]));
  const isDate = cells.every(({ column }) => column === releaseColumn);
  if (!isDate && !named.every((row) => hasOwn(row.cells))) return undefined;
  const isBegun = (row: Cells): boolean =>
    row.some(
      (text, column) => isFilled(text) && !known.has(column) && !(boxes.includes(column) && UNTICKED.test(text.trim())),
    );
  const last = rows.findLast((row) => isFilled(row.cells[nameColumn]) || isBegun(row.cells));
  return { cells, below: last?.line ?? plan.headerEnd };
}

/** As `Signature:` below a form. */
const isWordAlone = (numbers: readonly number[], cells: Cells): boolean =>
  isOnlyIn(numbers, cells) && !NUMBER.test(firstText(cells));

const isFilled = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';
