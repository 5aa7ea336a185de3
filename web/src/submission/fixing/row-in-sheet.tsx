import { Stack, Table, Text } from '@mantine/core';
import { columnLetter } from '../../../../src/tsv/dialect.js';
import type { BadRow } from '../../api/issues.js';
import { notShown, shownColumns } from '../../sheet/shown-columns.js';
import { CellInput } from '../../show/cell-input.js';
import { ScrollBox } from '../../show/scroll-box.js';
import { placeOf } from '../issue-list.js';
import type { Edits } from './fixing.js';
import { useNeighbours } from './neighbours.js';

interface RowInSheetProps {
  id: string;
  columns: readonly string[];
  row: BadRow;
  /** The column that it is opened for. */
  at: number | undefined;
  edits: Edits;
  onEdit: (place: number, text: string) => void;
}

/** The row as it stands in the sheet, between its neighbours, every cell to be changed in place. */
export function RowInSheet({ id, columns, row, at, edits, onEdit }: RowInSheetProps) {
  const around = useNeighbours(id, row.line);
  const bad = new Set(row.issues.map((issue) => placeOf(issue, columns)));
  const changed = edits.get(row.line);
  const width = Math.max(columns.length, row.cells.length);
  const places = shownColumns(width, at);
  const others = notShown(width, places);
  return (
    <Stack gap={4} mt="xs" maw={620}>
      <ScrollBox label={`Line ${row.line} in the sheet`}>
        <Table horizontalSpacing={6} verticalSpacing={4} fz="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              {places.map((place) => (
                <Table.Th key={place} className="name">
                  <Text component="span" inherit c="dimmed">
                    {columnLetter(place)}
                  </Text>{' '}
                  {columns[place] ?? ''}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Neighbour places={places} line={around.before?.line} cells={around.before?.cells} />
            <Table.Tr>
              <Table.Th scope="row">{row.line}</Table.Th>
              {places.map((place) => (
                <Table.Td key={place}>
                  <CellInput
                    miw={120}
                    aria-label={`Line ${row.line}, column ${columnLetter(place)} ${columns[place] ?? ''}`}
                    value={changed?.get(place) ?? row.cells[place] ?? ''}
                    onText={(text) => onEdit(place, text)}
                    error={bad.has(place) && !changed?.has(place)}
                    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
            <Neighbour places={places} line={around.after?.line} cells={around.after?.cells} />
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {others !== undefined && <Text size="xs">{others}</Text>}
    </Stack>
  );
}

interface NeighbourProps {
  places: readonly number[];
  line: number | undefined;
  cells: readonly string[] | undefined;
}

function Neighbour({ places, line, cells }: NeighbourProps) {
  if (line === undefined || cells === undefined) return null;
  return (
    <Table.Tr c="dimmed">
      <Table.Th scope="row" fw={400}>
        {line}
      </Table.Th>
      {places.map((place) => (
        <Table.Td key={place} className="value">
          {cells[place] ?? ''}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
