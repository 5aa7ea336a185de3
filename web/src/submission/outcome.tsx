import { Anchor, Group, Stack, Text } from '@mantine/core';
import { type Ref, useRef } from 'react';
import type { SubmissionStatus } from '../api/contract.js';
import { isDryRun } from '../api/submissions.js';
import { Note } from '../show/note.js';
import { StatusBadge } from '../show/status-badge.js';
import { counted } from '../show/words.js';
import { recentUpload } from '../upload/recent-uploads.js';
import { CountsLine } from './counts-line.js';
import { Differences } from './differences.js';
import { IssuesPanel } from './issues-panel.js';
import { OutcomeActions } from './outcome-actions.js';
import { Registered } from './registered.js';
import { Replayed } from './replayed.js';
import { rowsHeldBack, rowsToMend } from './to-mend.js';

interface OutcomeProps {
  submission: SubmissionStatus;
  statusRef: Ref<HTMLDivElement>;
}

/** What became of the sheet: counts, what to do next, what to mend, what is registered. */
export function Outcome({ submission, statusRef }: OutcomeProps) {
  const { submissionStatus, counts, problem, issues = [] } = submission;
  const dryRun = isDryRun(submission);
  const toMend = useRef<HTMLHeadingElement>(null);
  const recent = recentUpload(submission.submissionId);
  return (
    <Stack gap="lg">
      <Stack gap="sm" ref={statusRef} tabIndex={-1} role="status" style={{ outline: 'none' }}>
        <Group gap="lg" style={{ rowGap: 8 }}>
          <StatusBadge state={submissionStatus} dryRun={dryRun} size="md" />
          {counts.rows > 0 && <CountsLine counts={counts} heldBack={rowsHeldBack(submission)} dryRun={dryRun} />}
          {counts.rejected > 0 && (
            <Anchor component="button" type="button" size="sm" onClick={() => goTo(toMend.current)}>
              Go to what needs mending
            </Anchor>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {sentence(submission)}
        </Text>
      </Stack>
      {recent?.replayed && <Replayed submissionId={submission.submissionId} recent={recent} />}
      {problem && (
        <Note tone="bad" title={problem.retryable ? 'Processing stopped' : 'The file was not taken'}>
          <Text size="sm">
            {problem.line !== undefined && !problem.message.toLowerCase().includes(`line ${problem.line}`)
              ? `Line ${problem.line}: `
              : ''}
            {problem.message}
          </Text>
        </Note>
      )}
      <OutcomeActions submission={submission} />
      {dryRun && counts.updated > 0 && <Differences submission={submission} />}
      {issues.length > 0 && <IssuesPanel submission={submission} headingRef={toMend} />}
      {!dryRun && <Registered submission={submission} />}
    </Stack>
  );
}

function goTo(heading: HTMLElement | null): void {
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

function sentence(submission: SubmissionStatus): string {
  const { submissionStatus, counts, options, problem } = submission;
  const { rows, created, updated } = counts;
  const rejected = rowsToMend(submission);
  if (isDryRun(submission)) {
    if (problem) return 'Nothing was written: this was a check.';
    if (rejected > 0) return `Nothing was written: this was a check. ${mend(rejected)}`;
    return created + updated === 0
      ? 'Nothing was written: this was a check. Everything is registered as it stands in the sheet.'
      : 'Nothing was written: this was a check. The sheet is ready to register.';
  }
  if (submissionStatus === 'CANCELLED') {
    return `Cancelled after ${counted(rows, 'row')}. What is registered stays and is listed below.`;
  }
  if (problem) return 'Nothing more happens by itself.';
  if (rejected > 0 && options?.mode === 'atomic') {
    return `Nothing was registered, as you chose, because ${counted(rejected, 'row')} ${rejected === 1 ? 'is' : 'are'} wrong.`;
  }
  if (rejected > 0) return mend(rejected);
  return `Every row of the sheet is registered${created > 0 ? ', each with its accession' : ''}.`;
}

const mend = (rejected: number): string =>
  `${counted(rejected, 'row')} ${rejected === 1 ? 'needs' : 'need'} mending: change the values below and upload them again.`;
