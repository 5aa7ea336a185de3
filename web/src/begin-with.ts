import type { QueryClient } from '@tanstack/react-query';
import { issueReport } from './api/report.js';
import { oneSubmission } from './api/submissions.js';

/**
 * Asks for what the first view will need while the page is still starting: a submission with many errors, opened by
 * its address, is shown half a second sooner. What is refused is asked again, and shown, by the view itself.
 */
export function beginWith(client: QueryClient, hash: string): void {
  const id = /^#\/submissions\/([^/?]+)$/.exec(hash)?.[1];
  if (id === undefined) return;
  import('./submission/submission-view.js').catch(() => undefined);
  client
    .fetchQuery({ ...oneSubmission(id), retry: false })
    .then(({ submissionStatus, issues = [] }) =>
      submissionStatus === 'ACTIVE' || issues.length === 0 ? undefined : client.prefetchQuery(issueReport(id)),
    )
    .catch(() => undefined);
}
