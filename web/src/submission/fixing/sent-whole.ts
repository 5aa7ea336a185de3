/** How much of a sheet that was fixed is sent. */
import type { SubmissionStatus } from '../../api/contract.js';
import { isDryRun } from '../../api/submission-kind.js';

/**
 * All of the sheet is sent again where that registers nothing twice and leaves nothing out: what is good in it is not
 * registered yet, or it is a standing sheet, whose rows are known by their keys, and of which a part would pass for an
 * export that lacks all others.
 */
export const isSentWhole = (submission: SubmissionStatus): boolean =>
  submission.options.standing !== undefined || waitsForItsRows(submission);

/** A check that nobody has carried out and that would write something, or an all-or-nothing upload that took no row. */
function waitsForItsRows(submission: SubmissionStatus): boolean {
  const { created, updated, unchanged, rejected } = submission.counts;
  const writes = created + updated > 0;
  if (isDryRun(submission)) return submission.committedBy === undefined && (writes || unchanged === 0);
  return submission.options.mode === 'atomic' && rejected > 0 && !writes;
}

/** The submission that carried a check out: its good rows are registered, and what is left to fix stands there. */
export const goesOnIn = (submission: SubmissionStatus): string | undefined =>
  isDryRun(submission) && !isSentWhole(submission) ? submission.committedBy : undefined;

type FollowUps = Pick<SubmissionStatus, 'committedBy' | 'undoneBy'>;

/** Whether what is registered of it is still what its reader sees, as far as others could have changed that. */
export const isAsShown = (now: FollowUps, shown: FollowUps): boolean =>
  now.committedBy === shown.committedBy && now.undoneBy === shown.undoneBy;
