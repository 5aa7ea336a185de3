/**
 * The ingest transaction: fence, decide, write samples, record outcomes, move the cursor. Five round trips for a batch
 * of new rows. The layout is stored before it and accession numbers are taken beside it, so that batches of several
 * workers do not wait for each other; numbers of a batch that comes to nothing stay unused.
 */
import type { LaidOutBatch, RejectedRow } from '../../registry/sample-batch.js';
import { endState, type Submission } from '../../submissions/submission.js';
import type { BatchResult, Claim, LedgerChunk } from '../../submissions/submission-store.js';
import { groupIssues } from '../issue-groups.js';
import { addCreatedPublic, addToRuns, clipChunks, countChunk, countLines, emptyChunk } from '../ledger-runs.js';
import type { BatchContext } from './batch-context.js';
import { ownedRow } from './claims.js';
import type { PostgresDatabase, Session } from './database.js';
import { insertRows } from './insert-rows.js';
import type { Names } from './names.js';
import { endSubmission } from './submission-ends.js';
import { readSubmissionRow, rowById, type SubmissionRow } from './submission-rows.js';
import { numberArray } from './text.js';
import { updateRows } from './update-rows.js';

interface BatchOptions {
  leaseMs: number;
  last: boolean;
}

export async function applyBatch(
  { database, names, prefix, now }: { database: PostgresDatabase; names: Names; prefix: string; now: () => number },
  claim: Claim,
  batch: LaidOutBatch,
  options: BatchOptions,
): Promise<BatchResult> {
  const { dryRun } = claim.submission.options;
  const layout = dryRun || batch.count === 0 ? undefined : await names.layoutNumber(batch.layout);
  // Repeatable: a batch that was committed unheard is then at the cursor, and its recorded chunk is answered.
  return database.write(
    (session) => applyOnce({ session, database, names, prefix, now: now(), layout }, claim, batch, options),
    { repeatable: true },
  );
}

async function applyOnce(
  context: BatchContext,
  claim: Claim,
  batch: LaidOutBatch,
  options: BatchOptions,
): Promise<BatchResult> {
  const { session, now } = context;
  const row = await ownedRow(session, claim);
  if (batch.toLine <= row.cursor) {
    const chunk = await recordedChunk(session, row, batch);
    return { chunk, submission: options.last ? await endByCounts(context, row) : readSubmissionRow(row) };
  }
  if (batch.fromLine <= row.cursor) {
    throw new Error(
      `lines ${batch.fromLine} to ${batch.toLine} of submission ${row.uuid} straddle its cursor at ${row.cursor}`,
    );
  }
  if (row.cancel_requested) {
    await endSubmission(session, row, 'CANCELLED', undefined, now);
    const submission = readSubmissionRow(await rowById(session, row.id));
    return { chunk: emptyChunk(batch.fromLine, batch.toLine), submission };
  }
  const submission = readSubmissionRow(row);
  const chunk = await writeRows(context, row, submission, batch);
  const after = await record(context, row, submission, batch, chunk, options.leaseMs);
  return { chunk, submission: options.last ? await endByCounts(context, after) : readSubmissionRow(after) };
}

async function writeRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
): Promise<LedgerChunk> {
  const chunk = emptyChunk(batch.fromLine, batch.toLine);
  chunk.rejected = [...batch.rejected];
  if (batch.warnings?.length) chunk.warnings = batch.warnings;
  const rejectedThere = await updateRows(context, row, submission, batch, chunk);
  await createRows(context, row, submission, batch, chunk);
  if (rejectedThere.length > 0) {
    chunk.rejected = [...chunk.rejected, ...rejectedThere].sort((a, b) => a.line - b.line);
  }
  return chunk;
}

/** Rows without a number: nothing is read for them. */
async function createRows(
  { session, database, layout, now }: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
): Promise<void> {
  const rows: number[] = [];
  for (let at = 0; at < batch.count; at++) if (batch.ids[at] === 0) rows.push(at);
  if (rows.length === 0) return;
  addCreatedPublic(chunk, batch, rows, now);
  if (submission.options.dryRun || layout === undefined) {
    for (const at of rows) addToRuns(chunk.created, batch.lines[at] as number, 0);
    return;
  }
  const { reserved } = batch;
  const first = reserved === undefined ? await database.takeNumbers('accession', rows.length) : 0;
  const ids = rows.map((at, n) => (reserved === undefined ? first + n : (reserved[at] as number)));
  await insertRows(session, row, batch, layout, rows, ids, now);
  for (let n = 0; n < rows.length; n++) {
    addToRuns(chunk.created, batch.lines[rows[n] as number] as number, ids[n] as number);
  }
}

const RECORD = `with journal as (
    insert into change (first, count) select * from unnest($1::bigint[], $2::int[])
  ), ledger as (
    insert into submission_chunk (submission, from_line, to_line, outcomes) values ($3, $4, $5, $6)
  )
  update submission set phase = 'REGISTERING', rows = rows + $7, rows_created = rows_created + $8,
    rows_updated = rows_updated + $9, rows_unchanged = rows_unchanged + $10, rows_rejected = rows_rejected + $11,
    issues = $12, bytes_read = greatest(bytes_read, $13), cursor = $5, setbacks = null, next_try = null, alone = 0, lease_until = $14, updated = $15,
    become_public = become_public + $16, created_public = created_public + $17
  where id = $3 returning *`;

async function record(
  { session, now }: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  leaseMs: number,
): Promise<SubmissionRow> {
  const changed = submission.options.dryRun ? [] : [...chunk.updated, ...chunk.created];
  const added = countChunk(chunk);
  const said: RejectedRow[] = chunk.warnings ? [...chunk.rejected, ...chunk.warnings] : chunk.rejected;
  const after = await session.one<SubmissionRow>(RECORD, [
    numberArray(changed.map(([, first]) => first)),
    numberArray(changed.map(([, , count]) => count)),
    row.id,
    chunk.fromLine,
    chunk.toLine,
    JSON.stringify(chunk),
    added.rows,
    added.created,
    added.updated,
    added.unchanged,
    added.rejected,
    said.length === 0 ? row.issues : JSON.stringify(groupIssues(submission.issues, said)),
    batch.bytesRead,
    now + leaseMs,
    now,
    countLines(chunk.becomePublic),
    countLines(chunk.createdPublic),
  ]);
  return { ...row, ...after };
}

async function endByCounts({ session, now }: BatchContext, row: SubmissionRow): Promise<Submission> {
  await endSubmission(session, row, endState(readSubmissionRow(row).counts, false), undefined, now);
  return readSubmissionRow(await rowById(session, row.id));
}

async function recordedChunk(session: Session, row: SubmissionRow, batch: LaidOutBatch): Promise<LedgerChunk> {
  const chunks = await session.rows<{ outcomes: string }>(
    `select outcomes from submission_chunk where submission = $1 and from_line <= $2 and to_line >= $3 order by from_line`,
    [row.id, batch.toLine, batch.fromLine],
  );
  return clipChunks(
    chunks.map(({ outcomes }) => JSON.parse(outcomes) as LedgerChunk),
    batch.fromLine,
    batch.toLine,
  );
}
