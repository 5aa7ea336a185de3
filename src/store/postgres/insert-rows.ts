/** New samples of a batch, all in one statement: what they share as values, what differs as columns. */
import type { LaidOutBatch } from '../../registry/sample-batch.js';
import { newRowsOf, SAMPLE_COLUMNS, VIA_FILE } from '../sample-row.js';
import type { SubmissionRow } from '../submission-row.js';
import type { Session } from './database.js';
import { JoinedTexts, numberArray } from './text.js';

const INSERT = `insert into sample (${SAMPLE_COLUMNS})
  select id, $1, $5, coalesce(name, ''), release, case when nth = any($2::int[]) then null else $3::int end, coalesce(doc, ''),
    $1, ${VIA_FILE}, $4, line, 1, $5, $5, null, crc
  from rows from (unnest($6::bigint[]), unnest(string_to_array($7, E'\\x1f')), unnest($8::bigint[]),
    unnest(string_to_array($9, E'\\x1f')), unnest($10::int[]), unnest($11::int[]))
    with ordinality as new (id, name, release, doc, line, crc, nth)`;

/** `ids[n]` is the number of the sample that the batch's row `rows[n]` becomes. */
export async function insertRows(
  session: Session,
  { account, id: submission }: SubmissionRow,
  batch: LaidOutBatch,
  layout: number,
  rows: readonly number[],
  ids: readonly number[],
  now: number,
): Promise<void> {
  const newRow = newRowsOf(batch, { account, submission, now, layout });
  const added = rows.map((at, n) => newRow(at, ids[n] as number));
  const asDocuments = added.flatMap((row, n) => (row.layout === null ? [n + 1] : []));
  await session.run(INSERT, [
    account,
    numberArray(asDocuments),
    layout,
    submission,
    now,
    numberArray(ids),
    new JoinedTexts(added.map(({ name }) => name)),
    numberArray(added.map(({ release }) => release)),
    new JoinedTexts(added.map(({ doc }) => doc)),
    numberArray(added.map(({ line }) => line)),
    numberArray(added.map(({ crc }) => crc)),
  ]);
}
