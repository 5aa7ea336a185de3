import { Button, Group, Stack, Text } from '@mantine/core';
import { columnLetter } from '../../../src/tsv/dialect.js';
import { meantHeader } from '../../../src/tsv/header/meant-header.js';
import type { SheetRow } from '../sheet/read-rows.js';
import type { Edit, Edits } from './fixing.js';
import { textAt } from './grid-cells.js';

interface MisspeltHeadersProps {
  header: SheetRow;
  edits: Edits;
  onEdit: (edits: readonly Edit[]) => void;
}

/** Headers that are nearly one that would be stored, each with the way it is spelled. */
export function MisspeltHeaders({ header, edits, onEdit }: MisspeltHeadersProps) {
  const found = header.cells.flatMap((original, column) => {
    const meant = meantHeader(textAt(header, column, edits));
    return meant === undefined ? [] : [{ original, column, meant }];
  });
  if (found.length === 0) return null;
  return (
    <Stack gap="xs">
      {found.map(({ original, column, meant }) => (
        <Group key={column} gap="sm">
          <Text size="sm">
            Column {columnLetter(column)} is not known by its header <span className="value">{original}</span>.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onEdit([{ line: header.line, column, text: meant, original }])}
          >
            Did you mean {meant}?
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
