import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { SquareIcon } from 'lucide-react';
import type { SubmissionStatus } from '../api/contract.js';
import { useSubmissionAct } from '../api/submissions.js';
import { Announcer } from '../show/announcer.js';
import { CountsLine } from '../show/counts-line.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { rowsHeldBack } from '../show/to-fix.js';
import { Ago, useNow } from '../show/when.js';
import { count, counted, span } from '../show/words.js';
import { usePace } from './pace.js';
import { percentOf } from './progress.js';

/** A worker gives a sign of life every few seconds; after this long the view says what happens next. */
const SILENT_MS = 20_000;

/** A submission on its way: what is done of how much, how fast, how long still, who works on it. */
export function Running({ submission }: { submission: SubmissionStatus }) {
  const act = useSubmissionAct(submission.submissionId);
  const now = useNow(5_000);
  const { rowsPerSecond, leftMs } = usePace(submission);
  const percent = percentOf(submission);
  const waiting = submission.phase === 'QUEUED';
  const silentMs = now - new Date(submission.lastUpdateDate).getTime();
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Progress value={percent} size="lg" aria-label="Rows processed" transitionDuration={120} />
        <Group justify="space-between" gap="md">
          <Group gap="lg" style={{ rowGap: 4 }}>
            <Text fw={600}>{waiting ? placeInQueue(submission.queuePosition) : `${percent} %`}</Text>
            <CountsLine counts={submission.counts} heldBack={rowsHeldBack(submission)} />
          </Group>
          <Group gap="lg" style={{ rowGap: 4 }}>
            {rowsPerSecond !== undefined && <Text size="sm">{count(rowsPerSecond)} rows per second</Text>}
            {leftMs !== undefined && <Text size="sm">about {span(leftMs)} left</Text>}
          </Group>
        </Group>
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {waiting ? 'Your file is safe. ' : workedOn(submission)}
            Last sign of life <Ago iso={submission.lastUpdateDate} />. You may leave this page and come back.
          </Text>
          <Button
            variant="default"
            leftSection={<SquareIcon size={16} aria-hidden />}
            loading={act.isPending}
            onClick={() => act.mutate('cancel')}
          >
            Cancel
          </Button>
        </Group>
        {silentMs > SILENT_MS && !waiting && (
          <Note tone="care" title="The worker is silent">
            Another one takes over by itself and goes on where it stopped. Nothing is lost or registered twice.
          </Note>
        )}
        {act.error && <ErrorNote error={act.error} doing="The submission was not cancelled" />}
        <Announcer>{announced(submission, percent)}</Announcer>
      </Stack>
    </Paper>
  );
}

const placeInQueue = (position: number | undefined): string =>
  position === undefined || position === 0 ? 'Next in the queue' : `${counted(position, 'submission')} before this one`;

const workedOn = ({ worker, attempts }: SubmissionStatus): string => {
  const who = worker ? `Worker ${worker}` : 'A worker';
  return `${who} is on it${attempts > 1 ? ` (attempt ${attempts})` : ''}. `;
};

/** Changes every ten percent, so that it is said that often. */
function announced({ phase, counts }: SubmissionStatus, percent: number): string {
  if (phase === 'QUEUED') return 'Waiting in the queue.';
  const tens = Math.floor(percent / 10) * 10;
  return tens === 0
    ? 'Processing has begun.'
    : `${tens} percent done, ${counts.rejected > 0 ? 'some rows need fixing' : 'no errors so far'}.`;
}
