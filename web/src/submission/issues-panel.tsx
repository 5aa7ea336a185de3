import { Anchor, Button, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SearchIcon } from 'lucide-react';
import { type Ref, useCallback, useMemo, useState } from 'react';
import type { IssueGroup, SubmissionStatus } from '../api/contract.js';
import type { IssueReport } from '../api/issues.js';
import { useIssueReport } from '../api/report.js';
import { kindOf } from '../api/submission-kind.js';
import { submissionPath } from '../api/submissions.js';
import { DraftNote } from '../drafts/draft-note.js';
import { DownloadLink } from '../show/download.js';
import { ErrorNote } from '../show/error-note.js';
import { HELD_BACK, issuesToShow, rowsToFix } from '../show/to-fix.js';
import { count, counted } from '../show/words.js';
import { ColumnFill } from './fixing/column-fill.js';
import { useEditDraft } from './fixing/edit-draft.js';
import { useEditableSheet } from './fixing/editable-sheet.js';
import { type Edit, editsOf, withEdits, withoutLines } from './fixing/fixing.js';
import { isSentWhole } from './fixing/sent-whole.js';
import { SheetGrid } from './fixing/sheet-grid.js';
import { UploadFixed } from './fixing/upload-fixed.js';
import { IssueGroups } from './issue-groups.js';
import { filterIssues, groupKey, type ListedIssue, listIssues, originalText } from './issue-list.js';
import { IssueTable } from './issue-table.js';
import { useRowChecks } from './row-checks.js';

interface IssuesPanelProps {
  submission: SubmissionStatus;
  headingRef: Ref<HTMLHeadingElement>;
}

/** What is wrong: by kind, then cell by cell, fixed in place. */
export function IssuesPanel({ submission, headingRef }: IssuesPanelProps) {
  const { submissionId: id } = submission;
  const groups = issuesToShow(submission).filter(({ code }) => code !== HELD_BACK);
  const toFix = rowsToFix(submission);
  const report = useIssueReport(id);
  const warnings = groups.filter(({ severity }) => severity === 'warning').reduce((sum, group) => sum + group.count, 0);
  const leftAlone = kindOf(submission) === 'undo' || submission.edit !== undefined;
  const title = leftAlone
    ? `Left alone (${count(toFix)})`
    : toFix > 0
      ? `To fix (${count(toFix)})`
      : `To look at (${count(warnings)})`;
  return (
    <Stack gap="md" component="section" aria-labelledby="to-fix">
      <Group justify="space-between">
        <Title order={2} id="to-fix" ref={headingRef} tabIndex={-1}>
          {title}
        </Title>
        {submission.counts.rejected > 0 && (
          <Group gap="md">
            <Text size="sm">
              {submission.counts.rejected === 1
                ? 'Download the row:'
                : `Download the ${counted(submission.counts.rejected, 'row')}:`}
            </Text>
            <DownloadLink path={`${submissionPath(id)}/errors`}>
              {submission.columns?.json ? 'NDJSON' : 'TSV'}
            </DownloadLink>
            <DownloadLink path={`${submissionPath(id)}/errors?format=xlsx`}>Excel</DownloadLink>
          </Group>
        )}
      </Group>
      {report.error && (
        <ErrorNote error={report.error} doing="The rows did not arrive" retry={() => report.refetch()} />
      )}
      {report.isPending && (
        <>
          <IssueGroups groups={groups} />
          <Skeleton h={320} aria-label="Loading the rows" />
        </>
      )}
      {report.data && <Fixing submission={submission} report={report.data} groups={groups} />}
    </Stack>
  );
}

interface FixingProps {
  submission: SubmissionStatus;
  report: IssueReport;
  groups: readonly IssueGroup[];
}

