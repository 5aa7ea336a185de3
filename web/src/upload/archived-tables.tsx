import { Button, Group } from '@mantine/core';

interface ArchivedTablesProps {
  /** Names of the files in the archive that are tables of samples. */
  tables: readonly string[];
  onChoose: (table: string) => void;
}

/** For an archive of several tables: which one is read. */
export function ArchivedTables({ tables, onChoose }: ArchivedTablesProps) {
  return (
    <Group gap="xs">
      {tables.map((table) => (
        <Button key={table} size="compact-sm" variant="default" onClick={() => onChoose(table)}>
          Read {table}
        </Button>
      ))}
    </Group>
  );
}
