import { Anchor, Button, Group, List, Text } from '@mantine/core';
import { RefreshCwIcon } from 'lucide-react';
import { Link } from 'wouter';
import { stepName } from '../../../src/registry/json-pointer.js';
import { ApiProblem, isAway, ServerAway } from '../api/request.js';
import { Note } from './note.js';
import { shortId } from './words.js';

interface ErrorNoteProps {
  error: unknown;
  /** What could not be done, as a whole sentence. */
  doing?: string;
  retry?: () => void;
}

/** Whatever went wrong with a request, in plain words, with the way on. */
export function ErrorNote({ error, doing, retry }: ErrorNoteProps) {
  const away = isAway(error);
  const title = doing ?? (away ? 'The server is away' : 'That did not work');
  const { errors: members = [], submissionId } = error instanceof ApiProblem ? error.problem : {};
  return (
    <Note tone={away ? 'care' : 'bad'} title={title}>
      <Text size="sm">{messageOf(error)}</Text>
      {members.length > 0 && (
        <List size="sm" mt={4}>
          {members.map((member) => (
            <List.Item key={member.dataPath}>
              {readablePath(member.dataPath)}: {member.errors.join(' ')}
            </List.Item>
          ))}
        </List>
      )}
      {submissionId !== undefined && (
        <Anchor component={Link} href={`/submissions/${submissionId}`} size="sm">
          Open submission {shortId(submissionId)}
        </Anchor>
      )}
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" leftSection={<RefreshCwIcon size={16} />} onClick={retry}>
            Try again
          </Button>
        </Group>
      )}
    </Note>
  );
}

export function messageOf(error: unknown): string {
  if (isAway(error)) return new ServerAway().message;
  return error instanceof Error ? error.message : String(error);
}

/** `/characteristics/sex/0/text` → `sex`. */
function readablePath(pointer: string): string {
  const parts = pointer.split('/').slice(1).map(stepName);
  if (parts.length === 0) return 'The sample';
  return parts[0] === 'characteristics' && parts[1] !== undefined ? parts[1] : parts.join(' › ');
}
