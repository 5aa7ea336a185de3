import type { ChangeDocument } from '../registry/changes/sample-feed.js';
import type { Submission } from '../submissions/submission.js';
import type { Delivery } from './webhook.js';

/** The body of a delivery: what happened, and the submission as it stands. Cell values are not in it. */
export function deliveryMessage(delivery: Delivery, submission: Submission, baseUrl: string): string {
  const path = `${baseUrl}/submissions/${submission.id}`;
  const { counts, problem } = submission;
  return JSON.stringify({
    id: delivery.id,
    type: delivery.event,
    timestamp: new Date(delivery.created).toISOString(),
    data: {
      submissionId: submission.id,
      submissionStatus: submission.state,
      submissionDate: new Date(submission.created).toISOString(),
      lastUpdateDate: new Date(submission.updated).toISOString(),
      fileName: submission.fileName,
      sha256: submission.sha256,
      counts,
      ...whatCounts(submission),
      ...(problem ? { problem: { code: problem.code } } : {}),
      _links: {
        self: { href: path },
        mapping: { href: `${path}/mapping` },
        result: { href: `${path}/result` },
      },
    },
  });
}

/** Whether what is counted was written: of a dry run, a plan that was stopped or an undo, the counts alone tell otherwise. */
function whatCounts({ options, standing: outcome }: Submission): Record<string, unknown> {
  const { dryRun, standing, commitOf, undoOf } = options;
  const given = Object.entries({ standing, commitOf, undoOf }).filter(([, value]) => value !== undefined);
  return {
    options: { dryRun, ...Object.fromEntries(given) },
    ...(outcome === undefined ? {} : { standing: outcome }),
  };
}

/** The body of a delivery of changes: what `GET /changes` shows of them, in order. `to`: the place behind them. */
export const changesMessage = (
  delivery: Delivery,
  changes: readonly ChangeDocument[],
  { to }: { to: string },
  baseUrl: string,
): string =>
  JSON.stringify({
    id: delivery.id,
    type: delivery.event,
    timestamp: new Date(delivery.created).toISOString(),
    data: { changes, cursor: to, _links: { next: { href: `${baseUrl}/changes?after=${to}` } } },
  });
