/** Why a submission that follows what was shown or done before can no longer do so. */
import type { LotStore } from '../../registry/samples/sample-lots.js';
import { overtakenRows } from '../newer-uploads.js';
import { changedLines } from '../preview.js';
import { type ChangedSample, changedSamples, halfUndone, namedSamples } from '../reading/reread.js';
import { isPlan } from '../standing/standing.js';
import type { Problem, Submission, UploadOptions } from '../submission.js';
import type { SubmissionStore } from '../submission-store.js';

type StalenessStore = SubmissionStore & LotStore;

/** All or nothing holds for a commit, too: one sample that was changed since the dry run stops it before its first row. */
export async function staleness(
  { store, prefix }: { store: StalenessStore; prefix: string },
  { id, options, cursor, earlierUpload }: Submission,
): Promise<Problem | undefined> {
  if (earlierUpload !== undefined && cursor === 0) {
    const stopped = await store.findStoppedUndo({ id });
    if (stopped) return { code: 'conflict', message: halfUndone(stopped), retryable: false };
  }
  if (options.rereadOf !== undefined && !options.dryRun && cursor === 0) {
    const changed = await changedSamples({ store, prefix }, options.rereadOf);
    if (changed.length > 0) return changedMeanwhile(options.rereadOf, changed);
  }
  if (options.commitOf?.automatic) {
    const plan = await store.find(options.commitOf.submissionId);
    if (plan?.standing?.decision !== 'COMMITTED') return planGone(options.commitOf.submissionId);
  }
  const plan = isPlan(options) ? id : options.standing !== undefined && options.commitOf?.submissionId;
  const newer = plan && (await store.findNewerCommit({ id: plan }));
  if (newer) return { code: 'conflict', message: overtakenPlan(newer), retryable: false };
  const later = options.key === undefined ? undefined : await store.findNewerRows({ id });
  if (later)
    return { code: 'conflict', message: `Nothing more was written: ${overtakenRows(later)}`, retryable: false };
  if (!options.commitOf || options.mode !== 'atomic' || cursor > 0) return undefined;
  const changed = await changedLines(store, options.commitOf.submissionId);
  if (changed.length === 0) return undefined;
  return changedSinceShown(changed, options);
}

/** Of a commit that is all or nothing: lines whose samples were changed since; none where its errors list them. */
export function changedSinceShown(lines: readonly number[], { standing }: Pick<UploadOptions, 'standing'>): Problem {
  const which =
    lines.length === 0
      ? 'Rows are refused'
      : lines.length === 1
        ? `The sample of one row was changed since the dry run (line ${lines[0]})`
        : `The samples of ${lines.length} rows were changed since the dry run (lines ${firstLines(lines)})`;
  const then = standing === undefined ? 'Make a new dry run.' : 'Send the export again.';
  const message = `${which}, and it was sent as all or nothing: nothing was written. ${then}`;
  return { code: 'conflict', message, retryable: false };
}

const firstLines = (lines: readonly number[]): string =>
  lines.slice(0, 10).join(', ') + (lines.length > 10 ? ' …' : '');

/** Of a plan, or its commit, that would set back what a later export of its standing sheet says. */
export const overtakenPlan = (newer: string): string =>
  `A later export of this standing sheet was carried out by submission ${newer}, and what this one says would set its samples back: nothing more was written. ` +
  'If this export is right all the same, send it again; it is planned anew then.';

const planGone = (plan: string): Problem => ({
  code: 'conflict',
  message: `The plan ${plan} of this standing sheet did not reach its end, or was stopped: nothing was written. Send the export again.`,
  retryable: false,
});

const changedMeanwhile = (rereadOf: string, changed: readonly ChangedSample[]): Problem => ({
  code: 'conflict',
  message: `The samples of submission ${rereadOf}, which this file means line by line, were changed meanwhile: ${namedSamples(changed)}. Nothing was written. Edit and upload its result file, or upload this one with duplicate=allow.`,
  retryable: false,
});
