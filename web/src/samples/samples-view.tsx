import { Button, Group, MultiSelect, Pill, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChartColumnIcon, SearchIcon } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { type Sample, searchSamples } from '../api/samples.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { useTypedText } from '../show/typed-text.js';
import { View } from '../show/view.js';
import { counted } from '../show/words.js';
import { AddFilter } from './add-filter.js';
import { BesideCounts } from './beside-counts.js';
import { ChosenBar } from './chosen-bar.js';
import { useChosenSamples } from './chosen-samples.js';
import { EditThese } from './edit-these.js';
import { filterWords } from './filter-words.js';
import { KeptFiles } from './kept-files.js';
import { useSampleQuery } from './sample-query.js';
import { SampleTable } from './sample-table.js';
import { TakeOut } from './take-out.js';

const FIRST_COLUMNS = ['organism', 'sex', 'tissue'];
/** While samples are missing from the list. */
const SOON_MS = 3_000;
const WITHDRAWN_TOO = 'status:any';

/** Search first, filters as chips, columns as the reader likes them, and the chosen ones as a sheet to edit. */
export function SamplesView() {
  const [{ text, filters, columns, pages, counts }, show] = useSampleQuery();
  const { field } = useTypedText(text, (next) => show({ text: next, pages: 1 }));
  const { chosen, choose, toggle } = useChosenSamples();
  const setFilters = (next: readonly string[]) => show({ filters: next, pages: 1 });
  const list = useInfiniteQuery({
    queryKey: ['samples', text, filters],
    queryFn: ({ pageParam, signal }) => searchSamples({ text, filters }, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ notIndexed = 0 }) => notIndexed > 0) ? SOON_MS : false,
  });
  const missing = Math.max(0, ...(list.data?.pages.map(({ notIndexed = 0 }) => notIndexed) ?? []));
  const damaged = list.data?.pages.flatMap((page) => page.damaged) ?? [];
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const opened = list.data?.pages.length ?? 0;
  useEffect(() => {
    if (opened > 0 && opened < pages && hasNextPage && !isFetching) void fetchNextPage();
  }, [opened, pages, hasNextPage, isFetching, fetchNextPage]);
  const samples = useMemo(() => list.data?.pages.flatMap((page) => page.samples) ?? [], [list.data]);
  const names = useMemo(() => {
    const all = new Set<string>();
    for (const sample of samples) for (const name of Object.keys(sample.characteristics)) all.add(name);
    return [...all].sort((one, other) => one.localeCompare(other));
  }, [samples]);
  const shownColumns = useMemo(
    () => columns ?? names.filter((name) => FIRST_COLUMNS.includes(name.toLowerCase())),
    [columns, names],
  );
  const searching = text !== '' || filters.length > 0;
  const withWithdrawn = filters.some((filter) => filter.startsWith('status:'));

  return (
    <View title="Samples">
      <Stack gap="md">
        <TextInput
          size="md"
          label="Find samples"
          placeholder="Name, accession or any value"
          leftSection={<SearchIcon size={18} aria-hidden />}
          {...field}
          maw={640}
        />
        <Group gap="sm">
          {filters.map((filter) => (
            <Pill
              key={filter}
              size="md"
              withRemoveButton
              onRemove={() => setFilters(filters.filter((one) => one !== filter))}
              removeButtonProps={{
                'aria-label': `Take away the filter ${filterWords(filter)}`,
                tabIndex: 0,
                'aria-hidden': false,
              }}
            >
              {filterWords(filter)}
            </Pill>
          ))}
          <AddFilter
            names={names}
            onAdd={(filter) => setFilters([...filters.filter((one) => one !== filter), filter])}
          />
          <Button
            variant="default"
            size="xs"
            leftSection={<ChartColumnIcon size={16} aria-hidden />}
            aria-expanded={counts}
            onClick={() => show({ counts: !counts })}
          >
            Narrow by values
          </Button>
        </Group>
        <BesideCounts
          search={{ text, filters }}
          opened={counts}
          onFilters={setFilters}
          onClose={() => show({ counts: false })}
        >
          {list.error && <ErrorNote error={list.error} doing="The search did not work" retry={() => list.refetch()} />}
          {list.isPending && <Skeleton h={320} aria-label="Loading the samples" />}
          {missing > 0 && (
            <Note tone="plain" title={`${counted(missing, 'sample')} may be missing from this list`}>
              <Text size="sm">
                They were written a moment ago and are being indexed; the list is asked for again by itself.
              </Text>
            </Note>
          )}
          {damaged.length > 0 && (
            <Note tone="bad" title={`${counted(damaged.length, 'sample')} cannot be shown`}>
              <Text size="sm">
                What is stored of {damaged.join(', ')} was damaged on the disk. Tell whoever runs this service.
              </Text>
            </Note>
          )}
          {list.data && samples.length === 0 && damaged.length === 0 && (
            <Empty
              title={searching ? 'No sample fits' : 'No samples yet'}
              actions={
                searching ? (
                  !withWithdrawn && (
                    <Button variant="default" onClick={() => setFilters([...filters, WITHDRAWN_TOO])}>
                      Search withdrawn samples too
                    </Button>
                  )
                ) : (
                  <Button component={Link} href="/">
                    Upload a first sheet
                  </Button>
                )
              }
            >
              {searching
                ? 'Try fewer words or take a filter away.'
                : 'Samples appear here as soon as they are registered.'}
            </Empty>
          )}
          <KeptFiles />
          {samples.length > 0 && (
            <>
              <Group justify="space-between" align="flex-end">
                <MultiSelect
                  label="Columns"
                  data={[...new Set([...names, ...shownColumns])]}
                  value={[...shownColumns]}
                  onChange={(next) => show({ columns: next })}
                  searchable
                  clearable={false}
                  placeholder={shownColumns.length === 0 ? 'none' : ''}
                  w={{ base: '100%', xs: 420 }}
                  hidePickedOptions
                />
                <Group gap="sm" align="flex-end">
                  <ChosenBar chosen={chosen} shown={samples.length} onClear={() => choose(new Set())} />
                  <EditThese text={text} filters={filters} chosen={chosen} />
                  <TakeOut text={text} filters={filters} />
                </Group>
              </Group>
              <SampleTable
                // What is found otherwise begins at its top.
                key={JSON.stringify([text, filters])}
                samples={samples}
                columns={shownColumns}
                chosen={chosen}
                onToggle={toggle}
                onToggleAll={(all) => choose(withAll(chosen, samples, all))}
              />
              {hasNextPage && (
                <Group>
                  <Button
                    variant="default"
                    loading={list.isFetchingNextPage}
                    onClick={() => {
                      // Asked for here: an address opens no more than its bound.
                      void fetchNextPage();
                      show({ pages: opened + 1 });
                    }}
                  >
                    Show more
                  </Button>
                </Group>
              )}
            </>
          )}
        </BesideCounts>
      </Stack>
    </View>
  );
}

/** The choice with all samples that are shown, or with none of them. */
function withAll(chosen: ReadonlySet<string>, shown: readonly Sample[], all: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const { accession } of shown) {
    if (all) next.add(accession);
    else next.delete(accession);
  }
  return next;
}
