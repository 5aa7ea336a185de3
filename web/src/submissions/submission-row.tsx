import { ActionIcon, Anchor, Menu, Progress, Stack, Table, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconDownload, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { address } from '../api/request.js';
import { isDryRun, kindOf, submissionPath, useSubmissionAct } from '../api/submissions.js';
import { Copyable } from '../show/copyable.js';
import { StatusBadge } from '../show/status-badge.js';
import { Ago } from '../show/when.js';
import { bytes, count, shortId } from '../show/words.js';
import { percentOf } from '../submission/pace.js';
import { UndoDialog } from '../submission/undo-dialog.js';

interface SubmissionRowProps {
  submission: SubmissionStatus;
  withAccount: boolean;
}

export function SubmissionRow({ submission, withAccount }: SubmissionRowProps) {
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
        <RowCounts {...counts} />
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
const KINDS = { upload: '', check: ' · check', commit: ' · check carried out', undo: ' · undo' };

function RowCounts({ rows, rejected }: SubmissionStatus['counts']) {
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
      {count(rows)}
      {rejected > 0 && (
        <Text component="span" inherit c="var(--bad)">
          {' '}
          · {count(rejected)} to mend
        </Text>
      )}
    </Text>
  );
}

/** The files of a submission and what can be done with it, at the name of the file. */
function FilesMenu({ submission }: { submission: SubmissionStatus }) {
  const { submissionId: id, submissionStatus, fileName, counts, problem } = submission;
  const act = useSubmissionAct(id);
  const [undoing, setUndoing] = useState(false);
  const [, go] = useLocation();
  const path = submissionPath(id);
  const files = [
    { name: 'Result (TSV)', path: `${path}/result`, there: counts.rows > 0 && !isDryRun(submission) },
    { name: 'Mapping (JSON)', path: `${path}/mapping`, there: counts.rows > 0 && !isDryRun(submission) },
    { name: 'Rows to mend (TSV)', path: `${path}/errors`, there: counts.rejected > 0 },
    { name: 'Original', path: `${path}/original`, there: true },
  ];
  return (
    <>
      <UndoDialog
        opened={undoing}
        submission={submission}
        busy={act.isPending}
        onClose={() => setUndoing(false)}
        onUndo={() => act.mutate('undo', { onSuccess: (next) => go(`/submissions/${next}`) })}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label="Files and actions">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Files and actions of ${fileName}`}
              loading={act.isPending}
            >
              <IconDots size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {files
            .filter(({ there }) => there)
            .map(({ name, path: at }) => (
              <Menu.Item
                key={name}
                component="a"
                href={address(at)}
                download={name === 'Original' ? fileName : ''}
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                {name}
              </Menu.Item>
            ))}
          {submissionStatus === 'ACTIVE' && (
            <Menu.Item leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={() => act.mutate('cancel')}>
              Cancel
            </Menu.Item>
          )}
          {submission._links.undo && counts.created + counts.updated > 0 && (
            <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setUndoing(true)}>
              Undo…
            </Menu.Item>
          )}
          {problem?.retryable && (
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => act.mutate('retry')}>
              Go on from where it stopped
            </Menu.Item>
          )}
          <Menu.Item component={Link} href={`/submissions/${id}`}>
            Open
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
