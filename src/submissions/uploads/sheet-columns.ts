/** What becomes of a sheet's columns, as the status says it; and the warning about a sheet that says nothing of its samples. */

import { rowIssue, shorten } from '../../registry/row-issue.js';
import type { Issue, LaidOutBatch } from '../../registry/samples/sample-batch.js';
import type { ProfileOfPlan, SheetPlan } from '../../tsv/header/columns.js';
import type { HeaderList, SheetColumns, UploadOptions } from '../submission.js';
import { isOfWorkbook } from './read-as.js';

const MAX_HEADERS = 100;

export function sheetColumns(plan: SheetPlan): SheetColumns {
  const { profile } = plan;
  return {
    ...(profile ? { profile: named(profile) } : {}),
    fromPlainHeaders: headerList(plan.fromPlainHeaders),
    notStored: headerList(plan.notStored),
    nothingStored: plan.keptColumns.length === 0,
    ...(plan.json ? { json: plan.json } : {}),
  };
}

const named = ({ name, title, version }: ProfileOfPlan): SheetColumns['profile'] & object => ({
  name,
  title,
  ...(version === undefined ? {} : { version }),
});

const headerList = (texts: readonly string[]): HeaderList => ({
  count: texts.length,
  headers: texts.slice(0, MAX_HEADERS).map((text) => shorten(text)),
});

/**
 * The batches; the last one carries a warning when no row of the sheet had anything but a name, an identifier and a
 * date. One batch is held back as long as that is possible.
 */
export async function* warnIfNothingStored(
  batches: AsyncIterable<LaidOutBatch>,
  plan: SheetPlan,
  options: UploadOptions,
  content: { readonly found: boolean },
): AsyncGenerator<LaidOutBatch> {
  let held: LaidOutBatch | undefined;
  for await (const batch of batches) {
    if (held) yield held;
    held = content.found ? undefined : batch;
    if (!held) yield batch;
  }
  if (!held) return;
  const issue = nothingStored(plan, options);
  held.warnings = [{ line: issue.line, name: '', issues: [issue] }, ...(held.warnings ?? [])];
  yield held;
}

function nothingStored(plan: SheetPlan, options: UploadOptions): Issue {
  const sheet = isOfWorkbook(options) ? `the sheet "${shorten(options.readAs?.sheet ?? '')}"` : 'this file';
  const empty = plan.keptColumns.length > 0 ? ', because its other columns are empty' : '';
  return rowIssue(
    'sheet.nothing-stored',
    { line: plan.headerLine },
    {
      message: `Nothing but names and dates is stored of ${sheet}${empty}. ${remedy(plan, options)}`,
    },
  );
}

function remedy({ notStored }: SheetPlan, options: UploadOptions): string {
  const other = isOfWorkbook(options)
    ? ' If the samples are described on another sheet of the workbook, name that one.'
    : '';
  if (notStored.length === 0) return `Add columns that describe the samples, such as organism or tissue.${other}`;
  const names = notStored.slice(0, 5).map((text) => shorten(text, 60));
  const listed = names.join(', ') + (notStored.length > names.length ? ' …' : '');
  const how =
    options.unknownColumns === 'ignore'
      ? 'Have unknown columns kept as characteristics (unknownColumns=characteristics), or name'
      : 'Name';
  return `Not stored: ${listed}. ${how} the columns that describe the samples Characteristics[name].${other}`;
}
