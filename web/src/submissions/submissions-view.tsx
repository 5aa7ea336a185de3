import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { listSubmissions } from '../api/submissions.js';
import { isAdmin, useMe } from '../session/session.js';
import { backwardsSpan } from '../show/day-bounds.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { View } from '../show/view.js';
import { FilterFields } from './filter-fields.js';
import { isSubmissionId, NotFoundById, useFoundById } from './found-by-id.js';
import { isFiltered, queryOfFilter, useListFilter } from './list-filter.js';
import { SubmissionCards } from './submission-cards.js';
import { SubmissionTable } from './submission-row.js';

/** The list is asked for again this often: soon while something runs, seldom when nothing does. */
const RUNNING_MS = 2_000;
const QUIET_MS = 10_000;

/** Below this a table would break its words into letters; a submission is a card there. */
const WIDE = '(min-width: 62em)';

/** With a rare filter a page may be empty and have older ones behind it; so many of them are asked for unasked. */
const UNASKED_PAGES = 5;
const ENOUGH = 10;

/** All uploads of the account, newest first; an administrator sees everyone's. The address keeps the filters. */
export function SubmissionsView() {
  const me = useMe();
  const all = isAdmin(me.data);
  const [filter, setFilter] = useListFilter();
  const filtered = isFiltered(filter);
  const asked = queryOfFilter(filter);
  const list = useInfiniteQuery({
    queryKey: ['submissions', asked],
    queryFn: ({ pageParam, signal }) => listSubmissions(asked, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
    // The field says so; the list stays as it was.
    enabled: backwardsSpan(filter.from, filter.to) === undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ submissions }) => submissions.some(isRunning)) ? RUNNING_MS : QUIET_MS,
  });
  const listed = list.data?.pages.flatMap(({ submissions }) => submissions) ?? [];
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const pages = list.data?.pages.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && listed.length < ENOUGH && pages < UNASKED_PAGES) fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage, listed.length, pages]);
  const id = filter.text.trim();
  const byId = isSubmissionId(id);
  const { found, missing } = useFoundById(id);
  // One list for both ways to find, keyed by submission: a row that stays keeps its open menu.
  const one = listed.find(({ submissionId }) => submissionId === id.toLowerCase()) ?? found;
  const shown = byId ? (one ? [one] : []) : listed;
  const Listed = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) ? SubmissionTable : SubmissionCards;

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
        <FilterFields filter={filter} onChange={setFilter} withAccount={all} />
        {byId && !one && missing && <NotFoundById />}
        {list.error && <ErrorNote error={list.error} retry={() => list.refetch()} />}
        {list.isPending && <Skeleton h={280} aria-label="Loading the submissions" />}
        {list.data && listed.length === 0 && !filtered && (
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
        {shown.length > 0 && <Listed submissions={shown} withAccount={all} />}
        {list.data && listed.length === 0 && filtered && !byId && (
          <Text size="sm" role="status">
            {list.hasNextPage ? 'None of the newest fits. There are older ones: look further back.' : 'None fits.'}
          </Text>
        )}
        {list.hasNextPage && !byId && (
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
