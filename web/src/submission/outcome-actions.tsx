import { Button, Group, Stack, Text } from '@mantine/core';
import { RefreshCwIcon } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formOf } from '../../../src/submissions/results/result-form.js';
import type { SubmissionStatus } from '../api/contract.js';
import { toWithdraw } from '../api/standing.js';
import { isDryRun } from '../api/submission-kind.js';
import { submissionPath, useSubmissionAct } from '../api/submissions.js';
import { DownloadButton, DownloadLink } from '../show/download.js';
import { ErrorNote } from '../show/error-note.js';
import { counted } from '../show/words.js';
import { AskDialog } from '../upload/ask-dialog.js';
import { becomePublicWords } from '../upload/look-first.js';
import { Again } from './again.js';
import { UndoDialog } from './undo-dialog.js';

/** The one thing to do next, and the quiet ones beside it. */
export function OutcomeActions({ submission }: { submission: SubmissionStatus }) {
  const { submissionId: id, counts, problem, fileName } = submission;
  const act = useSubmissionAct(id);
  const [undoing, setUndoing] = useState(false);
  const [asking, setAsking] = useState(false);
  const publishes = submission.becomePublic > 0 ? [becomePublicWords(submission.becomePublic)] : [];
  const [, go] = useLocation();
  const dryRun = isDryRun(submission);
  const commits = counts.created + counts.updated + toWithdraw(submission);
  const path = submissionPath(id);
  const readable = counts.rows > 0;
  const askToUndo = () => {
    act.reset();
    setUndoing(true);
  };
  const doIt = (what: 'retry' | 'commit' | 'undo') =>
    act.mutate(what, {
      onSuccess: (next) => {
        setUndoing(false);
        if (next !== id) go(`/submissions/${next}`);
      },
    });
  return (
    <Stack gap="sm">
      <Group gap="md" style={{ rowGap: 12 }}>
        {submission._links.commit && commits > 0 && submission.committedBy === undefined && (
          <Button
            size="md"
            loading={act.isPending}
            onClick={() => (publishes.length > 0 ? setAsking(true) : doIt('commit'))}
          >
            {commitLabel(submission)}
          </Button>
        )}
        {!dryRun && readable && (
          <DownloadButton path={`${path}/result`} size="md" variant={counts.rejected > 0 ? 'default' : 'filled'}>
            Download result
          </DownloadButton>
        )}
        {!dryRun && readable && formOf(submission) === 'sheet' && (
          <DownloadLink path={`${path}/result?format=xlsx`}>Result as Excel</DownloadLink>
        )}
        {!dryRun && readable && <DownloadLink path={`${path}/mapping`}>Mapping (JSON)</DownloadLink>}
        {!dryRun && readable && submission._links.roCrate && (
          <DownloadLink path={`${path}/ro-crate`}>RO-Crate (ZIP)</DownloadLink>
        )}
        <DownloadLink path={`${path}/original`} name={fileName}>
          Original
        </DownloadLink>
        <Again submission={submission} />
        {problem?.retryable && (
          <Button
            variant="default"
            leftSection={<RefreshCwIcon size={16} aria-hidden />}
            loading={act.isPending}
            onClick={() => doIt('retry')}
          >
            Resume
          </Button>
        )}
        {submission._links.undo && (
          <Button variant="subtle" color="gray" c="var(--mantine-color-text)" onClick={askToUndo}>
            Undo…
          </Button>
        )}
      </Group>
      {problem && !problem.retryable && (
        <Text size="sm">Fix the file as it says above, then upload it again: it keeps its name and place.</Text>
      )}
      {act.error && !undoing && <ErrorNote error={act.error} />}
      <AskDialog
        questions={asking ? [{ name: fileName, says: publishes }] : []}
        onAnswer={(goOn) => {
          setAsking(false);
          if (goOn) doIt('commit');
        }}
      />
      <UndoDialog
        opened={undoing}
        submission={submission}
        busy={act.isPending}
        error={act.error}
        onClose={() => {
          act.reset();
          setUndoing(false);
        }}
        onUndo={() => doIt('undo')}
      />
    </Stack>
  );
}

function commitLabel(submission: SubmissionStatus): string {
  const { created, updated } = submission.counts;
  const withdrawn = toWithdraw(submission);
  if (withdrawn === 0) return registerLabel(submission);
  if (created + updated === 0) return `Withdraw the ${counted(withdrawn, 'missing sample')}`;
  return `${registerLabel(submission)}, withdraw ${counted(withdrawn, 'missing one')}`;
}

function registerLabel({ counts: { created, updated, rejected } }: SubmissionStatus): string {
  const good = rejected > 0 ? 'good ' : '';
  if (updated === 0) return `Register the ${good}${counted(created, 'sample')}`;
  if (created === 0)
    return `Register ${updated === 1 ? 'this change' : 'these changes'} to ${counted(updated, 'sample')}`;
  return `Register ${counted(created, `${good}sample`)} and change ${counted(updated, 'sample')}`;
}
