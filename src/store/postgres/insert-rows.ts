/** New samples of a batch, all in one statement: what they share as values, what differs as columns. */
import { batchCells, batchName, type LaidOutBatch, newRelease } from '../../registry/sample-batch.js';
import { checksumWith } from '../sample-checksum.js';
import { newRowSum, SAMPLE_COLUMNS, VIA_FILE } from '../sample-row.js';
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
  const hasDocuments = batch.documents.size > 0;
  const asDocuments: number[] = [];
  const sum = newRowSum(account, submission, now);
  const names: string[] = [];
  const releases: number[] = [];
  const docs: string[] = [];
  const lines: number[] = [];
  const checksums: number[] = [];
  rows.forEach((at, n) => {
    const document = hasDocuments ? batch.documents.get(at) : undefined;
    if (document !== undefined) asDocuments.push(n + 1);
    const kind = document === undefined ? layout : null;
    const doc = document ?? batchCells(batch, at);
    const name = batchName(batch, at);
    const release = newRelease(batch, at);
    const line = batch.lines[at] as number;
    names.push(name);
    releases.push(release);
    docs.push(doc);
    lines.push(line);
    checksums.push(checksumWith(sum, ids[n] as number, release, kind, line, name, doc));
  });
  await session.run(INSERT, [
    account,
    numberArray(asDocuments),
    layout,
    submission,
    now,
    numberArray(ids),
    new JoinedTexts(names),
    numberArray(releases),
    new JoinedTexts(docs),
    numberArray(lines),
    numberArray(checksums),
  ]);
}
