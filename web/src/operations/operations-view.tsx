import { Anchor, Paper, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { isAdmin, useMe } from '../session/session.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { ScrollBox } from '../show/scroll-box.js';
import { View } from '../show/view.js';
import { Ago, When } from '../show/when.js';
import { count, pace, span } from '../show/words.js';
import { percentOf } from '../submission/progress.js';
import { RowsChart } from './rows-chart.js';
import { useActivity } from './use-activity.js';

/** For administrators: what waits, what runs and on whom, how fast, and what failed. */
export function OperationsView() {
  const me = useMe();
  const activity = useActivity();
  if (me.data && !isAdmin(me.data)) {
    return (
      <View title="Operations">
        <Empty title="For administrators only">Ask one of them, or sign in with an administrator's account.</Empty>
      </View>
    );
  }
  const { data } = activity;
  if (!data) {
    return (
      <View title="Operations">
        {activity.error ? (
          <ErrorNote error={activity.error} retry={() => activity.refetch()} />
        ) : (
          <Skeleton h={400} aria-label="Loading the state" />
        )}
      </View>
    );
  }
  const latest = data.perMinute.at(-1)?.rowsPerSecond ?? 0;
  return (
    <View title="Operations">
      <Stack gap="xl">
        {activity.error && <ErrorNote error={activity.error} retry={() => activity.refetch()} />}
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          <Figure label="Waiting" value={`${count(data.waiting.length)}${data.more ? ' or more' : ''}`} />
          <Figure
            label="Oldest waits for"
            value={
              data.oldestWaitingMs === undefined ? '–' : `${span(data.oldestWaitingMs)}${data.more ? ' or longer' : ''}`
            }
          />
          <Figure label="Running" value={count(data.running.length)} />
          <Figure label="Rows per second, this minute" value={pace(latest)} />
        </SimpleGrid>
        <Stack gap="sm" component="section" aria-labelledby="rows">
          <Title order={2} id="rows">
            Rows per second over the last hour
          </Title>
          <RowsChart minutes={data.perMinute} />
        </Stack>
        <Stack gap="sm" component="section" aria-labelledby="running">
          <Title order={2} id="running">
            Workers and their jobs
          </Title>
          <RunningTable running={data.running} />
        </Stack>
        <Stack gap="sm" component="section" aria-labelledby="failed">
          <Title order={2} id="failed">
            Failures
          </Title>
          <FailureTable failed={data.failed} />
        </Stack>
      </Stack>
    </View>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={600} lh={1.2}>
        {value}
      </Text>
    </Paper>
  );
}

function RunningTable({ running }: { running: readonly SubmissionStatus[] }) {
  if (running.length === 0) return <Text size="sm">Nothing runs now.</Text>;
  return (
    <ScrollBox label="Workers and their jobs">
      <Table miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Worker</Table.Th>
            <Table.Th>Job</Table.Th>
            <Table.Th>Account</Table.Th>
            <Table.Th>Done</Table.Th>
            <Table.Th>Attempt</Table.Th>
            <Table.Th>Sign of life</Table.Th>
            <Table.Th>Lease until</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {running.map((one) => (
            <Table.Tr key={one.submissionId}>
              <Table.Td className="value">{one.worker ?? '–'}</Table.Td>
              <Table.Td maw={260}>
                <JobLink submission={one} />
              </Table.Td>
              <Table.Td className="name">{one.submitterDetails}</Table.Td>
              <Table.Td>{percentOf(one)} %</Table.Td>
              <Table.Td>{one.attempts}</Table.Td>
              <Table.Td>
                <Ago iso={one.lastUpdateDate} />
              </Table.Td>
              <Table.Td>
                <When iso={one.leaseUntil} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function FailureTable({ failed }: { failed: readonly SubmissionStatus[] }) {
  if (failed.length === 0) return <Text size="sm">No submission has failed.</Text>;
  return (
    <ScrollBox label="Failures" maxHeight={420}>
      <Table miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Job</Table.Th>
            <Table.Th>Account</Table.Th>
            <Table.Th>Reason</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {failed.map((one) => (
            <Table.Tr key={one.submissionId}>
              <Table.Td>
                <When iso={one.lastUpdateDate} />
              </Table.Td>
              <Table.Td maw={260}>
                <JobLink submission={one} />
              </Table.Td>
              <Table.Td className="name">{one.submitterDetails}</Table.Td>
              <Table.Td className="name">
                {one.problem?.message ?? `all ${count(one.counts.rejected)} rows were rejected`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function JobLink({ submission: { submissionId, fileName } }: { submission: SubmissionStatus }) {
  return (
    <Anchor component={Link} href={`/submissions/${submissionId}`} className="name" size="sm" display="block" miw={160}>
      {fileName}
    </Anchor>
  );
}
