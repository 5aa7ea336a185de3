/** Whether a submission is still what its reader sees. */
import type { QueryClient } from '@tanstack/react-query';
import { ChangedSince } from '../../api/changed-since.js';
import type { SubmissionStatus } from '../../api/contract.js';
import { oneSubmission } from '../../api/submissions.js';
import { isAsShown } from './sent-whole.js';

/**
 * How much of a fixed sheet is sent goes by what of it is registered. Where somebody has carried out the check or taken back the upload
 * since it was shown, that is another answer: the submission is shown as it is by now, and nothing is sent.
 * @throws ChangedSince
 */
export async function requireAsShown(client: QueryClient, shown: SubmissionStatus): Promise<void> {
  const now = await client.fetchQuery({ ...oneSubmission(shown.submissionId), staleTime: 0 });
  if (!isAsShown(now, shown)) throw new ChangedSince('this submission');
}
