import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { upload } from '../api/upload.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { type RecentUpload, rememberUpload } from '../upload/recent-uploads.js';

/** The same bytes came before: nothing happened now, unless the reader wants new samples. */
export function Replayed({ submissionId, recent }: { submissionId: string; recent: RecentUpload }) {
  const [, go] = useLocation();
  const anew = useMutation({
    mutationFn: async () => {
      const options = { ...recent.options, duplicate: 'allow' as const };
      const answer = await upload({ file: recent.file, options });
      rememberUpload(answer.submissionId, { file: recent.file, options, replayed: answer.replayed });
      return answer.submissionId;
    },
    onSuccess: (id) => id !== submissionId && go(`/submissions/${id}`),
  });
  return (
    <Note tone="plain" title="You uploaded this very file before">
      <Text size="sm">This is what became of it then; nothing was registered twice.</Text>
      <Group mt="sm">
        <Button size="xs" variant="default" loading={anew.isPending} onClick={() => anew.mutate()}>
          Register it again as new samples
        </Button>
      </Group>
      {anew.error && <ErrorNote error={anew.error} />}
    </Note>
  );
}
