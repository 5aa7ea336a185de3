import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { SubmissionStatus } from '../../api/contract.js';
import type { IssueReport } from '../../api/issues.js';
import { upload } from '../../api/upload.js';
import { ErrorNote } from '../../show/error-note.js';
import { rememberUpload } from '../../upload/recent-uploads.js';
import { optionsOfSubmission } from '../options-of-submission.js';
import { fixedSheet, isSentWhole } from './fixed-sheet.js';
import { fixedWords } from './fixed-words.js';
import type { Edits } from './fixing.js';

interface UploadFixedProps {
  submission: SubmissionStatus;
  report: IssueReport;
  edits: Edits;
  /** Rows with edits that would be rejected again. */
  stillBad: number;
  /** Called when the edits have been sent, or are not wanted any more. */
  onDiscard: () => void;
}

/**
 * Sends what was fixed with the choices of the first upload. Where the good rows are registered already, the fixed
 * rows alone; after a check or an all-or-nothing upload, which registered none, the whole sheet with the fixes in it.
 */
export function UploadFixed({ submission, report, edits, stillBad, onDiscard }: UploadFixedProps) {
  const [, go] = useLocation();
  const client = useQueryClient();
  const whole = isSentWhole(submission);
  const send = useMutation({
    mutationFn: async () => {
      const file = await fixedSheet({ submission, report, edits, whole, client });
      const options = optionsOfSubmission(submission);
      const answer = await upload({ file, options });
      rememberUpload(answer.submissionId, { file, options, replayed: answer.replayed });
      return answer.submissionId;
    },
    onSuccess: (id) => {
      onDiscard();
      go(`/submissions/${id}`);
    },
  });
  const words = fixedWords({ submission, report, edits, stillBad, whole });
  if (!words) {
    if (!report.rows.some(({ accession }) => accession !== undefined)) return null;
    return (
      <Text size="sm" c="dimmed">
        These rows are registered as they stand. Change a value to update its sample.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Group>
        <Button size="md" disabled={!words.ready} loading={send.isPending} onClick={() => send.mutate()}>
          {words.button}
        </Button>
        {edits.size > 0 && (
          <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={onDiscard}>
            Discard the changes
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {words.hint}
        </Text>
      </Group>
      {send.error && <ErrorNote error={send.error} doing="The fixed rows were not taken" />}
    </Stack>
  );
}
