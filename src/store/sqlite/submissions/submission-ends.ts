/** Moves between the states of a submission that several methods make. All run inside a write. */
import type { Problem, SubmissionState } from '../../../submissions/submission.js';
import { requireMove } from '../../claim-rules.js';
import { jsonOrNull, type SubmissionRow } from '../../rows/submission-row.js';
import type { SqliteDatabase } from '../database.js';

/** Ends a submission and frees its claim. */
export function endSubmission(
  database: SqliteDatabase,
  row: Pick<SubmissionRow, 'id' | 'state'>,
  state: SubmissionState,
  problem: Problem | undefined,
  now: number,
): void {
  requireMove(row, state);
  database
    .sql(
      `update submission set state = ?, phase = 'DONE', problem = ?, worker = null, lease_until = null, updated = ?
       where id = ?`,
    )
    .run(state, jsonOrNull(problem), now, row.id);
}

/** Lets a submission that has ended wait again, at its cursor, with its setbacks forgotten. */
export function reviveSubmission(
  database: SqliteDatabase,
  row: Pick<SubmissionRow, 'id' | 'state'>,
  now: number,
): void {
  requireMove(row, 'ACTIVE');
  database
    .sql(
      `update submission set state = 'ACTIVE', phase = 'QUEUED', problem = null, setbacks = null, next_try = null,
       alone = 0, cancel_requested = 0, worker = null, lease_until = null, updated = ? where id = ?`,
    )
    .run(now, row.id);
}
