import { Group, Text } from '@mantine/core';
import { BanIcon, CircleCheckIcon, CircleXIcon, ClockIcon, PlayIcon, TriangleAlertIcon } from 'lucide-react';
import type { SubmissionPhase, SubmissionState } from '../api/contract.js';

interface Face {
  icon: typeof BanIcon;
  word: string;
  ink: string;
}

const FACES: Record<Exclude<SubmissionState, 'ACTIVE'> | 'WAITING' | 'RUNNING', Face> = {
  WAITING: { icon: ClockIcon, word: 'Waiting', ink: 'var(--mantine-color-dimmed)' },
  RUNNING: { icon: PlayIcon, word: 'Running', ink: 'var(--mantine-color-anchor)' },
  COMPLETED: { icon: CircleCheckIcon, word: 'Completed', ink: 'var(--good)' },
  COMPLETED_WITH_ERRORS: { icon: TriangleAlertIcon, word: 'Completed with errors', ink: 'var(--care)' },
  FAILED: { icon: CircleXIcon, word: 'Failed', ink: 'var(--bad)' },
  CANCELLED: { icon: BanIcon, word: 'Cancelled', ink: 'var(--mantine-color-dimmed)' },
};

function faceOf(state: SubmissionState, phase: SubmissionPhase | undefined): Face {
  if (state === 'ACTIVE') return FACES[phase === undefined || phase === 'QUEUED' ? 'WAITING' : 'RUNNING'];
  return FACES[state];
}

interface StatusBadgeProps {
  state: SubmissionState;
  phase?: SubmissionPhase | undefined;
  dryRun?: boolean;
  size?: 'sm' | 'md';
}

/** A submission's state as icon and word. */
export function StatusBadge({ state, phase, dryRun = false, size = 'sm' }: StatusBadgeProps) {
  const { icon: Icon, word, ink } = faceOf(state, phase);
  const said = dryRun && state !== 'ACTIVE' && state !== 'CANCELLED' ? `Checked: ${word.toLowerCase()}` : word;
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" c={ink}>
      <Icon size={size === 'md' ? 22 : 18} aria-hidden style={{ flex: 'none' }} />
      <Text component="span" inherit size={size === 'md' ? 'md' : 'sm'} fw={600} style={{ whiteSpace: 'nowrap' }}>
        {said}
      </Text>
    </Group>
  );
}
