import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SubmissionStatus } from '../api/contract.js';
import { ApiProblem } from '../api/request.js';
import { oneSubmission } from '../api/submissions.js';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isSubmissionId = (text: string): boolean => ID.test(text);

export interface FoundById {
  found: SubmissionStatus | undefined;
  missing: boolean;
}

/** A whole ID finds its submission, whatever else is asked for; a text that is no ID finds nothing and asks nothing. */
export function useFoundById(id: string): FoundById {
  const submission = useQuery({ ...oneSubmission(id), enabled: isSubmissionId(id) });
  const { data, error } = submission;
  return { found: data, missing: !data && error instanceof ApiProblem && error.status === 404 };
}

export function NotFoundById() {
  return (
    <Text size="sm" role="status">
      There is no submission of yours with this ID.
    </Text>
  );
}
