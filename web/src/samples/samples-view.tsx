import { Button, Group, MultiSelect, Pill, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { query } from '../api/request.js';
import { searchSamples } from '../api/samples.js';
import { DownloadButton } from '../show/download.js';
import { Empty } from '../show/empty.js';
import { Trouble } from '../show/trouble.js';
import { View } from '../show/view.js';
import { counted } from '../show/words.js';
import { AddFilter } from './add-filter.js';
import { filterWords } from './filter-words.js';
import { SampleTable } from './sample-table.js';

const FIRST_COLUMNS = ['organism', 'sex', 'tissue'];

/** Search first, filters as chips, columns as the reader likes them, and the chosen ones as a sheet to edit. */
export function SamplesView() {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 250);
  const [filters, setFilters] = useState<string[]>([]);
  const [columns, setColumns] = useState<string[]>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useInfiniteQuery({
    queryKey: ['samples', text, filters],
    queryFn: ({ pageParam, signal }) => searchSamples({ text, filters }, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: (previous) => previous,
  });
  const samples = list.data?.pages.flatMap((page) => page.samples) ?? [];
  const names = useMemo(() => {
    const all = new Set<string>();
    for (const sample of samples) for (const name of Object.keys(sample.characteristics)) all.add(name);
    return [...all].sort((one, other) => one.localeCompare(other));
  }, [samples]);
  const shownColumns = columns ?? names.filter((name) => FIRST_COLUMNS.includes(name.toLowerCase()));
  const searching = text !== '' || filters.length > 0;
  const toggle = (accession: string) =>
    setChosen((present) => {
      const next = new Set(present);
      if (!next.delete(accession)) next.add(accession);
      return next;
    });

  return (
    <View title="Samples">
      <Stack gap="md">
        <TextInput
          size="md"
          label="Find samples"
          placeholder="Name, accession or any value"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maw={640}
        />
        <Group gap="sm">
          {filters.map((filter) => (
            <Pill
              key={filter}
              size="md"
              withRemoveButton
              onRemove={() => setFilters((present) => present.filter((one) => one !== filter))}
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
            onAdd={(filter) => setFilters((present) => [...present.filter((one) => one !== filter), filter])}
          />
        </Group>
        {list.error && <Trouble error={list.error} doing="The search did not work" retry={() => list.refetch()} />}
        {list.isPending && <Skeleton h={320} aria-label="Fetching the samples" />}
        {list.data && samples.length === 0 && (
          <Empty
            title={searching ? 'No sample fits' : 'No samples yet'}
            actions={
              searching ? undefined : (
                <Button component={Link} href="/">
                  Upload a first sheet
                </Button>
              )
            }
          >
            {searching
              ? 'Try fewer words or take a filter away. New samples are found a few seconds after they are registered.'
              : 'Samples appear here a few seconds after they are registered.'}
          </Empty>
        )}
        {samples.length > 0 && (
          <>
            <Group justify="space-between" align="flex-end">
              <MultiSelect
                label="Columns"
                data={names}
                value={shownColumns}
                onChange={setColumns}
                searchable
                clearable={false}
                placeholder={shownColumns.length === 0 ? 'none' : ''}
                w={{ base: '100%', xs: 420 }}
                hidePickedOptions
              />
              <Group gap="sm">
                <Text size="sm" role="status">
                  {chosen.size > 0
                    ? `${counted(chosen.size, 'sample')} chosen`
                    : `${counted(samples.length, 'sample')} shown`}
                </Text>
                {chosen.size > 0 && (
                  <DownloadButton path={`/samples/template${query({ accession: [...chosen], format: 'tsv' })}`}>
                    Download as a sheet to edit
                  </DownloadButton>
                )}
              </Group>
            </Group>
            <SampleTable
              samples={samples}
              columns={shownColumns}
              chosen={chosen}
              onToggle={toggle}
              onToggleAll={(all) => setChosen(all ? new Set(samples.map(({ accession }) => accession)) : new Set())}
            />
            {list.hasNextPage && (
              <Group>
                <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
                  Show more
                </Button>
              </Group>
            )}
          </>
        )}
      </Stack>
    </View>
  );
}
