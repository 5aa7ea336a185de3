import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import type { IssueReport } from '../api/issues.js';
import { isDryRun, kindOf } from '../api/submissions.js';
import { upload } from '../api/upload.js';
import { Trouble } from '../show/trouble.js';
import { counted } from '../show/words.js';
import { rememberUpload } from '../upload/recent-uploads.js';
import { mendedSheet } from './mended-sheet.js';
import type { Edits } from './mending.js';
import { optionsOfSubmission } from './options-of-submission.js';
import { rowsToMend } from './to-mend.js';

interface UploadMendedProps {
  submission: SubmissionStatus;
  report: IssueReport;
  edits: Edits;
}

/**
 * Sends what was mended with the choices of the first upload. Where the good rows are registered already, the mended
 * rows alone; after a check or an all-or-nothing upload, which registered none, the whole sheet with the mends in it.
 */
export function UploadMended({ submission, report, edits }: UploadMendedProps) {
  const [, go] = useLocation();
  const client = useQueryClient();
  const dryRun = isDryRun(submission);
  const whole = dryRun || submission.options?.mode === 'atomic';
  const send = useMutation({
    mutationFn: async () => {
      const file = await mendedSheet({ submission, report, edits, whole, client });
      const options = optionsOfSubmission(submission);
      const answer = await upload({ file, options });
      rememberUpload(answer.submissionId, { file, options, replayed: answer.replayed });
      return answer.submissionId;
    },
    onSuccess: (id) => go(`/submissions/${id}`),
  });
  const toMend = rowsToMend(submission);
  const left = toMend - edits.size;
  // Rows that a commit left alone may be right as they are: their samples changed, not they.
  const asTheyAre = kindOf(submission) === 'commit' && edits.size === 0;
  const label = whole
    ? `${dryRun ? 'Check' : 'Upload'} the sheet with ${counted(edits.size, 'mended row')}`
    : `Upload the ${counted(edits.size, 'mended row')}`;
  return (
    <Stack gap="xs">
      <Group>
        <Button
          size="md"
          disabled={edits.size === 0 && !asTheyAre}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {asTheyAre
            ? `Upload the ${counted(toMend, 'row')} again`
            : edits.size === 0
              ? 'Upload the mended rows'
              : label}
        </Button>
        <Text size="sm" c="dimmed">
          {asTheyAre
            ? 'As they are, or mended in the table first.'
            : edits.size === 0
              ? 'Mend a value in the table first, or download the rows, mend them in your sheet and upload them again.'
              : left > 0
                ? `${counted(left, 'row')} not mended yet ${left === 1 ? 'stays' : 'stay'} here for later.`
                : 'Every row is mended.'}
        </Text>
      </Group>
      {send.error && <Trouble error={send.error} doing="The mended rows were not taken" />}
    </Stack>
  );
}
