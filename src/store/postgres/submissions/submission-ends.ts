/** Moves between the states of a submission that several methods make. All run on a locked row. */
import type { Problem, SubmissionState } from '../../../submissions/submission.js';
import { requireMove } from '../../claim-rules.js';
import { jsonOrNull, type SubmissionRow } from '../../rows/submission-row.js';
import type { Session } from '../database.js';

/** Ends a submission and frees its claim. */
export async function endSubmission(
  session: Session,
  row: Pick<SubmissionRow, 'id' | 'state'>,
  state: SubmissionState,
  problem: Problem | undefined,
  now: number,
): Promise<void> {
  requireMove(row, state);
  await session.run(
    `update submission set state = $2, phase = 'DONE', problem = $3, worker = null, lease_until = null, updated = $4
     where id = $1`,
    [row.id, state, jsonOrNull(problem), now],
  );
}

/** Lets a submission that has ended wait again, at its cursor, with its setbacks forgotten. */
export async function reviveSubmission(
  session: Session,
  row: Pick<SubmissionRow, 'id' | 'state'>,
  now: number,
): Promise<void> {
  requireMove(row, 'ACTIVE');
  await session.run(
    `update submission set state = 'ACTIVE', phase = 'QUEUED', problem = null, setbacks = null, next_try = null,
     alone = 0, cancel_requested = false, worker = null, lease_until = null, updated = $2 where id = $1`,
    [row.id, now],
  );
}
