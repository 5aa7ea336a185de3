/** New samples of a batch, many per statement. */
import { batchCells, batchName, type LaidOutBatch, newRelease } from '../../registry/sample-batch.js';
import { checksumWith } from '../sample-checksum.js';
import { newRowSum, SAMPLE_COLUMNS, VIA_FILE } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import type { BatchContext } from './batch-context.js';

/** Rows per statement. */
const ROWS = 20;
/** Values that each row has of its own. */
const OWN = 7;

/**
 * What all rows of a submission share is bound once per statement (`@…`), what differs once per row: binding is most
 * of what an insert costs.
 */
const SHARED = `(?, @account, @now, ?, ?, ?, ?, @account, ${VIA_FILE}, @submission, ?, 1, @now, @now, null, ?)`;
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
  const sum = newRowSum(account, submission, now);
  const many = database.sql(MANY);
  const one = database.sql(ONE);
  const hasDocuments = batch.documents.size > 0;
  let values: unknown[] = [];
  let pending = 0;
  for (let n = 0; n < rows.length; n++) {
    const at = rows[n] as number;
    const id = ids[n] as number;
    const line = batch.lines[at] as number;
    const name = batchName(batch, at);
    const release = newRelease(batch, at);
    const document = hasDocuments ? batch.documents.get(at) : undefined;
    const kind = document === undefined ? layout : null;
    const doc = document ?? batchCells(batch, at);
    values.push(id, name, release, kind, doc, line, checksumWith(sum, id, release, kind, line, name, doc));
    if (++pending === ROWS) {
      many.run(values, shared);
      values = [];
      pending = 0;
    }
  }
  for (let n = 0; n < pending; n++) one.run(values.slice(n * OWN, n * OWN + OWN), shared);
}
