import { Anchor, Group, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useLineage } from '../../api/lineage.js';
import { query } from '../../api/request.js';
import { ErrorNote } from '../../show/error-note.js';
import { Note } from '../../show/note.js';
import { Section } from '../section.js';
import { LineageGraph } from './lineage-graph.js';
import { LineageTree } from './lineage-tree.js';

const DEPTHS = [
  { value: '1', label: '1 step' },
  { value: '3', label: '3 steps' },
  { value: '10', label: '10 steps' },
  { value: '100', label: 'All' },
];

/** Where a sample comes from and what came of it, as a picture and as lists that say the same. */
export function Lineage({ accession }: { accession: string }) {
  const [depth, setDepth] = useState('3');
  const { data, error, refetch } = useLineage(accession, Number(depth));
  if (error) {
    return (
      <Section title="Lineage">
        <ErrorNote error={error} doing="The lineage cannot be shown" retry={() => refetch()} />
      </Section>
    );
  }
  if (!data || (data.nodes.length < 2 && !data.outside)) return null;
  const list = (filter: string, label: string) => (
    <Anchor size="sm" component={Link} href={`/samples${query({ filter: [`${filter}:${accession}`] })}`}>
      {label}
    </Anchor>
  );
  return (
    <Section title="Lineage">
      <Stack gap="sm">
        <Group gap="md">
          <SegmentedControl aria-label="Steps in each direction" value={depth} onChange={setDepth} data={DEPTHS} />
          {list('ancestorOf', 'Ancestors as a table')}
          {list('descendantOf', 'Descendants as a table')}
        </Group>
        <LineageGraph key={accession} lineage={data} />
        {data.cut?.map(({ direction, reason, nodes }) => (
          <Note key={`${direction} ${reason}`} tone="care">
            {`The picture does not show all ${direction}: ${nodes} of its samples have, or may have, more of them. Choose more steps, open one of these samples, or take the table.`}
          </Note>
        ))}
        <LineageTree lineage={data} />
      </Stack>
    </Section>
  );
}
