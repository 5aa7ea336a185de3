import { Anchor, Group, List, Stack, Text } from '@mantine/core';
import { CircleXIcon, TriangleAlertIcon } from 'lucide-react';
import type { IssueGroup } from '../api/contract.js';
import { count, counted } from '../show/words.js';

interface IssueGroupsProps {
  groups: readonly IssueGroup[];
  /** Narrows the table below to one kind in one column. */
  onChoose?: (group: IssueGroup) => void;
  /** How many rows of a group have a suggestion. */
  suggestions?: (group: IssueGroup) => number;
  onUse?: (group: IssueGroup) => void;
}

/** One line per kind of error: `sex: not one of female, male on 212 rows: 2, 3, 4 …`. */
export function IssueGroups({ groups, onChoose, suggestions, onUse }: IssueGroupsProps) {
  return (
    <List spacing={6} listStyleType="none" styles={{ itemWrapper: { display: 'block' } }} aria-label="Kinds of errors">
      {groups.map((group) => (
        <List.Item key={`${group.severity} ${group.code} ${group.column ?? ''} ${group.message}`}>
          <Group gap={8} wrap="nowrap" align="flex-start">
            <SeverityMark severity={group.severity} />
            <Stack gap={0} miw={0}>
              <Text size="sm" className="name">
                {group.column !== undefined && (
                  <Text component="span" inherit fw={600}>
                    {group.column}:{' '}
                  </Text>
                )}
                {group.message}
              </Text>
              <Text size="sm" c="dimmed">
                {onChoose ? (
                  <Anchor component="button" type="button" inherit onClick={() => onChoose(group)}>
                    {counted(group.count, 'row')}
                  </Anchor>
                ) : (
                  counted(group.count, 'row')
                )}
                : line {linesOf(group)}
                {onUse && (suggestions?.(group) ?? 0) > 0 && (
                  <>
                    {' · '}
                    <Anchor component="button" type="button" inherit onClick={() => onUse(group)}>
                      {suggestions?.(group) === 1
                        ? 'use its suggestion'
                        : `use its ${count(suggestions?.(group) ?? 0)} suggestions`}
                    </Anchor>
                  </>
                )}
              </Text>
            </Stack>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

const linesOf = ({ lines, count: all }: IssueGroup): string =>
  lines.map(count).join(', ') + (all > lines.length ? ' …' : '');

export function SeverityMark({ severity }: { severity: IssueGroup['severity'] }) {
  const error = severity === 'error';
  const Icon = error ? CircleXIcon : TriangleAlertIcon;
  return (
    <Icon
      size={18}
      role="img"
      aria-label={error ? 'Error' : 'Warning'}
      color={error ? 'var(--bad)' : 'var(--care)'}
      style={{ flex: 'none', marginTop: 1 }}
    />
  );
}
