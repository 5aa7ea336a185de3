import { Group, Text } from '@mantine/core';
import type { Counts } from '../api/contract.js';
import { count } from '../show/words.js';

interface CountsLineProps {
  counts: Counts;
  /** Good rows that an all-or-nothing upload left out; counted as rejected. */
  heldBack?: number;
  /** A check only says what would happen. */
  dryRun?: boolean;
}

/** `146 registered · 0 updated · 0 unchanged · 2 to mend`, each in its place from the first row on. */
export function CountsLine({ counts, heldBack = 0, dryRun = false }: CountsLineProps) {
  const parts: { value: number; word: string; ink?: string | undefined }[] = [
    { value: counts.created, word: dryRun ? 'to register' : 'registered' },
    { value: counts.updated, word: dryRun ? 'to update' : 'updated' },
    { value: counts.unchanged, word: 'unchanged' },
    ...(heldBack > 0 ? [{ value: heldBack, word: 'held back' }] : []),
    { value: counts.rejected - heldBack, word: 'to mend', ink: counts.rejected > heldBack ? 'var(--bad)' : undefined },
  ];
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none', rowGap: 4 }}>
      {parts.map(({ value, word, ink }) => (
        <li key={word}>
          <Text component="span" c={ink}>
            <Text component="span" inherit fw={600}>
              {count(value)}
            </Text>{' '}
            {word}
          </Text>
        </li>
      ))}
    </Group>
  );
}
