import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { CellIssue, SubmissionStatus } from '../../api/contract.js';
import type { IssueReport } from '../../api/issues.js';
import { upload } from '../../api/upload.js';
import { useMe } from '../../session/session.js';
import { ErrorNote } from '../../show/error-note.js';
import { Note } from '../../show/note.js';
import { count, counted, shortId } from '../../show/words.js';
import { rememberUpload } from '../../upload/recent-uploads.js';
import { optionsOfSubmission } from '../options-of-submission.js';
import { requireAsShown } from './as-shown.js';
import { fixedSheet } from './fixed-sheet.js';
import { fixedWords } from './fixed-words.js';
import type { Edits } from './fixing.js';
import { goesOnIn, isSentWhole } from './sent-whole.js';

interface UploadFixedProps {
  submission: SubmissionStatus;
  report: IssueReport;
  edits: Edits;
  /** Changed rows that cannot be sent from here: they are registered as they stood. */
  others: number;
  /** Rows with edits that would be rejected again. */
  stillBad: number;
  /** What is said of changed rows that would be second samples of their names. */
  secondSamples: readonly CellIssue[];
  /** What was changed in these rows is not wanted any more. */
  onLeaveOut: (lines: readonly number[]) => void;
  onSent: (edits: Edits) => void;
  /** They are not wanted any more. */
  onDiscard: () => void;
}

/**
 * Sends what was fixed with the choices of the first upload: the fixed rows alone, or the whole sheet with the fixes in it.
 * Of a check that was carried out nothing is sent: its rows go on where it was.
 */
export function UploadFixed(props: UploadFixedProps) {
  const { submission, report, edits, others, stillBad, secondSamples, onLeaveOut, onSent, onDiscard } = props;
  const [, go] = useLocation();
  const client = useQueryClient();
  const me = useMe().data?.account;
  const whole = isSentWhole(submission);
  const send = useMutation({
    mutationFn: async () => {
      await requireAsShown(client, submission);
      const file = await fixedSheet({ submission, report, edits, whole, client });
      const options = optionsOfSubmission(submission);
      const answer = await upload({ file, options });
      rememberUpload(answer.submissionId, { file, options, replayed: answer.replayed });
      return { id: answer.submissionId, edits };
    },
    onSuccess: ({ id, edits: those }) => {
      onSent(those);
      go(`/submissions/${id}`);
    },
  });
  const further = goesOnIn(submission);
  if (further !== undefined) {
    return (
      <Text size="sm">
        This check was carried out. What is left to fix, and what you have changed here, is in{' '}
        <Anchor component={Link} href={`/submissions/${further}`} inherit>
          submission {shortId(further)}
        </Anchor>
        .
      </Text>
    );
  }
  const owner = submission.submitterDetails === me ? undefined : submission.submitterDetails;
  const words = fixedWords({ submission, report, edits, others, stillBad, whole, owner });
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
      {submission.undoneBy !== undefined && !whole && (
        <Text size="sm">
          What this upload registered was taken back, and stays so: the fixed rows are sent alone, and where one names a
          sample of the other rows, it refers to one that is withdrawn. To register all of the sheet, fix it in your own
          and upload that.
        </Text>
      )}
      {secondSamples.length > 0 && <SecondSamples issues={secondSamples} onLeaveOut={onLeaveOut} />}
      <Group>
        <Button size="md" disabled={!words.ready} loading={send.isPending} onClick={() => send.mutate()}>
          {words.button}
        </Button>
        {edits.size + others > 0 && (
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

/** At once. */
const MOST_NAMED = 5;

interface SecondSamplesProps {
  issues: readonly CellIssue[];
  onLeaveOut: (lines: readonly number[]) => void;
}

/** Rows that were fixed and sent before, by whoever it was: their own sheet knows nothing of it. */
function SecondSamples({ issues, onLeaveOut }: SecondSamplesProps) {
  const one = issues.length === 1;
  return (
    <Note
      tone="care"
      title={`${counted(issues.length, 'changed row')} would become ${one ? 'a second sample of its name' : 'second samples of their names'}`}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {issues.slice(0, MOST_NAMED).map(({ line, message }) => (
          <Text key={line} size="sm" className="name">
            Line {count(line)}: {message}
          </Text>
        ))}
        {issues.length > MOST_NAMED && <Text size="sm">… and {counted(issues.length - MOST_NAMED, 'other row')}.</Text>}
        <Button size="xs" variant="default" onClick={() => onLeaveOut(issues.map(({ line }) => line))}>
          Leave {one ? 'this row' : 'these rows'} out
        </Button>
      </Stack>
    </Note>
  );
}
