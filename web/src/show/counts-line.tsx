import { Group, Text } from '@mantine/core';
import type { Counts } from '../api/contract.js';
import type { SubmissionKind } from '../api/submission-kind.js';
import { count } from './words.js';

interface CountsLineProps {
  counts: Counts;
  /** Good rows that an all-or-nothing upload left out; counted as rejected. */
  heldBack?: number;
  kind?: SubmissionKind;
  /** Of samples that are there, changed alike. */
  edit?: boolean;
}

interface Part {
  value: number;
  word: string;
  ink?: string | undefined;
}

/** `146 registered · 0 updated · 0 unchanged · 2 to fix`, each in its place from the first row on. */
export function CountsLine({ counts, heldBack = 0, kind = 'upload', edit = false }: CountsLineProps) {
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none', rowGap: 4 }}>
      {(edit && kind !== 'undo' ? partsOfEdit(counts, kind) : partsOf(counts, heldBack, kind)).map(
        ({ value, word, ink }) => (
          <li key={word}>
            <Text component="span" c={ink}>
              <Text component="span" inherit fw={600}>
                {count(value)}
              </Text>{' '}
              {word}
            </Text>
          </li>
        ),
      )}
    </Group>
  );
}

const partsOfEdit = ({ updated, unchanged, rejected }: Counts, kind: SubmissionKind): Part[] => [
  { value: updated, word: kind === 'check' ? 'to change' : 'changed' },
  { value: unchanged, word: 'stay as they are' },
  { value: rejected, word: 'left alone', ink: rejected > 0 ? 'var(--bad)' : undefined },
];

function partsOf({ created, updated, unchanged, rejected }: Counts, heldBack: number, kind: SubmissionKind): Part[] {
  const bad = rejected - heldBack;
  const ink = bad > 0 ? 'var(--bad)' : undefined;
  if (kind === 'undo') {
    return [
      { value: updated, word: 'taken back' },
      { value: bad, word: 'left alone', ink },
    ];
  }
  return [
    { value: created, word: kind === 'check' ? 'to register' : 'registered' },
    { value: updated, word: kind === 'check' ? 'to update' : 'updated' },
    { value: unchanged, word: 'unchanged' },
    ...(heldBack > 0 ? [{ value: heldBack, word: 'held back' }] : []),
    { value: bad, word: 'to fix', ink },
  ];
}
