import { Button, Group, Select, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { listSubmissions } from '../api/submissions.js';
import { isAdmin, useMe } from '../session/session.js';
import { Empty } from '../show/empty.js';
import { ScrollBox } from '../show/scroll-box.js';
import { Trouble } from '../show/trouble.js';
import { View } from '../show/view.js';
import { counted } from '../show/words.js';
import { FoundById, isSubmissionId } from './found-by-id.js';
import { SubmissionRow } from './submission-row.js';

/** The list is asked for again this often: soon while something runs, seldom when nothing does. */
const RUNNING_MS = 2_000;
const QUIET_MS = 10_000;

const STATES = [
  { value: '', label: 'every status' },
  { value: 'ACTIVE', label: 'Waiting or running' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'COMPLETED_WITH_ERRORS', label: 'Completed with errors' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

/** All uploads of the account, newest first; an administrator sees everyone's. */
export function SubmissionsView() {
  const me = useMe();
  const all = isAdmin(me.data);
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 150);
  const [state, setState] = useState('');
  const list = useInfiniteQuery({
    queryKey: ['submissions'],
    queryFn: ({ pageParam, signal }) => listSubmissions(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ submissions }) => submissions.some(isRunning)) ? RUNNING_MS : QUIET_MS,
  });
  const loaded = list.data?.pages.flatMap(({ submissions }) => submissions) ?? [];
  const shown = loaded.filter((one) => matches(one, text) && (state === '' || one.submissionStatus === state));

  return (
    <View
      title={all ? 'All submissions' : 'Submissions'}
      aside={
        <Button component={Link} href="/" variant="default">
          Upload samples
        </Button>
      }
    >
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Find"
            placeholder="Submission ID or file name"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            w={{ base: '100%', xs: 340 }}
          />
          <Select
            label="Status"
            data={STATES}
            value={state}
            onChange={(value) => setState(value ?? '')}
            allowDeselect={false}
            w={{ base: '100%', xs: 220 }}
          />
        </Group>
        {isSubmissionId(text) && (
          <FoundById id={text} known={loaded.some(({ submissionId }) => submissionId === text)} />
        )}
        {list.error && <Trouble error={list.error} retry={() => list.refetch()} />}
        {list.isPending && <Skeleton h={280} aria-label="Fetching the submissions" />}
        {list.data && loaded.length === 0 && (
          <Empty
            title="Nothing uploaded yet"
            actions={
              <Button component={Link} href="/">
                Upload a first sheet
              </Button>
            }
          >
            Every upload is listed here with its state and its files, for as long as the registry keeps them.
          </Empty>
        )}
        {loaded.length > 0 && (
          <ScrollBox label="Submissions">
            <Table miw={760} highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>File</Table.Th>
                  <Table.Th>Rows</Table.Th>
                  {all && <Table.Th>Account</Table.Th>}
                  <Table.Th>Uploaded</Table.Th>
                  <Table.Th>Files</Table.Th>
                  <Table.Th>ID</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((submission) => (
                  <SubmissionRow key={submission.submissionId} submission={submission} withAccount={all} />
                ))}
              </Table.Tbody>
            </Table>
          </ScrollBox>
        )}
        {loaded.length > 0 && shown.length === 0 && !isSubmissionId(text) && (
          <Text size="sm" role="status">
            None of the {counted(loaded.length, 'submission')} shown here fits.
            {list.hasNextPage ? ' There are older ones: load more of them.' : ''}
          </Text>
        )}
        {list.hasNextPage && (
          <Group>
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              Show older ones
            </Button>
          </Group>
        )}
      </Stack>
    </View>
  );
}

const isRunning = ({ submissionStatus }: SubmissionStatus): boolean => submissionStatus === 'ACTIVE';

function matches({ submissionId, fileName, submitterDetails }: SubmissionStatus, text: string): boolean {
  const wanted = text.toLowerCase();
  return [submissionId, fileName, submitterDetails].some((part) => part.toLowerCase().includes(wanted));
}
