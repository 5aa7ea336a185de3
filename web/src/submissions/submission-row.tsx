import { Anchor, Progress, Stack, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { isDryRun, kindOf } from '../api/submission-kind.js';
import { Copyable } from '../show/copyable.js';
import { ScrollBox } from '../show/scroll-box.js';
import { StatusBadge } from '../show/status-badge.js';
import { Ago } from '../show/when.js';
import { bytes, count, counted, shortId } from '../show/words.js';
import { percentOf } from '../submission/progress.js';
import { FilesMenu } from './files-menu.js';

export interface SubmissionListProps {
  submissions: readonly SubmissionStatus[];
  withAccount: boolean;
}

/** Where there is room for a table. */
export function SubmissionTable({ submissions, withAccount }: SubmissionListProps) {
  return (
    <ScrollBox label="Submissions">
      <Table miw={760} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Status</Table.Th>
            <Table.Th>File</Table.Th>
            <Table.Th>Rows</Table.Th>
            {withAccount && <Table.Th>Account</Table.Th>}
            <Table.Th>Uploaded</Table.Th>
            <Table.Th>Files</Table.Th>
            <Table.Th>ID</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {submissions.map((submission) => (
            <SubmissionRow key={submission.submissionId} submission={submission} withAccount={withAccount} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

interface SubmissionRowProps {
  submission: SubmissionStatus;
  withAccount: boolean;
}

function SubmissionRow({ submission, withAccount }: SubmissionRowProps) {
  const { submissionId: id, submissionStatus, phase, counts, fileName, fileSize, submissionDate } = submission;
  const running = submissionStatus === 'ACTIVE';
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={4} miw={170}>
          <StatusBadge state={submissionStatus} phase={phase} dryRun={isDryRun(submission)} />
          {running && <Progress value={percentOf(submission)} size="sm" aria-label={`Progress of ${fileName}`} />}
        </Stack>
      </Table.Td>
      <Table.Td maw={320}>
        <Anchor component={Link} href={`/submissions/${id}`} className="name" size="sm" display="block" miw={180}>
          {fileName}
        </Anchor>
        <Text size="xs" c="dimmed">
          {bytes(fileSize)}
          {KINDS[kindOf(submission)]}
        </Text>
      </Table.Td>
      <Table.Td>
        <RowCounts counts={counts} />
      </Table.Td>
      {withAccount && <Table.Td className="name">{submission.submitterDetails}</Table.Td>}
      <Table.Td>
        <Ago iso={submissionDate} />
      </Table.Td>
      <Table.Td>
        <FilesMenu submission={submission} />
      </Table.Td>
      <Table.Td>
        <Copyable text={id} shown={shortId(id)} what={`ID of ${fileName}`} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Said beside the file where it is no plain upload. */
export const KINDS = { upload: '', check: ' · check', commit: ' · check carried out', undo: ' · undo' };

interface RowCountsProps {
  counts: SubmissionStatus['counts'];
  /** Said where no head of a column says it. */
  unit?: boolean;
}

export function RowCounts({ counts: { rows, rejected }, unit = false }: RowCountsProps) {
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {unit ? counted(rows, 'row') : count(rows)}
      {rejected > 0 && (
        <Text component="span" inherit c="var(--bad)">
          {' '}
          · {count(rejected)} to fix
        </Text>
      )}
    </Text>
  );
}
