import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ApiProblem } from '../api/request.js';
import { Note } from '../show/note.js';

/** The same bytes were uploaded before with other choices, and the service will not guess what is meant. */
export const isOtherChoices = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 409 && error.problem.submissionId !== undefined;

interface ConflictProps {
  error: ApiProblem;
  name: string;
  onAnew: () => void;
}

/** Offers what the answer offers: to look at the earlier upload, or to register the file anew. */
export function Conflict({ error, name, onAnew }: ConflictProps) {
  return (
    <Note tone="care" title={`${name} was uploaded before, with other choices`}>
      <Text size="sm">{error.message}</Text>
      <Group mt="sm">
        <Anchor component={Link} href={`/submissions/${error.problem.submissionId}`} size="sm">
          Open the earlier upload
        </Anchor>
        <Button size="xs" variant="default" onClick={onAnew}>
          Register it again as new samples
        </Button>
      </Group>
    </Note>
  );
}
