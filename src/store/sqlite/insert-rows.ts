/** New samples of a batch, many per statement. */
import { batchCells, batchName, type LaidOutBatch, newRelease } from '../../registry/sample-batch.js';
import { SAMPLE_COLUMNS, VIA_FILE } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import type { BatchContext } from './batch-context.js';

/** Rows per statement. */
const ROWS = 20;

/**
 * What all rows of a submission share is bound once per statement (`@…`), what differs once per row: binding is most
 * of what an insert costs.
 */
const SHARED = `(?, ?, @account, ?, ?, ?, @account, ${VIA_FILE}, @submission, ?, 1, @now, @now, @now, null)`;
const insertOf = (rows: number): string =>
  `insert into sample (${SAMPLE_COLUMNS}) values ${Array<string>(rows).fill(SHARED).join(', ')}`;
const MANY = insertOf(ROWS);
const ONE = insertOf(1);

/** `ids[n]` is the number of the sample that the batch's row `rows[n]` becomes. */
export function insertRows(
  { database, names, now }: BatchContext,
  { account, id: submission }: SubmissionRow,
  batch: LaidOutBatch,
  rows: readonly number[],
  ids: readonly number[],
): void {
  const layout = names.layoutNumber(batch.layout);
  const shared = { account, submission, now };
  const many = database.sql(MANY);
  const one = database.sql(ONE);
  const hasDocuments = batch.documents.size > 0;
  let values: unknown[] = [];
  let pending = 0;
  for (let n = 0; n < rows.length; n++) {
    const at = rows[n] as number;
    const document = hasDocuments ? batch.documents.get(at) : undefined;
    values.push(
      ids[n],
      batchName(batch, at),
      newRelease(batch, at),
      document === undefined ? layout : null,
      document ?? batchCells(batch, at),
      batch.lines[at],
    );
    if (++pending === ROWS) {
      many.run(values, shared);
      values = [];
      pending = 0;
    }
  }
  for (let n = 0; n < pending; n++) one.run(values.slice(n * 6, n * 6 + 6), shared);
}
