/** What an ingest transaction makes of a batch, its rows that name samples apart (naming-rows.ts): the same in every store. Pure. */
import { type LaidOutBatch, newRelease, type RejectedRow } from '../registry/samples/sample-batch.js';
import { RefusedBatch } from '../submissions/processing/unapplied-batch.js';
import type { Submission } from '../submissions/submission.js';
import type { LedgerChunk, LedgerRun } from '../submissions/submission-store.js';
import type { ChangeRuns } from './change-runs.js';
import { groupIssues, groupNotes } from './issue-groups.js';
import type { CreatedRows } from './keyed-rows.js';
import { addCreatedPublic, addToRuns, countChunk, countLines, emptyChunk } from './ledger-runs.js';
import { jsonOrNull, type SubmissionRow } from './rows/submission-row.js';

/**
 * What a batch is to the cursor: recorded before, not wanted any more, or to be written.
 * @throws Error for a batch that begins before the cursor and ends behind it
 */
export function stepOf(
  row: SubmissionRow,
  { fromLine, toLine, endsEarly }: LaidOutBatch,
): 'recorded' | 'cancelled' | 'write' {
  if (toLine <= row.cursor) return 'recorded';
  if (fromLine > row.cursor) return row.cancel_requested && !endsEarly ? 'cancelled' : 'write';
  throw new Error(`lines ${fromLine} to ${toLine} of submission ${row.uuid} straddle its cursor at ${row.cursor}`);
}

/** The outcomes that the worker found by itself. */
export function chunkOf({ fromLine, toLine, rejected, warnings, notes }: LaidOutBatch): LedgerChunk {
  return {
    ...emptyChunk(fromLine, toLine),
    rejected: [...rejected],
    ...(warnings?.length ? { warnings } : {}),
    ...(notes?.length ? { notes } : {}),
  };
}

/**
 * Those that the store rejected, among the others in order of lines.
 * @throws RefusedBatch where all or nothing was asked for, a row is refused, and this batch would be the first to register any
 */
export function addRejected(
  { options, counts }: Submission,
  chunk: LedgerChunk,
  rejected: readonly RejectedRow[],
): void {
  if (rejected.length > 0) chunk.rejected = [...chunk.rejected, ...rejected].sort((a, b) => a.line - b.line);
  if (options.mode !== 'atomic' || options.dryRun || options.undoOf !== undefined) return;
  const isFirst = counts.created + counts.updated === 0 && chunk.created.length + chunk.updated.length > 0;
  if (isFirst && counts.rejected + chunk.rejected.length > 0) {
    const lines = chunk.rejected.map(({ line }) => line);
    throw new RefusedBatch(rejected, lines);
  }
}

/** Positions of the rows without a number: nothing is read for them. */
export function newRows({ count, ids }: LaidOutBatch): number[] {
  const rows: number[] = [];
  for (let at = 0; at < count; at++) if (ids[at] === 0) rows.push(at);
  return rows;
}

/** Their numbers: those that were reserved for them, or the ones from `first` on. */
export const numbersOf = ({ reserved }: LaidOutBatch, rows: readonly number[], first: number): number[] =>
  rows.map((at, n) => (reserved === undefined ? first + n : (reserved[at] as number)));

/** Records that the new rows are created, in a dry run without numbers; answers them. */
export function addCreated(
  chunk: LedgerChunk,
  batch: LaidOutBatch,
  rows: readonly number[],
  ids: readonly number[] | undefined,
  { now, changes }: { now: number; changes: ChangeRuns },
): CreatedRows {
  addCreatedPublic(chunk, batch, rows, now);
  rows.forEach((at, n) => {
    const id = ids?.[n] ?? 0;
    addToRuns(chunk.created, batch.lines[at] as number, id);
    if (id !== 0) changes.created(id, { release: newRelease(batch, at) });
  });
  return { rows, ids: ids ?? [] };
}

/** Columns of the submission that a batch adds to, and what it adds, in the same order. */
export const ADDED = [
  'rows',
  'rows_created',
  'rows_updated',
  'rows_unchanged',
  'rows_rejected',
  'become_public',
  'created_public',
] as const;

export function addedValues(chunk: LedgerChunk): number[] {
  const { rows, created, updated, unchanged, rejected } = countChunk(chunk);
  return [rows, created, updated, unchanged, rejected, countLines(chunk.becomePublic), countLines(chunk.createdPublic)];
}

/** The grouped issues of the submission after the batch, as JSON. */
export function issuesAfter(row: SubmissionRow, submission: Submission, chunk: LedgerChunk): string {
  const reported = chunk.warnings ? [...chunk.rejected, ...chunk.warnings] : chunk.rejected;
  if (reported.length === 0 && !chunk.notes) return row.issues;
  return JSON.stringify(groupNotes(groupIssues(submission.issues, reported), chunk));
}

/** What came of a standing sheet, as JSON, where the batch says it. */
export const standingAfter = ({ standing }: LaidOutBatch): string | null => jsonOrNull(standing);

/** Runs of samples whose visible content the batch changed. */
export const changedRuns = ({ options }: Submission, chunk: LedgerChunk): LedgerRun[] =>
  options.dryRun
    ? []
    : [
        ...chunk.updated,
        ...chunk.created,
        ...(chunk.missing ?? []),
        ...(chunk.completed ?? []),
        ...(chunk.completedOwn ?? []),
      ];
