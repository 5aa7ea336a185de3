/** Where cells of a planned sheet stand, in the words of its header. */
import type { CheckedSheet } from '../../registry/checklist.js';
import { shorten } from '../../registry/row-issue.js';
import type { IssuePlace, RowPlaces, SheetPlace } from '../../registry/row-places.js';
import { columnLetter } from '../dialect.js';
import type { SheetPlan } from './columns.js';

type Titled = Pick<SheetPlan, 'header' | 'added'>;

/** The header text of a column as messages name it. */
export function columnTitle(plan: Titled, column: number): string {
  const text = (plan.header[column] ?? plan.added?.[column - plan.header.length]?.title)?.trim();
  return text ? shorten(text) : `column ${columnLetter(column)}`;
}

export const cellPlace = (plan: Titled, line: number, column: number): IssuePlace => ({
  line,
  ...columnPlace(plan, column),
});

const columnPlace = (plan: Titled, column: number): SheetPlace => ({
  column: columnTitle(plan, column),
  columnLetter: columnLetter(column),
});

export function sheetPlaces(plan: SheetPlan): RowPlaces {
  const { identifierColumn, releaseColumn, keyColumn } = plan;
  return {
    form: 'sheet',
    name: columnPlace(plan, plan.nameColumn),
    ...(identifierColumn === undefined ? {} : { accession: columnPlace(plan, identifierColumn) }),
    ...(releaseColumn === undefined ? {} : { release: columnPlace(plan, releaseColumn) }),
    ...(keyColumn === undefined ? {} : { key: columnPlace(plan, keyColumn) }),
  };
}

/** The sheet as checklists want to know it, for issues in its own words. */
export function checkedSheet(plan: SheetPlan): CheckedSheet {
  const place = (column: number) => columnPlace(plan, column);
  return {
    layout: plan.layout,
    cells: plan.keptColumns.map(place),
    name: place(plan.nameColumn),
    headers: plan.header.map((_, column) => place(column)),
  };
}
