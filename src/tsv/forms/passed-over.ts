/** What is said of rows that are no samples and hold something: those of a form that nobody has filled in, and those that a failed formula makes remarks. */
import { rowIssue } from '../../registry/row-issue.js';
import type { RejectedRow } from '../../registry/samples/sample-batch.js';
import { cellPlace, columnTitle } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';
import type { SomeRows } from '../rows/data-rows.js';

export function passedOver(plan: SheetPlan, { count, first, last }: SomeRows): RejectedRow {
  const line = plan.headerLine;
  const { numbers = [], boxes = [] } = plan.form ?? {};
  const [column = 0] = numbers.length > 0 ? numbers : boxes;
  const title = columnTitle(plan, column);
  const what =
    numbers.length > 0
      ? `what stands in all rows of the form, as the number in ${title}`
      : `boxes that are not ticked, as the one in ${title}`;
  const [rows, hold] = count === 1 ? ['1 row', 'holds'] : [`${count} rows`, 'hold'];
  const message = `${rows} (${linesOf({ count, first, last })}) ${hold} nothing but ${what}, and ${count === 1 ? 'was' : 'were'} passed over like blank ones.`;
  const issue = rowIssue('sheet.rows-passed-over', cellPlace(plan, line, column), { message });
  return { line, name: '', issues: [issue] };
}

export function failedRows(plan: SheetPlan, { count, first, last }: SomeRows): RejectedRow {
  const line = plan.headerLine;
  const one = count === 1;
  const message = `${one ? '1 row' : `${count} rows`} (${linesOf({ count, first, last })}) ${one ? 'begins' : 'begin'} with what a spreadsheet shows when a formula failed, such as #N/A, and ${one ? 'has' : 'have'} no Sample Name: ${one ? 'it was' : 'they were'} passed over as ${one ? 'a remark' : 'remarks'}. Where ${one ? 'it is a sample' : 'they are samples'}, enter the values themselves and the name, and upload ${one ? 'it' : 'them'}.`;
  const issue = rowIssue('sheet.rows-passed-over', cellPlace(plan, line, plan.nameColumn), { message });
  return { line, name: '', issues: [issue] };
}

function linesOf({ count, first, last }: SomeRows): string {
  if (count === 1) return `line ${first}`;
  return last - first < count ? `lines ${first} to ${last}` : `among lines ${first} to ${last}`;
}