function Fixing({ submission, report, groups }: FixingProps) {
  const { edits: all, change: setEdits, sent, discard, draft } = useEditDraft(submission);
  const edits = useMemo(() => (isSentWhole(submission) ? all : editsOf(all, report.rows)), [submission, all, report]);
  const [inSheet, setInSheet] = useState(false);
  const sheet = useEditableSheet(submission, report, inSheet || edits.size > 0);
  const checks = useRowChecks(submission.submissionId, report, edits, sheet?.rows ?? report.rows);
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, 150);
  const [group, setGroup] = useState('');
  const listed = useMemo(() => listIssues(report), [report]);
  const shown = useMemo(() => filterIssues(listed, { text, group }), [listed, text, group]);
  const suggested = shown.filter(hasSuggestion);
  const byKind = useMemo(() => suggestionsByKind(listed), [listed]);
  const editCells = useCallback(
    (edited: readonly Edit[]) => setEdits((present) => withEdits(present, edited)),
    [setEdits],
  );
  const applySuggestions = (some: readonly ListedIssue[]) => change(some, ({ issue }) => issue.suggestion);

  const change = (some: readonly ListedIssue[], textOf: (issue: ListedIssue) => string | undefined) =>
    setEdits((present) =>
      withEdits(
        present,
        some.flatMap((one) => {
          const text = textOf(one);
          const { row, place } = one;
          if (text === undefined || place === undefined) return [];
          return [{ line: row.line, column: place, text, original: originalText(one) }];
        }),
      ),
    );

  return (
    <Stack gap="md">
      <IssueGroups
        groups={groups}
        onChoose={(chosen) => setGroup(groupKey(chosen))}
        suggestions={(kind) => byKind.get(groupKey(kind))?.length ?? 0}
        onUse={(kind) => applySuggestions(byKind.get(groupKey(kind)) ?? [])}
      />
      {!submission.columns?.json && (
        <Group>
          <Button variant="default" aria-pressed={inSheet} onClick={() => setInSheet(!inSheet)}>
            {inSheet ? 'Back to the list' : 'Fix in the sheet'}
          </Button>
        </Group>
      )}
      {inSheet && sheet === undefined && <Skeleton h={320} aria-label="Loading the sheet" />}
      {inSheet && sheet && <SheetGrid sheet={sheet} report={report} edits={edits} checks={checks} onEdit={editCells} />}
      {!inSheet && (
        <>
          <Group gap="sm" align="flex-end">
            <TextInput
              label="Find"
              placeholder="Line, value or words"
              leftSection={<SearchIcon size={16} aria-hidden />}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              w={{ base: '100%', xs: 240 }}
            />
            <Select
              label="Show"
              data={[
                { value: '', label: 'every kind' },
                ...uniqueKinds(groups).map((kind) => ({
                  value: groupKey(kind),
                  label: kind.column === undefined ? kind.code : `${kind.column}: ${kind.code}`,
                })),
              ]}
              value={group}
              onChange={(value) => setGroup(value ?? '')}
              allowDeselect={false}
              w={{ base: '100%', xs: 300 }}
            />
            <Text size="sm" role="status" pb={8}>
              {shown.length === listed.length
                ? counted(listed.length, 'entry', 'entries')
                : `${count(shown.length)} of ${count(listed.length)}`}
            </Text>
            {suggested.length > 1 && (
              <Anchor component="button" type="button" size="sm" pb={8} onClick={() => applySuggestions(suggested)}>
                Use all {count(suggested.length)} suggestions
              </Anchor>
            )}
          </Group>
          <ColumnFill
            columns={report.columns}
            issues={shown}
            edits={edits}
            onEdit={(cells, value) => change(cells, () => value)}
          />
          <IssueTable
            id={submission.submissionId}
            columns={report.columns}
            issues={shown}
            edits={edits}
            checks={checks}
            onUseRow={(row) => applySuggestions(listed.filter((one) => one.row === row && hasSuggestion(one)))}
            onEdit={(listed, place, text) => change([{ ...listed, place }], () => text)}
          />
        </>
      )}
      {kindOf(submission) !== 'undo' && !submission.columns?.json && (
        <UploadFixed
          submission={submission}
          report={report}
          edits={edits}
          others={all.size - edits.size}
          stillBad={checks.stillBad}
          secondSamples={checks.secondSamples}
          onLeaveOut={(lines) => setEdits((present) => withoutLines(present, lines))}
          onSent={sent}
          onDiscard={discard}
        />
      )}
      <DraftNote draft={draft} />
    </Stack>
  );
}

const hasSuggestion = ({ issue, place }: ListedIssue): boolean => place !== undefined && issue.suggestion !== undefined;

function suggestionsByKind(all: readonly ListedIssue[]): Map<string, ListedIssue[]> {
  const found = new Map<string, ListedIssue[]>();
  for (const one of all) {
    if (!hasSuggestion(one)) continue;
    const key = groupKey(one.issue);
    const same = found.get(key);
    if (same) same.push(one);
    else found.set(key, [one]);
  }
  return found;
}

function uniqueKinds(groups: readonly IssueGroup[]): IssueGroup[] {
  const seen = new Map<string, IssueGroup>();
  for (const group of groups) if (!seen.has(groupKey(group))) seen.set(groupKey(group), group);
  return [...seen.values()];
}
