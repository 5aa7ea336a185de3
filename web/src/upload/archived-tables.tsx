import { Button, Group } from '@mantine/core';

interface ArchivedTablesProps {
  /** Names of the files in the archive that are tables of samples. */
  tables: readonly string[];
  onChoose: (table: string) => void;
  onChooseAll: () => void;
}

/** For an archive of several tables: whether all are read, each as a submission, or which one. */
export function ArchivedTables({ tables, onChoose, onChooseAll }: ArchivedTablesProps) {
  return (
    <Group gap="xs">
      <Button size="compact-sm" onClick={onChooseAll}>
        Read all {tables.length} tables
      </Button>
      {tables.map((table) => (
        <Button key={table} size="compact-sm" variant="default" onClick={() => onChoose(table)}>
          Read {table}
        </Button>
      ))}
    </Group>
  );
}
