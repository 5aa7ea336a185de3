/** Samples that a batch writes and that have no row yet: blocks of them, and rows where few stand together. */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import { type NewRow, type NewValues, newValuesOf, sharedByNew, withChecksums } from '../../new-rows.js';
import {
  type OverwrittenSample,
  rowOfOverwritten,
  SAMPLE_COLUMNS,
  type SampleRow,
  VIA_FILE,
} from '../../rows/sample-row.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import { type BlockValues, cellOf, inBlocks, inSameBlock } from '../../sample-blocks.js';
import type { SharedValues } from '../../sample-checksum.js';
import type { SqliteDatabase } from '../database.js';
import type { BatchContext } from './batch-context.js';
import { type BlockRow, HEAD_COLUMNS, sumOfBlock, valuesOfBlock } from './block-reader.js';
import { asBuffer, type PackedRow, packBlock } from './packed-block.js';
import { insertRow } from './sample-rows.js';

const BLOCK = `insert into sample_block (${HEAD_COLUMNS}, body) values (${HEAD_COLUMNS.split(',')
  .map(() => '?')
  .join(', ')}, ?)`;

/** Rows per statement. */
const ROWS = 20;
/** Values that each row has of its own. */
const OWN = 7;

/**
 * What all rows of a submission share is bound once per statement (`@…`), what differs once per row: binding is most
 * of what an insert costs.
 */
const SHARED = `(?, @account, @created, ?, ?, ?, ?, @account, ${VIA_FILE}, @submission, ?, 1, @created, @created, null, ?)`;
const insertOf = (rows: number): string =>
  `insert into sample (${SAMPLE_COLUMNS}) values ${Array<string>(rows).fill(SHARED).join(', ')}`;
const MANY = insertOf(ROWS);
const ONE = insertOf(1);

/** New samples: `ids[n]` is the number of the sample that the batch's row `rows[n]` becomes. */
export function insertRows(
  { database, names, now }: BatchContext,
  { account, id: submission }: SubmissionRow,
  batch: LaidOutBatch,
  rows: readonly number[],
  ids: readonly number[],
): void {
  const layout = names.layoutNumber(batch.layout);
  const valuesOf = newValuesOf(batch, layout);
  const added = rows.map((at, n) => valuesOf(at, ids[n] as number));
  const { blocks, others } = inBlocks(added, sameOfBatch);
  const shared = sharedByNew(account, submission, now);
  for (const block of blocks) insertBlock(database, block, { ...shared, layout: block[0]?.layout ?? null });
  insertSingly(database, others.map(withChecksums(shared)), { account, submission, created: now });
}

const sameOfBatch = (one: NewValues, other: NewValues): boolean => one.layout === other.layout;

function insertSingly(
  database: SqliteDatabase,
  rows: readonly NewRow[],
  shared: Pick<SharedValues, 'account' | 'submission' | 'created'>,
): void {
  const many = database.sql(MANY);
  const one = database.sql(ONE);
  let values: unknown[] = [];
  let pending = 0;
  for (const { id, name, release, layout, doc, line, crc } of rows) {
    values.push(id, name, release, layout, doc, line, crc);
    if (++pending === ROWS) {
      many.run(values, shared);
      values = [];
      pending = 0;
    }
  }
  for (let n = 0; n < pending; n++) one.run(values.slice(n * OWN, n * OWN + OWN), shared);
}

/** Samples that stand in blocks, as they are from now on: what they were stays where it is. Answers those that have rows now. */
export function insertChanged(
  database: SqliteDatabase,
  rows: readonly OverwrittenSample[],
): readonly OverwrittenSample[] {
  const { blocks, others } = inBlocks(rows, inSameBlock);
  for (const block of blocks) {
    const { shared, layout } = block[0] as OverwrittenSample;
    insertBlock(database, block, { ...shared, layout });
  }
  for (const sample of others) insertRow(database, rowOfOverwritten(sample));
  return others;
}

function insertBlock(
  database: SqliteDatabase,
  rows: readonly (PackedRow & Pick<SampleRow, 'id'>)[],
  values: BlockValues,
): void {
  const first = rows[0]?.id as number;
  const { body, ...packed } = packBlock(rows);
  const block: BlockRow = {
    ...values,
    ...packed,
    cell: cellOf(first),
    first,
    count: rows.length,
    body: asBuffer(body),
    crc: 0,
  };
  block.crc = sumOfBlock(block);
  database.sql(BLOCK).run(...valuesOfBlock(block));
}
