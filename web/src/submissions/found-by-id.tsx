import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '../api/request.js';
import { oneSubmission } from '../api/submissions.js';
import { SubmissionCards } from './submission-cards.js';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isSubmissionId = (text: string): boolean => ID.test(text);

/** A whole ID finds its submission, whatever else is asked for. */
export function FoundById({ id }: { id: string }) {
  const submission = useQuery(oneSubmission(id));
  if (submission.data) return <SubmissionCards submissions={[submission.data]} withAccount />;
  const missing = submission.error instanceof ApiProblem && submission.error.status === 404;
  if (!missing) return null;
  return (
    <Text size="sm" role="status">
      There is no submission of yours with this ID.
    </Text>
  );
}
