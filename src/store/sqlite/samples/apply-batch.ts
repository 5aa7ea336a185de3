/**
 * The ingest transaction: fence, decide, write samples, record outcomes, move the cursor. Runs inside one immediate
 * write; the lock is held for about 5 ms per 1 000 new rows.
 */
import type { LaidOutBatch } from '../../../registry/samples/sample-batch.js';
import { endState, type Submission } from '../../../submissions/submission.js';
import type { BatchResult, Claim, LedgerChunk } from '../../../submissions/submission-store.js';
import {
  ADDED,
  addCreated,
  addedValues,
  addRejected,
  changedRuns,
  chunkOf,
  issuesAfter,
  newRows,
  numbersOf,
  standingAfter,
  stepOf,
} from '../../batch-rules.js';
import { endsAsCancelled } from '../../claim-rules.js';
import { type CreatedRows, givenKeys } from '../../keyed-rows.js';
import { clipChunks, emptyChunk } from '../../ledger-runs.js';
import type { SubmissionRow } from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';
import { requireWhole } from '../row-checks.js';
import { ownedRow } from '../submissions/claims.js';
import { endSubmission } from '../submissions/submission-ends.js';
import { readSubmissionRow, rowById } from '../submissions/submission-rows.js';
import type { BatchContext } from './batch-context.js';
import { logChanges } from './change-log.js';
import { insertRows } from './insert-rows.js';
import { anythingWaits, keepOpen, readCompleting } from './open-relationships.js';
import { giveKeys, keyRows, takeKeysBack } from './row-keys.js';
import { journalChange, takeAccessions } from './sample-rows.js';
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
  const submission = readSubmissionRow(row, names);
  const step = stepOf(row, batch);
  if (step === 'recorded') {
    const chunk = recordedChunk(database, row, batch);
    if (ends(database, row, submission, options.last)) endByCounts(context, present(), row);
    return { chunk, submission: present() };
  }
  if (step === 'cancelled') {
    if (endsAsCancelled(row)) endSubmission(database, row, 'CANCELLED', undefined, now);
    return { chunk: emptyChunk(batch.fromLine, batch.toLine), submission: present() };
  }
  const chunk = writeRows(context, row, submission, batch);
  database
    .sql('insert into submission_chunk (submission, from_line, to_line, outcomes) values (?, ?, ?, ?)')
    .run(row.id, chunk.fromLine, chunk.toLine, JSON.stringify(chunk));
  record(context, row, submission, batch, chunk, options.leaseMs);
  if (ends(database, row, submission, options.last)) endByCounts(context, present(), row);
  return { chunk, submission: present() };
}

const ends = (database: SqliteDatabase, row: SubmissionRow, submission: Submission, last: boolean): boolean =>
  last && !anythingWaits(database, row, submission);

function writeRows(
  context: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
): LedgerChunk {
  const chunk = chunkOf(batch);
  const keyed = keyRows(context, row, submission, batch);
  const completing = batch.completes && readCompleting(context, batch);
  const rejected = updateRows(context, row, submission, keyed.batch, chunk, completing?.added);
  const created = createRows(context, row, submission, keyed.batch, chunk);
  if (!submission.options.dryRun) {
    giveKeys(context, row, givenKeys(keyed, created, rejected));
    keepOpen(context, row, { submission, batch: keyed.batch, chunk, created, rejected, completing });
  }
  if (batch.keysOf) takeKeysBack(context, { ...batch, keysOf: batch.keysOf }, chunk);
  addRejected(submission, chunk, [...keyed.rejected, ...rejected]);
  return chunk;
}

function createRows(
  context: BatchContext,
  row: SubmissionRow,
  { options }: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
): CreatedRows {
  const rows = newRows(batch);
  if (rows.length === 0 || options.dryRun) return addCreated(chunk, batch, rows, undefined, context);
  const first = batch.reserved === undefined ? takeAccessions(context.database, rows.length) : 0;
  const ids = numbersOf(batch, rows, first);
  insertRows(context, row, batch, rows, ids);
  return addCreated(chunk, batch, rows, ids, context);
}

const RECORD = `update submission set phase = 'REGISTERING', ${ADDED.map((name) => `${name} = ${name} + ?`).join(', ')},
  issues = ?, standing = coalesce(?, standing), bytes_read = max(bytes_read, ?), cursor = ?, setbacks = null, next_try = null, alone = 0, lease_until = ?,
  updated = ? where id = ?`;

function record(
  { database, now, changes }: BatchContext,
  row: SubmissionRow,
  submission: Submission,
  batch: LaidOutBatch,
  chunk: LedgerChunk,
  leaseMs: number,
): void {
  for (const [, first, count] of changedRuns(submission, chunk)) journalChange(database, row.account, first, count);
  logChanges(database, changes, now);
  const found = [...addedValues(chunk), issuesAfter(row, submission, chunk), standingAfter(batch)];
  database.sql(RECORD).run(...found, batch.bytesRead, batch.toLine, now + leaseMs, now, row.id);
}

function endByCounts({ database, now }: BatchContext, { counts }: Submission, row: SubmissionRow): void {
  endSubmission(database, row, endState(counts, false), undefined, now);
}

function recordedChunk(database: SqliteDatabase, row: SubmissionRow, batch: LaidOutBatch): LedgerChunk {
  const chunks = database
    .sql<{ outcomes: string }>(
      'select * from submission_chunk where submission = ? and from_line <= ? and to_line >= ? order by from_line',
    )
    .all(row.id, batch.toLine, batch.fromLine)
    .map((stored) => JSON.parse(requireWhole(stored, `The ledger of submission ${row.uuid}`).outcomes) as LedgerChunk);
  return clipChunks(chunks, batch.fromLine, batch.toLine);
}
