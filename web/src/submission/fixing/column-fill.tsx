import { Group, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { columnLetter } from '../../../../src/tsv/dialect.js';
import { SpentButton } from '../../show/spent-button.js';
import { counted } from '../../show/words.js';
import { type ListedIssue, originalText } from '../issue-list.js';
import type { Edits } from './fixing.js';

const NO_CELLS: readonly ListedIssue[] = [];

interface ColumnFillProps {
  columns: readonly string[];
  /** The cells that are meant: those shown. */
  issues: readonly ListedIssue[];
  edits: Edits;
  onEdit: (listed: readonly ListedIssue[], text: string) => void;
}

/** One value for many cells of a column: all that are empty, or all that hold the same. */
export function ColumnFill({ columns, issues, edits, onEdit }: ColumnFillProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [old, setOld] = useState<string | null>(null);
  const [text, setText] = useState('');
  const byColumn = useMemo(() => cellsByColumn(issues), [issues]);
  const place = chosen !== null && byColumn.has(Number(chosen)) ? chosen : String([...byColumn.keys()][0] ?? '');
  const cells = byColumn.get(Number(place)) ?? NO_CELLS;
  const values = useMemo(
    () => valuesOf(cells, (one) => edits.get(one.row.line)?.get(Number(place)) ?? originalText(one)),
    [cells, edits, place],
  );
  if (issues.length < 2 || byColumn.size === 0) return null;
  const found = old !== null && values.has(old) ? old : ([...values.keys()][0] ?? '');
  const meant = values.get(found) ?? [];
  return (
    <Group gap="sm" align="flex-end" role="group" aria-label="Fill a column">
      <Select
        label="In column"
        data={[...byColumn.keys()].map((at) => ({
          value: String(at),
          label: `${columnLetter(at)} ${columns[at] ?? ''}`,
        }))}
        value={place}
        onChange={setChosen}
        allowDeselect={false}
        w={{ base: '100%', xs: 230 }}
      />
      <Select
        label="Replace"
        data={[...values].map(([value, { length }]) => ({
          value: `=${value}`,
          label: `${value === '' ? 'empty cells' : value.slice(0, 60)} (${length})`,
        }))}
        value={`=${found}`}
        onChange={(value) => setOld((value ?? '=').slice(1))}
        allowDeselect={false}
        searchable
        w={{ base: '100%', xs: 230 }}
      />
      <TextInput
        label="by"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        w={{ base: '100%', xs: 180 }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <SpentButton variant="default" spent={meant.length === 0 || text === found} onClick={() => onEdit(meant, text)}>
        {found === '' ? `Fill ${counted(meant.length, 'cell')}` : `Replace in ${counted(meant.length, 'cell')}`}
      </SpentButton>
    </Group>
  );
}

/** Column → its cells among the issues, each cell once. */
function cellsByColumn(issues: readonly ListedIssue[]): Map<number, ListedIssue[]> {
  const found = new Map<number, ListedIssue[]>();
  const seen = new Set<string>();
  for (const one of issues) {
    if (one.place === undefined || seen.has(`${one.row.line} ${one.place}`)) continue;
    seen.add(`${one.row.line} ${one.place}`);
    const same = found.get(one.place);
    if (same) same.push(one);
    else found.set(one.place, [one]);
  }
  return found;
}

/** Value → the cells that hold it, the most frequent first; the first two hundred values. */
function valuesOf(cells: readonly ListedIssue[], textOf: (one: ListedIssue) => string): Map<string, ListedIssue[]> {
  const found = new Map<string, ListedIssue[]>();
  for (const one of cells) {
    const text = textOf(one);
    const same = found.get(text);
    if (same) same.push(one);
    else found.set(text, [one]);
  }
  return new Map([...found].sort((one, other) => other[1].length - one[1].length).slice(0, 200));
}
