import { Group, Text } from '@mantine/core';
import { CheckIcon, TriangleAlertIcon, XIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { count, counted } from '../show/words.js';
import { type FileCheck, needsReleaseDate, samplesOf } from './file-check.js';

/** What the look at a file has found, before anything is sent. */
export function Findings({ check }: { check: FileCheck }) {
  if (check.problem !== undefined) return <Finding tone={check.nameable ? 'care' : 'bad'}>{check.problem}</Finding>;
  const quiet = check.notStored.length;
  const { updates = 0 } = check;
  return (
    <Group gap="lg" style={{ rowGap: 4 }}>
      {stores(check) !== undefined && <Finding tone="good">{stores(check)}</Finding>}
      {check.kind === 'table' && (
        <>
          <Finding tone="good">Sample Name</Finding>
          {check.hasReleaseDate ? (
            <Finding tone="good">Release Date</Finding>
          ) : (
            needsReleaseDate(check) && <Finding tone="care">No Release Date column: choose a date below</Finding>
          )}
          {check.stored.length === 0 && <Finding tone="care">Nothing but names and dates would be stored</Finding>}
          {check.fromPlainHeaders.length > 0 && (
            <Finding tone="care" title={check.fromPlainHeaders.join(', ')}>
              {`${counted(check.fromPlainHeaders.length, 'column')} kept as characteristics: ${listed(check.fromPlainHeaders)}`}
            </Finding>
          )}
          {check.stored.length > 0 && <Finding tone="good">{counted(check.stored.length, 'column')} stored</Finding>}
        </>
      )}
      {updates > 0 && <Finding tone="good">{counted(updates, 'row')} update known samples</Finding>}
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

/** One line of what becomes of the sheet. */
function stores({ kind, rows, unnamed, rowsExact, characteristics = 0 }: FileCheck): string | undefined {
  if (kind !== 'table' || rows === undefined || characteristics === 0) return undefined;
  const found = samplesOf({ rows, unnamed });
  const samples = rowsExact ? counted(found, 'sample') : `about ${count(found)} samples`;
  return `${samples}, each with up to ${counted(characteristics, 'characteristic')}`;
}

const listed = (names: string[]): string =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');

const MARKS = { good: CheckIcon, care: TriangleAlertIcon, bad: XIcon };

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
