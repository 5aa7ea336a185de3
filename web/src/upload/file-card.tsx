import { Anchor, CloseButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Trouble } from '../show/trouble.js';
import { bytes, count, counted } from '../show/words.js';
import type { ChosenFile } from './chosen-files.js';
import type { FileCheck } from './file-check.js';

interface FileCardProps {
  chosen: ChosenFile;
  onRemove: () => void;
  onRetry: () => void;
}

/** One chosen file: what is known of it, and how its upload goes. */
export function FileCard({ chosen, onRemove, onRetry }: FileCardProps) {
  const { file, check, state } = chosen;
  const removable = state.step === 'ready' || state.step === 'failed' || state.step === 'done';
  return (
    <Paper withBorder p="sm" component="li" style={{ listStyle: 'none' }}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="md" style={{ rowGap: 4 }}>
            <Text fw={600} className="name">
              {file.name}
            </Text>
            <Text size="sm" c="dimmed">
              {bytes(file.size)}
            </Text>
            {check?.rows !== undefined && (
              <Text size="sm" c="dimmed">
                {check.rowsExact ? counted(check.rows, 'row') : `about ${count(check.rows)} rows`}
              </Text>
            )}
          </Group>
          {removable && <CloseButton aria-label={`Take ${file.name} off the list`} onClick={onRemove} />}
        </Group>
        {check && <Findings check={check} />}
        <Progressing chosen={chosen} onRetry={onRetry} />
      </Stack>
    </Paper>
  );
}

function Findings({ check }: { check: FileCheck }) {
  if (check.problem !== undefined) return <Finding tone="bad">{check.problem}</Finding>;
  const quiet = check.notStored.length;
  return (
    <Group gap="lg" style={{ rowGap: 4 }}>
      {check.kind === 'table' && (
        <>
          <Finding tone="good">Sample Name</Finding>
          {check.hasReleaseDate ? (
            <Finding tone="good">Release Date</Finding>
          ) : (
            <Finding tone="care">No Release Date column: choose a date below</Finding>
          )}
          {check.stored.length > 0 && <Finding tone="good">{counted(check.stored.length, 'column')} stored</Finding>}
        </>
      )}
      {check.identifiers > 0 && <Finding tone="good">{counted(check.identifiers, 'row')} update known samples</Finding>}
      {quiet > 0 && (
        <Finding tone="care" title={check.notStored.join(', ')}>
          {`${counted(quiet, 'column')} not stored: ${listed(check.notStored)}`}
        </Finding>
      )}
      {check.remarks.map((remark) => (
        <Finding key={remark} tone="care">
          {remark}
        </Finding>
      ))}
    </Group>
  );
}

const listed = (names: string[]): string =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');

const MARKS = { good: IconCheck, care: IconAlertTriangle, bad: IconX };

function Finding({ tone, title, children }: { tone: keyof typeof MARKS; title?: string; children: ReactNode }) {
  const Mark = MARKS[tone];
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" title={title}>
      <Mark size={18} color={`var(--${tone})`} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm" className="name">
        {children}
      </Text>
    </Group>
  );
}

function Progressing({ chosen, onRetry }: { chosen: ChosenFile; onRetry: () => void }) {
  const { file, state } = chosen;
  if (state.step === 'checking') return <Text size="sm">Looking at the first lines…</Text>;
  if (state.step === 'failed')
    return <Trouble error={state.error} doing={`${file.name} was not taken`} retry={onRetry} />;
  if (state.step === 'done') {
    return (
      <Anchor component={Link} href={`/submissions/${state.submissionId}`} size="sm">
        {state.replayed ? 'Uploaded before: see what became of it' : 'Uploaded: see what becomes of it'}
      </Anchor>
    );
  }
  if (state.step === 'ready') return null;
  const sent = state.step === 'sending' ? Math.min(state.sent, file.size) : file.size;
  const percent = file.size === 0 ? 100 : Math.floor((100 * sent) / file.size);
  return (
    <Stack gap={4}>
      <Progress value={percent} aria-label={`Upload of ${file.name}`} transitionDuration={100} />
      <Text size="sm" c="dimmed">
        {percent < 100 ? `${bytes(sent)} of ${bytes(file.size)} sent` : 'Sent; waiting for the answer'}
      </Text>
    </Stack>
  );
}
