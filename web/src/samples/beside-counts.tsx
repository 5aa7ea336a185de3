import { Box, Button, Drawer, Group, Paper, Stack, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import type { SampleSearch } from '../api/samples.js';
import { FacetList } from './facet-list.js';

/** From here on there is room for list and counts; pixels of 62em. */
const ROOM = '(min-width: 62em)';
const PANEL_WIDTH = 290;

interface BesideCountsProps {
  search: SampleSearch;
  opened: boolean;
  onFilters: (filters: readonly string[]) => void;
  onClose: () => void;
  /** The list. */
  children: ReactNode;
}

/** The list with the counts of what is found at its side, or, where there is no room, in a drawer over it. */
export function BesideCounts({ search, opened, onFilters, onClose, children }: BesideCountsProps) {
  const room = useMediaQuery(ROOM, undefined, { getInitialValueInEffect: false });
  const title = useId();
  const facets = <FacetList search={search} onFilters={onFilters} />;
  const aside = opened && room;
  return (
    <>
      <Group wrap="nowrap" align="flex-start" gap="lg">
        {aside && (
          <Paper component="aside" aria-labelledby={title} withBorder p="md" w={PANEL_WIDTH} style={{ flexShrink: 0 }}>
            <Stack gap="md">
              <Title order={2} id={title}>
                Narrow by values
              </Title>
              {facets}
            </Stack>
          </Paper>
        )}
        <Box miw={0} style={{ flex: 1 }}>
          <Stack gap="md">{children}</Stack>
        </Box>
      </Group>
      {!room && (
        <Drawer
          opened={opened}
          onClose={onClose}
          title="Narrow by values"
          position="bottom"
          size="80%"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <Stack gap="md">
            {facets}
            <Button onClick={onClose}>To the samples</Button>
          </Stack>
        </Drawer>
      )}
    </>
  );
}
