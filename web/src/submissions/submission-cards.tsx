import { Anchor, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { isDryRun, kindOf } from '../api/submission-kind.js';
import { Copyable } from '../show/copyable.js';
import { StatusBadge } from '../show/status-badge.js';
import { Ago } from '../show/when.js';
import { bytes, shortId } from '../show/words.js';
import { percentOf } from '../submission/progress.js';
import { FilesMenu } from './files-menu.js';
import { KINDS, RowCounts, type SubmissionListProps } from './submission-row.js';

/** The same as the table, where there is no room for its columns. */
export function SubmissionCards({ submissions, withAccount }: SubmissionListProps) {
  return (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label="Submissions">
      {submissions.map((submission) => (
        <Paper key={submission.submissionId} withBorder p="sm" component="li" style={{ listStyle: 'none' }}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={4} miw={0}>
              <Anchor component={Link} href={`/submissions/${submission.submissionId}`} className="name" fw={600}>
                {submission.fileName}
              </Anchor>
              <StatusBadge state={submission.submissionStatus} phase={submission.phase} dryRun={isDryRun(submission)} />
            </Stack>
            <FilesMenu submission={submission} />
          </Group>
          {submission.submissionStatus === 'ACTIVE' && (
            <Progress
              value={percentOf(submission)}
              size="sm"
              my={4}
              aria-label={`Progress of ${submission.fileName}`}
            />
          )}
          <Group gap="md" style={{ rowGap: 2 }} mt={4}>
            <RowCounts counts={submission.counts} unit />
            <Text size="sm" c="dimmed">
              <Ago iso={submission.submissionDate} />
            </Text>
            <Text size="sm" c="dimmed">
              {bytes(submission.fileSize)}
              {KINDS[kindOf(submission)]}
            </Text>
            {withAccount && (
              <Text size="sm" c="dimmed" className="name">
                {submission.submitterDetails}
              </Text>
            )}
            <Copyable
              text={submission.submissionId}
              shown={shortId(submission.submissionId)}
              what={`ID of ${submission.fileName}`}
            />
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
