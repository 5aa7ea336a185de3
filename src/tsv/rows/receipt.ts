/**
 * The receipt below the rows of a result: lines that are no samples, from one marker to the other. Of one that has lost its
 * end nobody can say which of the lines behind it are rows, so such a file is refused. Its rows are known without the markers,
 * too: whoever sorts a table takes them along.
 */
import { RegistryError } from '../../registry/errors.js';
import { rowIssue } from '../../registry/row-issue.js';
import type { Issue } from '../../registry/samples/sample-batch.js';
import type { Row } from '../bytes/row.js';
import { cellPlace } from '../header/cell-place.js';
import type { SheetPlan } from '../header/columns.js';

export const RECEIPT_START = '********RECEIPT START********';
export const RECEIPT_END = '********RECEIPT END********';

/** @param line of the marker that begins the receipt, as a text editor shows it */
export const receiptUnclosed = (line: number): RegistryError =>
  new RegistryError(
    'file.receipt-unclosed',
    `Line ${line}: a receipt begins here and has no end, the line ${RECEIPT_END}, before the next one begins or the file ends; ` +
      'what stands behind it could be rows. Delete what is left of the receipt, or put its last line back.',
    { extra: { line } },
  );

const NUMBER = /^\d+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ANY = /^./s;

/** Labels of a receipt, each with what stands behind it: a sample may be called `Created` or `File`, and has more or other cells then. */
const ROWS: Readonly<Record<string, readonly RegExp[]>> = {
  'Submission ID': [UUID],
  File: [ANY],
  Status: [/^(?:ACTIVE|COMPLETED|COMPLETED_WITH_ERRORS|FAILED|CANCELLED)$/],
  Created: [NUMBER],
  Updated: [NUMBER],
  Unchanged: [NUMBER],
  Rejected: [NUMBER],
  'Would become public': [NUMBER, ANY],
  'Became public': [NUMBER, ANY],
  'Created public': [NUMBER],
  'Dry run': [/^nothing was written/],
  'Dry run carried out': [UUID],
  'Columns read anew': [/^the samples of submission/],
  'Submission undone': [UUID],
  Processing: [/^up to line/],
  Problem: [/^[a-z]+\.[a-z-]+$/, ANY],
  'Rows not read': [/^from line/],
  'Read from': [/^(?:sheet of the workbook|file of the archive)$/, ANY],
  Study: [ANY, /^from the investigation file$/],
  'Release date': [/^\d{4}-/, /^(?:of the study|as the import profile)/],
  'Samples named by the column': [ANY],
  'Cells separated by': [ANY],
  'Header in two rows': [/^from line/],
  'Row of the header, no sample': [/^line/],
  'Row of units, no sample': [/^line/],
  'Row about the columns, no sample': [/^up to line/],
  'Standing sheet': [ANY],
  Missing: [NUMBER, /^of \d+ samples/],
  Plan: [/^(?:WAITING|COMMITTED|STOPPED)$/, ANY],
  Withdrawn: [NUMBER, /^missing samples$/],
  Left: [NUMBER, /^missing samples/],
};

/** Rows with any number of cells behind what they begin with. */
const LISTS: Readonly<Record<string, RegExp>> = {
  'Changes of others': ANY,
  'Changes not listed': /^the first are here/,
  'Columns read as': ANY,
  'Columns kept as characteristics because of a plain header': ANY,
  'Columns not stored in the samples': ANY,
  'Not read': /^sheets that name samples/,
  'Read as': ANY,
  Line: /^Column$/,
};

const CODE = /^(?:change|[a-z]+\.[a-z-]+)$/;

/** Names come by the million: most begin otherwise than any label. */
const INITIALS = new Set(['line ', ...Object.keys(ROWS), ...Object.keys(LISTS)].map((label) => label.charCodeAt(0)));

/** Whether a receipt has such a row. */
function isReceiptRow(row: Row): boolean {
  if (!INITIALS.has(row.text.charCodeAt(row.trimmedStart(0)))) return false;
  const label = row.cell(0);
  const isLine = /^line \d+$/.test(label);
  if (!isLine && !Object.hasOwn(ROWS, label) && !Object.hasOwn(LISTS, label)) return false;
  const said = row
    .toCells()
    .slice(1)
    .map((cell) => cell.trim());
  while (said.at(-1) === '') said.pop();
  if (isLine) return CODE.test(said[1] ?? '');
  if (Object.hasOwn(LISTS, label)) return LISTS[label]?.test(said[0] ?? '') === true;
  const forms = ROWS[label] as readonly RegExp[];
  return said.length > 0 && said.length <= forms.length && said.every((text, at) => forms[at]?.test(text));
}

/** What is wrong with a row of a receipt among those of the sheet. Only one that may be a result has any. */
export function receiptRow(row: Row, plan: SheetPlan): Issue | undefined {
  if (plan.identifierColumn === undefined || !isReceiptRow(row)) return undefined;
  const message =
    'The row is one of a receipt and no sample: the table was sorted with it, or the lines around it are gone. Delete the rows of the receipt.';
  return rowIssue('row.of-receipt', cellPlace(plan, row.line, 0), { value: row.cell(0), message });
}
