/** New samples of a batch: what they share as values, what differs as columns. */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import { type NewRow, newRowsOf, sharedByNew } from '../../new-rows.js';
import { SAMPLE_COLUMNS, VIA_FILE } from '../../rows/sample-row.js';
import { JoinedTexts, numberArray } from '../text.js';
import type { BatchContext } from './batch-context.js';
import { type Statement, writingBlocks } from './write-samples.js';

const INSERT = `insert into sample (${SAMPLE_COLUMNS})
  select id, $1, $5, coalesce(name, ''), release, case when nth = any($2::int[]) then null else $3::int end, coalesce(doc, ''),
    $1, ${VIA_FILE}, $4, line, 1, $5, $5, null, crc
  from rows from (unnest($6::bigint[]), unnest(string_to_array($7, E'\\x1f')), unnest($8::bigint[]),
    unnest(string_to_array($9, E'\\x1f')), unnest($10::int[]), unnest($11::int[]))
    with ordinality as new (id, name, release, doc, line, crc, nth)`;

const alike = (one: NewRow, other: NewRow): boolean => one.layout === other.layout;

/** What inserts new rows, and what they are. */
export interface NewSamples {
  rows: readonly number[];
  /** `ids[n]` is the number of the sample that the batch's row `rows[n]` becomes. */
  ids: readonly number[];
  statements: readonly Statement[];
}

/** Of whom, in which layout, and when. */
export type InsertedFor = Pick<BatchContext, 'now' | 'blocks'> & {
  account: number;
  submission: number;
  layout: number;
};

export async function newSamples(
  { account, submission, layout, now, blocks: allowed }: InsertedFor,
  batch: LaidOutBatch,
  rows: readonly number[],
  ids: readonly number[],
): Promise<NewSamples> {
  const newRow = newRowsOf(batch, { account, submission, now, layout });
  const added = rows.map((at, n) => newRow(at, ids[n] as number));
  const { blocks, others } = await allowed.among(added, alike);
  const shared = sharedByNew(account, submission, now);
  const statements: Statement[] = [];
  if (blocks.length > 0) {
    const written = blocks.map((block) => ({
      values: { ...shared, layout: (block[0] as NewRow).layout },
      rows: block,
    }));
    statements.push(writingBlocks(written));
  }
  if (others.length === 0) return { rows, ids, statements };
  const asDocuments = others.flatMap((row, n) => (row.layout === null ? [n + 1] : []));
  const values = [
    account,
    numberArray(asDocuments),
    layout,
    submission,
    now,
    numberArray(others.map(({ id }) => id)),
    new JoinedTexts(others.map(({ name }) => name)),
    numberArray(others.map(({ release }) => release)),
    new JoinedTexts(others.map(({ doc }) => doc)),
    numberArray(others.map(({ line }) => line)),
    numberArray(others.map(({ crc }) => crc)),
  ];
  return { rows, ids, statements: [...statements, [INSERT, values]] };
}
