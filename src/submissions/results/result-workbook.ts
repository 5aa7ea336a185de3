/** A result as the rows of a workbook whose cells are text: what a spreadsheet neither calculates nor rounds, and goes back in. */
import { RegistryError } from '../../registry/errors.js';
import type { SheetPlan } from '../../tsv/header/columns.js';
import { resultCells, resultHead } from '../../tsv/print/write.js';
import { RECEIPT_END, RECEIPT_START } from '../../tsv/rows/receipt.js';
import type { Submission } from '../submission.js';
import { written } from '../written.js';
import type { MarkedCell, MarkedWorkbook } from './marked-rows.js';
import type { readOutcomes } from './outcomes.js';
import { formOf } from './result-form.js';

/** Rows that a result has beyond those of the samples, its list of issues aside. */
const OTHER_ROWS = 1000;
/** Lines named of rows that no worksheet holds. */
const NAMED_LINES = 100;

interface ResultParts {
  outcomes: ReturnType<typeof readOutcomes>;
  receipt: AsyncIterable<string[][]>;
}

/** @throws RegistryError not-acceptable for what came as JSON, request.invalid where a worksheet does not hold it */
export function requireSheetResult(submission: Submission, plan: SheetPlan, limits: MarkedWorkbook['limits']): void {
  const { id, counts } = submission;
  if (formOf(submission) !== 'sheet') {
    throw new RegistryError(
      'not-acceptable',
      `Submission ${id} came as JSON, and so does its result; GET /samples/template?submission=${id}&format=xlsx has its samples as a workbook.`,
    );
  }
  const cells = (counts.rows + OTHER_ROWS) * (plan.header.length + 2);
  if (counts.rows + OTHER_ROWS <= limits.rows && cells <= limits.cells) return;
  throw new RegistryError(
    'request.invalid',
    `The result has ${counts.rows} rows of ${plan.header.length} columns, which no worksheet holds that could be read again. Take it as format=tsv.`,
  );
}

/** The result row by row; the issues of the receipt as many as the worksheet has room for. */
export async function* resultTable(
  submission: Submission,
  plan: SheetPlan,
  { outcomes, receipt }: ResultParts,
  limits: MarkedWorkbook['limits'],
): AsyncGenerator<readonly MarkedCell[]> {
  let room = limits.rows - OTHER_ROWS;
  const tooLong: number[] = [];
  for (const row of resultHead(plan, submission.options.releaseDate !== undefined)) {
    yield row.map((text) => ({ text, mark: 'header' }));
  }
  for await (const batch of outcomes) {
    for (const outcome of batch) {
      const cells = resultCells(plan, outcome.row, written(plan, outcome, submission.options));
      if (cells.some(({ length }) => length > limits.cellText)) tooLong.push(outcome.row.line);
      else yield cells.map((text) => ({ text }));
      room -= 1;
    }
  }
  const ours = (row: readonly string[]): MarkedCell[] => row.map((text) => ({ text: text.slice(0, limits.cellText) }));
  yield [];
  yield ours([RECEIPT_START]);
  if (tooLong.length > 0) yield ours(leftOut(tooLong));
  for await (const rows of receipt) {
    for (const row of rows.slice(0, Math.max(0, room))) yield ours(row);
    room -= rows.length;
  }
  if (room < 0) yield ours(['Not listed', String(-room), 'further rows of this receipt; the result as TSV has them']);
  yield ours([RECEIPT_END]);
}

const leftOut = (lines: readonly number[]): string[] => [
  'Rows left out',
  String(lines.length),
  'a cell of a workbook does not hold their text; the result as TSV has them',
  `lines ${lines.slice(0, NAMED_LINES).join(', ')}${lines.length > NAMED_LINES ? ' …' : ''}`,
];
