import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiProblem } from '../api/request.js';
import { oneSubmission } from '../api/submissions.js';
import { Note } from '../show/note.js';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isSubmissionId = (text: string): boolean => ID.test(text);

/** A whole ID finds its submission however old it is; the list itself shows the newest. */
export function FoundById({ id, known }: { id: string; known: boolean }) {
  const submission = useQuery({
    ...oneSubmission(id),
    enabled: !known,
  });
  if (known) return null;
  if (submission.data) {
    return (
      <Note tone="good" title="Found">
        <Anchor component={Link} href={`/submissions/${id}`} className="name">
          {submission.data.fileName}
        </Anchor>
      </Note>
    );
  }
  const missing = submission.error instanceof ApiProblem && submission.error.status === 404;
  if (!missing) return null;
  return (
    <Text size="sm" role="status">
      There is no submission of yours with this ID.
    </Text>
  );
}
