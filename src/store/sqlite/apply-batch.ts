/**
 * The ingest transaction: fence, decide, write samples, record outcomes, move the cursor. Runs inside one immediate
 * write; the lock is held for about 5 ms per 1 000 new rows.
 */
import type { LaidOutBatch, RejectedRow } from '../../registry/sample-batch.js';
import { endState, type Submission } from '../../submissions/submission.js';
import type { BatchResult, Claim, LedgerChunk } from '../../submissions/submission-store.js';
import { groupIssues } from '../issue-groups.js';
import { addCreatedPublic, addToRuns, clipChunks, countChunk, countLines, emptyChunk } from '../ledger-runs.js';
import type { BatchContext } from './batch-context.js';
import { ownedRow } from './claims.js';
import type { SqliteDatabase } from './database.js';
import { insertRows } from './insert-rows.js';
import { journalChange, takeAccessions } from './sample-rows.js';
import { endSubmission } from './submission-ends.js';
import { readSubmissionRow, rowById, type SubmissionRow } from './submission-rows.js';
import { updateRows } from './update-rows.js';

export function applyBatch(
  context: BatchContext,
  claim: Claim,
  batch: LaidOutBatch,
  options: { leaseMs: number; last: boolean },
): BatchResult {
  const { database, names, now } = context;
  const row = ownedRow(database, claim);
  const present = (): Submission => readSubmissionRow(rowById(database, row.id), names);
  if (batch.toLine <= row.cursor) {
    const chunk = recordedChunk(database, row, batch);
    if (options.last) endByCounts(context, present(), row);
    return { chunk, submission: present() };
  }
  if (batch.fromLine <= row.cursor) {
    throw new Error(
      `lines ${batch.fromLine} to ${batch.toLine} of submission ${row.uuid} straddle its cursor at ${row.cursor}`,
    );
  }
  if (row.cancel_requested === 1) {
    endSubmission(database, row, 'CANCELLED', undefined, now);
    return { chunk: emptyChunk(batch.fromLine, batch.toLine), submission: present() };
  }
  const submission = readSubmissionRow(row, names);
  const chunk = writeRows(context, row, submission, batch);
  database
    .sql('insert into submission_chunk (submission, from_line, to_line, outcomes) values (?, ?, ?, ?)')
    .run(row.id, chunk.fromLine, chunk.toLine, JSON.stringify(chunk));
  recordProgress(context, row, submission, batch, chunk, options.leaseMs);
  if (options.last) endByCounts(context, present(), row);
  return { chunk, submission: present() };
}

function writeRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
): LedgerChunk {
  const chunk = emptyChunk(batch.fromLine, batch.toLine);
  chunk.rejected = [...batch.rejected];
  if (batch.warnings?.length) chunk.warnings = batch.warnings;
  const rejectedThere = updateRows(context, row, submission, batch, chunk);
  createRows(context, row, submission, batch, chunk);
  if (!submission.options.dryRun) {
    for (const [, first, count] of [...chunk.updated, ...chunk.created]) journalChange(context.database, first, count);
  }
  if (rejectedThere.length > 0) {
    chunk.rejected = [...chunk.rejected, ...rejectedThere].sort((a, b) => a.line - b.line);
  }
  return chunk;
}

/** Rows without a number: nothing is read for them. */
function createRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
): void {
  const { now } = context;
  const rows: number[] = [];
  for (let at = 0; at < batch.count; at++) if (batch.ids[at] === 0) rows.push(at);
  if (rows.length === 0) return;
  addCreatedPublic(chunk, batch, rows, now);
  if (submission.options.dryRun) {
    for (const at of rows) addToRuns(chunk.created, batch.lines[at] as number, 0);
    return;
  }
  const { reserved } = batch;
  const first = reserved === undefined ? takeAccessions(context.database, rows.length) : 0;
  const ids = rows.map((at, n) => (reserved === undefined ? first + n : (reserved[at] as number)));
  insertRows(context, row, batch, rows, ids);
  for (let n = 0; n < rows.length; n++) {
    addToRuns(chunk.created, batch.lines[rows[n] as number] as number, ids[n] as number);
  }
}

function recordProgress(
  { database, now }: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  leaseMs: number,
): void {
  const added = countChunk(chunk);
  const said: RejectedRow[] = chunk.warnings ? [...chunk.rejected, ...chunk.warnings] : chunk.rejected;
  const issues = said.length === 0 ? row.issues : JSON.stringify(groupIssues(submission.issues, said));
  database
    .sql(
      `update submission set phase = 'REGISTERING', rows = rows + ?, rows_created = rows_created + ?,
       rows_updated = rows_updated + ?, rows_unchanged = rows_unchanged + ?, rows_rejected = rows_rejected + ?,
       become_public = become_public + ?, created_public = created_public + ?, issues = ?, bytes_read = max(bytes_read, ?), cursor = ?, setbacks = null, next_try = null, alone = 0, lease_until = ?, updated = ? where id = ?`,
    )
    .run(
      added.rows,
      added.created,
      added.updated,
      added.unchanged,
      added.rejected,
      countLines(chunk.becomePublic),
      countLines(chunk.createdPublic),
      issues,
      batch.bytesRead,
      batch.toLine,
      now + leaseMs,
      now,
      row.id,
    );
}

function endByCounts({ database, now }: BatchContext, { counts }: Submission, row: SubmissionRow): void {
  endSubmission(database, row, endState(counts, false), undefined, now);
}

function recordedChunk(database: SqliteDatabase, row: SubmissionRow, batch: LaidOutBatch): LedgerChunk {
  const chunks = database
    .sql<{ outcomes: string }>(
      'select outcomes from submission_chunk where submission = ? and from_line <= ? and to_line >= ? order by from_line',
    )
    .all(row.id, batch.toLine, batch.fromLine)
    .map(({ outcomes }) => JSON.parse(outcomes) as LedgerChunk);
  return clipChunks(chunks, batch.fromLine, batch.toLine);
}
