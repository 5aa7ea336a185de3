import { Anchor, Group, Stack, Text } from '@mantine/core';
import { type Ref, useRef } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { kindOf, originOf } from '../api/submission-kind.js';
import { CountsLine } from '../show/counts-line.js';
import { Note } from '../show/note.js';
import { StatusBadge } from '../show/status-badge.js';
import { issuesToShow, rowsHeldBack } from '../show/to-fix.js';
import { shortId } from '../show/words.js';
import { recentUpload } from '../upload/recent-uploads.js';
import { Differences } from './differences.js';
import { EditSummary } from './fixing/edit-summary.js';
import { IssuesPanel } from './issues-panel.js';
import { OutcomeActions } from './outcome-actions.js';
import { outcomeWords } from './outcome-words.js';
import { Registered } from './registered.js';
import { Replayed } from './replayed.js';
import { SheetColumns } from './sheet-columns.js';
import { StandingSheet } from './standing-sheet.js';

interface OutcomeProps {
  submission: SubmissionStatus;
  statusRef: Ref<HTMLDivElement>;
}

/** What became of the sheet: counts, what to do next, what to fix, what is registered. */
export function Outcome({ submission, statusRef }: OutcomeProps) {
  const { submissionStatus, counts, problem } = submission;
  const issues = issuesToShow(submission);
  const kind = kindOf(submission);
  const origin = originOf(submission);
  const dryRun = kind === 'check';
  const toFix = useRef<HTMLHeadingElement>(null);
  const recent = recentUpload(submission.submissionId);
  return (
    <Stack gap="lg">
      <Stack gap="sm" ref={statusRef} tabIndex={-1} role="status" style={{ outline: 'none' }}>
        <Group gap="lg" style={{ rowGap: 8 }}>
          <StatusBadge state={submissionStatus} dryRun={dryRun} size="md" />
          {counts.rows > 0 && (
            <CountsLine
              counts={counts}
              heldBack={rowsHeldBack(submission)}
              kind={kind}
              edit={submission.edit !== undefined}
            />
          )}
          {counts.rejected > 0 && (
            <Anchor component="button" type="button" size="sm" onClick={() => goTo(toFix.current)}>
              {kind === 'undo' || submission.edit ? 'Go to what was left alone' : 'Go to what needs fixing'}
            </Anchor>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {outcomeWords(submission)}
          {origin !== undefined && (
            <>
              {kind === 'undo' ? ' It took back ' : ' It carried out '}
              <Anchor component={Link} href={`/submissions/${origin}`} inherit>
                {kind === 'undo' ? 'submission' : 'the check'} {shortId(origin)}
              </Anchor>
              .
            </>
          )}
          {submission.committedBy !== undefined && (
            <>
              {' Carried out by '}
              <Anchor component={Link} href={`/submissions/${submission.committedBy}`} inherit>
                submission {shortId(submission.committedBy)}
              </Anchor>
              .
            </>
          )}
          {typeof submission.undoneBy === 'string' && (
            <>
              {' Taken back by '}
              <Anchor component={Link} href={`/submissions/${submission.undoneBy}`} inherit>
                submission {shortId(submission.undoneBy)}
              </Anchor>
              .
            </>
          )}
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
      <SheetColumns submission={submission} />
      <EditSummary submission={submission} />
      <OutcomeActions submission={submission} />
      <StandingSheet submission={submission} />
      {submission._links.changes && counts.updated > 0 && <Differences submission={submission} />}
      {issues.length > 0 && <IssuesPanel submission={submission} headingRef={toFix} />}
      {!dryRun && <Registered submission={submission} />}
    </Stack>
  );
}

function goTo(heading: HTMLElement | null): void {
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
