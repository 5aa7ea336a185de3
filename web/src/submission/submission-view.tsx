import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Copyable } from '../show/copyable.js';
import { ErrorNote } from '../show/error-note.js';
import { View } from '../show/view.js';
import { When } from '../show/when.js';
import { bytes, shortId } from '../show/words.js';
import { useSubmission } from './live.js';
import { Outcome } from './outcome.js';
import { percentOf } from './progress.js';
import { Running } from './running.js';

/** One upload from its arrival to its end; the same view while it runs and after. */
export function SubmissionView({ id }: { id: string }) {
  const submission = useSubmission(id);
  const { data } = submission;
  const running = data?.submissionStatus === 'ACTIVE';
  const ended = useRef<HTMLDivElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (running) wasRunning.current = true;
    else if (data && wasRunning.current) {
      wasRunning.current = false;
      ended.current?.focus({ preventScroll: true });
    }
  }, [running, data]);

  if (!data) {
    return (
      <View title={`Submission ${shortId(id)}`}>
        {submission.error ? (
          <ErrorNote
            error={submission.error}
            doing="This submission cannot be shown"
            retry={() => submission.refetch()}
          />
        ) : (
          <Skeleton h={240} aria-label="Loading the submission" />
        )}
      </View>
    );
  }
  const tabTitle = running ? `${percentOf(data)} % ${data.fileName}` : data.fileName;
  return (
    <View
      title={`Submission ${shortId(id)}`}
      tabTitle={tabTitle}
      heading={<span className="name">{data.fileName}</span>}
    >
      <Stack gap="lg" mt={-16}>
        <Group gap="lg" style={{ rowGap: 4 }}>
          <Group gap={6}>
            <Text size="sm" c="dimmed">
              Submission
            </Text>
            <Copyable text={id} what="submission ID" />
          </Group>
          <Text size="sm" c="dimmed" className="name">
            {data.submitterDetails}
          </Text>
          <Text size="sm" c="dimmed">
            <When iso={data.submissionDate} />
          </Text>
          <Text size="sm" c="dimmed">
            {bytes(data.fileSize)}
          </Text>
        </Group>
        {running ? <Running submission={data} /> : <Outcome submission={data} statusRef={ended} />}
        {submission.error && <ErrorNote error={submission.error} retry={() => submission.refetch()} />}
      </Stack>
    </View>
  );
}
