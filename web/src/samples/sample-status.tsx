import { Group, Text } from '@mantine/core';
import { BanIcon, EyeIcon, EyeOffIcon } from 'lucide-react';

const FACES: Record<string, { icon: typeof EyeIcon; word: string; ink: string }> = {
  PUBLIC: { icon: EyeIcon, word: 'public', ink: 'var(--good)' },
  PRIVATE: { icon: EyeOffIcon, word: 'not released', ink: 'var(--care)' },
  SUPPRESSED: { icon: BanIcon, word: 'suppressed', ink: 'var(--bad)' },
  KILLED: { icon: BanIcon, word: 'withdrawn', ink: 'var(--bad)' },
  WITHDRAWN: { icon: BanIcon, word: 'withdrawn by its owner', ink: 'var(--bad)' },
  ERASED: { icon: BanIcon, word: 'erased', ink: 'var(--bad)' },
  CANCELLED: { icon: BanIcon, word: 'cancelled', ink: 'var(--bad)' },
};

/** `withdrawn` for KILLED, and so on. */
export const statusWord = (status: string | undefined): string | undefined =>
  status !== undefined && Object.hasOwn(FACES, status) ? FACES[status]?.word : status;

/** Its owner or an administrator has taken it out of sight, whatever its release. */
export const isNotShown = ({ status }: { status?: string }): boolean =>
  status !== undefined && status !== 'PUBLIC' && status !== 'PRIVATE';

export function SampleStatus({ status }: { status: string | undefined }) {
  if (status === undefined) return null;
  const face = Object.hasOwn(FACES, status) ? FACES[status] : undefined;
  if (!face) return <span>{status}</span>;
  const { icon: Icon, word, ink } = face;
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" c={ink} style={{ verticalAlign: 'middle' }}>
      <Icon size={16} aria-hidden />
      <Text component="span" inherit size="sm" style={{ whiteSpace: 'nowrap' }}>
        {word}
      </Text>
    </Group>
  );
}
