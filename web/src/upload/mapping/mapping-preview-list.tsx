import { List, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ImportProfile } from '../../../../src/tsv/header/profile.js';
import type { SheetProposal } from './mapping.js';
import { previewOf } from './mapping-preview.js';

/** The first rows as the samples that they would be. */
export function MappingPreview({ document, proposal }: { document: ImportProfile; proposal: SheetProposal }) {
  const samples = useMemo(() => {
    // Which column names the samples is asked below; until it is known no row is one.
    if (document.columns.every(({ as }) => as !== 'name')) return undefined;
    const rows = proposal.top.filter(({ line }) => line >= proposal.headerLine).map(({ cells }) => cells);
    return previewOf(document, rows);
  }, [document, proposal]);
  if (samples === undefined) return null;
  if (typeof samples === 'string') return <Text size="sm">{samples}</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        The first rows as samples
      </Text>
      <List size="sm" aria-label="The first rows as samples">
        {samples.map(({ name, characteristics }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key, and two may be alike
          <List.Item key={at}>
            <span className="name">{name || '(no name)'}</span>
            {characteristics.length > 0 && ': '}
            {characteristics
              .slice(0, 8)
              .map(({ name: what, text, unit }) => `${what} ${text.slice(0, 60)}${unit ? ` ${unit}` : ''}`)
              .join(' · ')}
            {characteristics.length > 8 && ` · and ${characteristics.length - 8} more`}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
