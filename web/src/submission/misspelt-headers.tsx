import { Button, Group, Stack, Text } from '@mantine/core';
import { columnLetter } from '../../../src/tsv/dialect.js';
import { meantHeaders } from '../../../src/tsv/header/meant-header.js';
import type { SheetRow } from '../sheet/read-rows.js';
import { counted } from '../show/words.js';
import type { Edit, Edits } from './fixing/fixing.js';
import { textAt } from './fixing/grid-cells.js';

/** At once. */
const MOST_SHOWN = 20;

interface MisspeltHeadersProps {
  header: SheetRow;
  edits: Edits;
  onEdit: (edits: readonly Edit[]) => void;
}

/** Headers that are nearly one that would be stored, each with the way it is spelled. */
export function MisspeltHeaders({ header, edits, onEdit }: MisspeltHeadersProps) {
  const found = meantHeaders(header.cells.map((_, column) => textAt(header, column, edits)));
  if (found.length === 0) return null;
  return (
    <Stack gap="xs">
      {found.slice(0, MOST_SHOWN).map(({ column, meant }) => (
        <Group key={column} gap="sm">
          <Text size="sm">
            Column {columnLetter(column)} is not known by its header{' '}
            <span className="value">{header.cells[column]}</span>.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              onEdit([{ line: header.line, column, text: meant, original: header.cells[column] as string }])
            }
          >
            Did you mean {meant}?
          </Button>
        </Group>
      ))}
      {found.length > MOST_SHOWN && (
        <Text size="sm">
          {counted(found.length - MOST_SHOWN, 'more column')} nearly known: these are named once the ones above are
          spelled as they should be. Many of one kind are put right sooner in your spreadsheet program.
        </Text>
      )}
    </Stack>
  );
}
