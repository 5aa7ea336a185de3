/** Rows above a header that read like the samples below it, as where a table was sorted with its header: nobody would read them. */
import { nearAccession, parseAccession } from '../../registry/accession.js';
import { parseDateTime } from '../../registry/date-time.js';
import type { Head, HeadRow } from '../bytes/head-rows.js';
import type { SheetPlan } from './columns.js';
import { firstRows } from './first-rows.js';

/** Cells beside the name that must be like those below: a title, a date of printing and a project have one at most. */
const LIKE = 2;
/** Longer texts are compared with none. */
const LONGEST = 200;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;
/** Templates show by such a row how to fill them. */
const EXAMPLE = /^\W*(?:e\.? ?g\b|(?:for )?examples?\b|beispiel|z\. ?b\b|(?:par )?exemple|(?:por )?ejemplo)/i;

type Place = Pick<
  SheetPlan,
  'header' | 'delimiter' | 'headerLine' | 'headerEnd' | 'nameColumn' | 'identifierColumn' | 'inSection'
>;

/** What the cells of a column below the header are. */
interface Below {
  texts: Set<string>;
  numbers: boolean;
  dates: boolean;
}

/** Their lines. Above the section that a header stands in, other things are said in rows of their own. */
export function samplesAbove(plan: Place, head: Head, prefix: string): number[] {
  const above = plan.inSection ? [] : [...rowsAbove(plan, head)];
  const wide = above.filter(({ cells }) => mayBeSample(cells, plan.nameColumn));
  if (wide.length === 0) return [];
  const below = columnsBelow(plan, head);
  return wide.filter(({ cells }) => isSample(cells, plan, below, prefix)).map(({ line }) => line);
}

function* rowsAbove({ delimiter, headerLine }: Place, head: Head): Generator<HeadRow> {
  for (const row of head.rows(delimiter)) {
    if (row.line >= headerLine) return;
    if (row.cells.length > 0) yield row;
  }
}

function mayBeSample(cells: readonly string[], nameColumn: number): boolean {
  const name = (cells[nameColumn] ?? '').trim();
  const first = cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
  return name !== '' && !first.startsWith('#') && !EXAMPLE.test(name.slice(0, LONGEST)) && !countsColumns(cells);
}

/** `1, 2, 3`: numbers of the columns. */
function countsColumns(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '').map(Number);
  return filled.every((number, at) => number === (filled[0] as number) + at);
}

function columnsBelow(plan: Place, head: Head): Below[] {
  const columns = plan.header.map((): Below => ({ texts: new Set(), numbers: true, dates: true }));
  for (const cells of firstRows(head, plan)) {
    columns.forEach((column, at) => {
      const text = (cells[at] ?? '').slice(0, LONGEST).trim();
      if (text === '') return;
      column.texts.add(text);
      column.numbers &&= NUMBER.test(text);
      column.dates &&= isDate(text);
    });
  }
  return columns;
}

function isSample(cells: readonly string[], plan: Place, below: readonly Below[], prefix: string): boolean {
  const { identifierColumn, nameColumn } = plan;
  const identifier = identifierColumn === undefined ? '' : (cells[identifierColumn] ?? '').trim();
  if (prefix !== '' && (parseAccession(prefix, identifier) ?? nearAccession(prefix, identifier)) !== undefined)
    return true;
  const others = cells.flatMap((cell, at) => (at === nameColumn || cell.trim() === '' ? [] : [at]));
  const like = others.filter((at) => isLike((cells[at] as string).slice(0, LONGEST).trim(), below[at]));
  return like.length >= LIKE && like.length * 2 >= others.length;
}

const isLike = (text: string, column: Below | undefined): boolean =>
  column !== undefined &&
  column.texts.size > 0 &&
  (column.texts.has(text) || (column.numbers && NUMBER.test(text)) || (column.dates && isDate(text)));

const isDate = (text: string): boolean => typeof parseDateTime(text) === 'number';
