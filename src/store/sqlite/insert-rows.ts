/** New samples of a batch, many per statement. */
import type { LaidOutBatch } from '../../registry/sample-batch.js';
import { newRowsOf, SAMPLE_COLUMNS, VIA_FILE } from '../sample-row.js';
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
  const shared = { account, submission, now };
  const newRow = newRowsOf(batch, { ...shared, layout: names.layoutNumber(batch.layout) });
  const many = database.sql(MANY);
  const one = database.sql(ONE);
  let values: unknown[] = [];
  let pending = 0;
  for (let n = 0; n < rows.length; n++) {
    const { id, name, release, layout, doc, line, crc } = newRow(rows[n] as number, ids[n] as number);
    values.push(id, name, release, layout, doc, line, crc);
    if (++pending === ROWS) {
      many.run(values, shared);
      values = [];
      pending = 0;
    }
  }
  for (let n = 0; n < pending; n++) one.run(values.slice(n * OWN, n * OWN + OWN), shared);
}
