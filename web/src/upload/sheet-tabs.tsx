import { Button, Group } from '@mantine/core';
import type { PackedTable } from './file-check.js';
import { type ChosenFile, splitFile } from './file-list.js';
import { askOther } from './mapping/mapping-state.js';

/** The sheets of a workbook: the one that is read, the others to be read instead, and all that name samples. */
export function SheetTabs({ chosen, table }: { chosen: ChosenFile; table: PackedTable }) {
  if (table.sheets.length < 2 || chosen.part !== undefined) return null;
  const { tables } = table;
  return (
    <Group gap="xs" role="group" aria-label={`Sheets of ${chosen.file.name}`}>
      {table.sheets.map((sheet) => (
        <Button
          key={sheet}
          size="compact-sm"
          variant={sheet === table.sheet ? 'light' : 'default'}
          aria-pressed={sheet === table.sheet}
          onClick={() => askOther(chosen, { sheet })}
        >
          {sheet}
        </Button>
      ))}
      {tables && (
        <Button size="compact-sm" variant="default" onClick={() => splitFile(chosen.key, tables, false)}>
          Read all {tables.length} sheets of samples
        </Button>
      )}
    </Group>
  );
}
