import { Button, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CheckIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { MOST_VALUES } from '../../../src/registry/search/facets.js';
import { countByValues, type Facet } from '../api/facets.js';
import type { SampleSearch } from '../api/samples.js';
import { ErrorNote } from '../show/error-note.js';
import { count, counted } from '../show/words.js';
import { filtersOf, sameFilter } from './facet-filters.js';
import { filterWords, rangeWords } from './filter-words.js';

interface FacetGroupProps {
  facet: Facet;
  search: SampleSearch;
  onToggle: (filter: string) => void;
}

/** One characteristic: its ranges or its most frequent values, each a switch of its filter, and more of them on demand. */
export function FacetGroup({ facet, search, onToggle }: FacetGroupProps) {
  const { name, ranges, samples } = facet;
  const { text, filters } = search;
  const [whole, setWhole] = useState(false);
  const title = useId();
  const all = useQuery({
    queryKey: ['counts of one', text, filters, name],
    queryFn: ({ signal }) => countByValues(search, name, MOST_VALUES, signal),
    placeholderData: (previous) => previous,
    enabled: whole,
  });
  const { values, others } = (whole && all.data?.characteristics[0]) || facet;
  const active = filtersOf(filters, name);
  const isActive = (filter: string) => active.some((one) => sameFilter(one, filter));
  const withValues = ranges === undefined || whole;
  const listed = [...(ranges ?? []), ...(withValues ? values : [])];
  const unlisted = active.filter((filter) => !listed.some((one) => sameFilter(one.filter, filter)));
  const hidden = withValues ? others : values.length + (others ?? 0);
  return (
    <Stack component="section" gap={4} aria-labelledby={title}>
      <Title order={3} id={title} className="name" fz="sm">
        {name}{' '}
        <Text span size="sm" c="dimmed" fw={400}>
          {count(samples)}
        </Text>
      </Title>
      {unlisted.map((filter) => (
        <Switch key={filter} active words={filterWords(filter)} onClick={() => onToggle(filter)} />
      ))}
      {ranges?.map(({ from, below, samples, filter }) => (
        <Switch
          key={filter}
          active={isActive(filter)}
          words={rangeWords({ from, below })}
          samples={samples}
          onClick={() => onToggle(filter)}
        />
      ))}
      {withValues &&
        values.map(({ value, samples, filter }) => (
          <Switch
            key={filter}
            active={isActive(filter)}
            words={value}
            samples={samples}
            onClick={() => onToggle(filter)}
          />
        ))}
      {whole && all.error && (
        <ErrorNote error={all.error} doing="The values were not counted" retry={() => void all.refetch()} />
      )}
      <Others others={withValues ? others : 0} uncountable={others === undefined} />
      {!whole && hidden !== undefined && hidden > 0 && (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setWhole(true)}>
          {ranges ? `Values of ${name}` : `More values of ${name}`}
        </Button>
      )}
      {whole && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          loading={all.isPending}
          onClick={() => setWhole(false)}
        >
          Fewer values of {name}
        </Button>
      )}
    </Stack>
  );
}

function Others({ others = 0, uncountable }: { others: number | undefined; uncountable: boolean }) {
  if (!uncountable && others === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {uncountable
        ? 'It has too many different values to list; add a filter by its value.'
        : `and ${counted(others, 'other value')}`}
    </Text>
  );
}

interface SwitchProps {
  active: boolean;
  words: string;
  /** Absent: not counted apart. */
  samples?: number;
  onClick: () => void;
}

/** Letters that are surely all in sight. */
const SHORT = 40;

/** Marked by a tick, too, not by colour alone. */
function Switch({ active, words, samples, onClick }: SwitchProps) {
  return (
    <UnstyledButton className="facet" aria-pressed={active} onClick={onClick}>
      {active && <CheckIcon size={16} aria-hidden />}
      <span className="name" title={words.length > SHORT ? words : undefined}>
        {words}
      </span>
      {samples !== undefined && <span>{count(samples)}</span>}
    </UnstyledButton>
  );
}
