import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_FACETS } from '../../../src/registry/search/facets.js';
import { countByValues } from '../api/facets.js';
import type { SampleSearch } from '../api/samples.js';
import { Announcer } from '../show/announcer.js';
import { ErrorNote } from '../show/error-note.js';
import { counted } from '../show/words.js';
import { toggled } from './facet-filters.js';
import { FacetGroup } from './facet-group.js';

const FIRST = 8;
/** What the service counts at once. */
const VALUES = 5;
/** While the counts lack changes. */
const SOON_MS = 3_000;

interface FacetListProps {
  search: SampleSearch;
  onFilters: (filters: readonly string[]) => void;
}

/**
 * The most frequent characteristics of what is found, with their values. Asked for apart from the list, which never waits
 * for it; an answer belongs to the search that it was asked for, and one that comes too late is not shown.
 */
export function FacetList({ search, onFilters }: FacetListProps) {
  const { text, filters } = search;
  const [most, setMost] = useState(FIRST);
  const counts = useQuery({
    queryKey: ['counts by value', text, filters, most],
    queryFn: ({ signal }) => countByValues(search, most, VALUES, signal),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data } }) => ((data?.notIndexed ?? 0) > 0 ? SOON_MS : false),
  });
  const { data, error, isPlaceholderData } = counts;
  const more = data !== undefined && data.characteristics.length >= most && most < MOST_FACETS;
  return (
    <Stack gap="md" aria-busy={isPlaceholderData}>
      {error && <ErrorNote error={error} doing="The values were not counted" retry={() => void counts.refetch()} />}
      {counts.isPending && <Skeleton h={320} aria-label="Loading the counts" />}
      {data && (
        <>
          <Text size="sm" c={isPlaceholderData ? 'dimmed' : undefined}>
            {isPlaceholderData && !error ? 'Counting anew…' : `${counted(data.samples, 'sample')} found`}
          </Text>
          <Announcer>{isPlaceholderData ? '' : `${counted(data.samples, 'sample')} found`}</Announcer>
          {(data.notIndexed ?? 0) > 0 && (
            <Text size="sm">
              The counts may lack {counted(data.notIndexed ?? 0, 'change')} of the last moments; they are counted again
              by themselves.
            </Text>
          )}
          {data.characteristics.length === 0 && (
            <Text size="sm" c="dimmed">
              {data.samples === 0 ? 'There is nothing to count: take a filter away.' : 'They have no characteristics.'}
            </Text>
          )}
          {data.characteristics.map((facet) => (
            <FacetGroup
              key={facet.name.toLowerCase()}
              facet={facet}
              search={search}
              onToggle={(filter) => onFilters(toggled(filters, filter))}
            />
          ))}
          {more && (
            <Button variant="default" size="xs" loading={isPlaceholderData} onClick={() => setMost(MOST_FACETS)}>
              More characteristics
            </Button>
          )}
          {(data.notCounted ?? 0) > 0 && (
            <Text size="sm">
              Not counted whole: {counted(data.notCounted ?? 0, 'sample')} with more than 250 characteristics, or more
              than 100 values of one. A filter finds them all the same.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
