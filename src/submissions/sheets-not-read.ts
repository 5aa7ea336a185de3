/** The warning about a workbook of which one sheet is read and several name samples. */
import { rowIssue, shorten } from '../registry/row-issue.js';
import type { Issue, LaidOutBatch } from '../registry/sample-batch.js';
import type { SheetPlan } from '../tsv/header/columns.js';
import type { UploadOptions } from './submission.js';

const MAX_NAMED = 10;

/** The first batch of the file carries it; whoever goes on behind a worker that was lost gives none of its own. */
export async function* warnOfOtherSheets(
  batches: AsyncIterable<LaidOutBatch>,
  { headerLine: line }: Pick<SheetPlan, 'headerLine'>,
  { readAs }: Pick<UploadOptions, 'readAs'>,
  cursor: number,
): AsyncGenerator<LaidOutBatch> {
  let issue = readAs?.notRead && cursor === 0 ? notRead(line, readAs.sheet, readAs.notRead) : undefined;
  for await (const batch of batches) {
    if (issue) batch.warnings = [{ line, name: '', issues: [issue] }, ...(batch.warnings ?? [])];
    issue = undefined;
    yield batch;
  }
}

function notRead(line: number, sheet: string, others: readonly string[]): Issue {
  const named = others.slice(0, MAX_NAMED).map((name) => `"${name}"`);
  const listed = named.join(', ') + (others.length > named.length ? ' …' : '');
  const one = others.length === 1;
  return rowIssue(
    'sheet.not-read',
    { line },
    {
      message: `Of the workbook the sheet "${shorten(sheet)}" was read alone; ${listed} ${one ? 'names' : 'name'} samples, too. If ${one ? 'these are' : 'those are'} to be registered, upload the workbook once more${one ? '' : ' for each of them'}, naming the sheet with the option sheet.`,
    },
  );
}
