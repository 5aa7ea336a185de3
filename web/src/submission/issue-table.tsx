import { Anchor, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { ChevronDownIcon, ChevronRightIcon } from 'lucide-react';
import { useState } from 'react';
import { columnLetter } from '../../../src/tsv/dialect.js';
import type { BadRow } from '../api/issues.js';
import { CellInput } from '../show/cell-input.js';
import { SpentButton } from '../show/spent-button.js';
import { VirtualRows } from '../show/virtual-rows.js';
import { count } from '../show/words.js';
import type { Edits } from './fixing/fixing.js';
import { RowInSheet } from './fixing/row-in-sheet.js';
import { SeverityMark } from './issue-groups.js';
import { type ListedIssue, originalText } from './issue-list.js';
import type { RowChecks, Verdict } from './row-checks.js';

interface IssueTableProps {
  id: string;
  columns: readonly string[];
  issues: readonly ListedIssue[];
  edits: Edits;
  checks: RowChecks;
  onEdit: (issue: ListedIssue, place: number, text: string) => void;
  /** Takes every suggestion for the row. */
  onUseRow: (row: BadRow) => void;
}

/** Line, column, value, what is wrong, suggestion. A bad cell is fixed where it stands. */
export function IssueTable({ id, columns, issues, edits, checks, onEdit, onUseRow }: IssueTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpen((present) => {
      const next = new Set(present);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <VirtualRows
      label="What to fix"
      columns={5}
      count={issues.length}
      rowHeight={56}
      maxHeight={560}
      minWidth={860}
      rowKey={(index) => issues[index]?.key ?? index}
      head={
        <>
          <Table.Th w={90}>Line</Table.Th>
          <Table.Th w={190}>Column</Table.Th>
          <Table.Th w={220}>Value</Table.Th>
          <Table.Th>What is wrong</Table.Th>
          <Table.Th w={190}>Suggestion</Table.Th>
        </>
      }
      row={(index) => {
        const listed = issues[index];
        if (!listed) return null;
        const { row, issue, place } = listed;
        const shown = open.has(listed.key);
        return (
          <>
            <Table.Td valign="top">
              <LineCell listed={listed} open={shown} onToggle={() => toggle(listed.key)} />
            </Table.Td>
            <Table.Td valign="top">
              <Group gap={8} wrap="nowrap" align="flex-start">
                <SeverityMark severity={issue.severity} />
                <Text size="sm" className="name">
                  {place !== undefined && (
                    <Text component="span" inherit c="dimmed">
                      {columnLetter(place)}{' '}
                    </Text>
                  )}
                  {issue.column ?? 'whole row'}
                </Text>
              </Group>
            </Table.Td>
            <Table.Td valign="top">
              <Fix listed={listed} edits={edits} checks={checks} onEdit={onEdit} />
            </Table.Td>
            <Table.Td valign="top">
              <Text size="sm" className="name">
                {issue.message}
              </Text>
              {shown && (
                <RowInSheet
                  id={id}
                  columns={columns}
                  row={row}
                  at={place}
                  edits={edits}
                  onEdit={(at, text) => onEdit(listed, at, text)}
                />
              )}
            </Table.Td>
            <Table.Td valign="top">
              <Suggestion listed={listed} edits={edits} onEdit={onEdit} onUseRow={onUseRow} />
            </Table.Td>
          </>
        );
      }}
    />
  );
}

interface FixProps extends Pick<IssueTableProps, 'edits' | 'onEdit'> {
  listed: ListedIssue;
}

const INKS = { good: 'var(--good)', care: 'var(--care)', bad: 'var(--bad)' };

/** The cell, to be changed in place; what is typed is checked by the service as it is typed. */
function Fix({ listed, edits, checks, onEdit }: FixProps & { checks: RowChecks }) {
  const { row, issue, place } = listed;
  if (place === undefined) return <span className="value">{issue.value ?? ''}</span>;
  const original = originalText(listed);
  const edited = edits.get(row.line)?.get(place);
  const verdict = edited === undefined ? undefined : checks.verdictAt(row.line, place);
  const untouched = issue.severity === 'error' ? 'bad' : 'care';
  return (
    <CellInput
      aria-label={`Line ${row.line}, ${issue.column ?? `column ${columnLetter(place)}`}`}
      value={edited ?? original}
      onText={(text) => onEdit(listed, place, text)}
      error={edited === undefined ? issue.severity === 'error' : verdict?.tone === 'bad'}
      styles={{
        input: {
          fontFamily: 'var(--mantine-font-family-monospace)',
          borderColor: edited === undefined ? INKS[untouched] : verdict && INKS[verdict.tone],
        },
        description: { color: verdict && INKS[verdict.tone], overflowWrap: 'anywhere' },
      }}
      description={edited === undefined ? undefined : verdictWords(verdict)}
      inputWrapperOrder={['input', 'description']}
    />
  );
}

function verdictWords(verdict: Verdict): string {
  if (verdict === undefined) return 'changed; being checked';
  return verdict.tone === 'good' ? 'fixed' : verdict.message;
}

function Suggestion({ listed, edits, onEdit, onUseRow }: FixProps & Pick<IssueTableProps, 'onUseRow'>) {
  const { row, issue, place } = listed;
  const { suggestion } = issue;
  if (suggestion === undefined) return null;
  const taken = place !== undefined && edits.get(row.line)?.get(place) === suggestion;
  const others = row.issues.filter((one) => one.suggestion !== undefined).length;
  return (
    <Stack gap={4} align="flex-start">
      <Group gap={8} wrap="nowrap" align="flex-start">
        <span className="value">{suggestion}</span>
        {place !== undefined && (
          <SpentButton
            size="compact-xs"
            variant="default"
            spent={taken}
            onClick={() => onEdit(listed, place, suggestion)}
            aria-label={`Use ${suggestion} in line ${row.line}`}
          >
            use
          </SpentButton>
        )}
      </Group>
      {others > 1 && (
        <Anchor component="button" type="button" size="xs" onClick={() => onUseRow(row)}>
          use all {others} of line {row.line}
        </Anchor>
      )}
    </Stack>
  );
}

interface LineCellProps {
  listed: ListedIssue;
  open: boolean;
  onToggle: () => void;
}

/** The line, which opens the row where its cells are known. */
function LineCell({ listed: { row, issue }, open, onToggle }: LineCellProps) {
  if (row.cells.length === 0) return <Text size="sm">{count(issue.line)}</Text>;
  return (
    <UnstyledButton onClick={onToggle} aria-expanded={open} aria-label={`Line ${issue.line} in the sheet`}>
      <Group gap={2} wrap="nowrap">
        {open ? <ChevronDownIcon size={16} aria-hidden /> : <ChevronRightIcon size={16} aria-hidden />}
        <Text size="sm">{count(issue.line)}</Text>
      </Group>
    </UnstyledButton>
  );
}
