import { Group, Select, Table, Text } from '@mantine/core';
import { CheckIcon, PencilIcon, TriangleAlertIcon } from 'lucide-react';
import { ScrollBox } from '../show/scroll-box.js';
import { choicesOf, type MappedColumn, type Mapping, type Meaning } from './mapping.js';

interface MappingColumnsProps {
  mapping: Mapping;
  fileName: string;
  onChange: (column: number, meaning: Meaning) => void;
}

/** Each column with values, what it is taken for and why, and one control to say otherwise. */
export function MappingColumns({ mapping, fileName, onChange }: MappingColumnsProps) {
  return (
    <ScrollBox label={`What the columns of ${fileName} are`} maxHeight={480}>
      <Table miw={860} verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={140}>Column</Table.Th>
            <Table.Th miw={140}>Values</Table.Th>
            <Table.Th miw={340}>What it is</Table.Th>
            <Table.Th>Why</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {mapping.columns.map((column) => (
            <ColumnRow key={column.column} column={column} onChange={onChange} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function ColumnRow({ column, onChange }: { column: MappedColumn; onChange: MappingColumnsProps['onChange'] }) {
  const { header, examples, meaning, proposed, fresh } = column;
  const title = header === '' ? `column ${column.column + 1}` : header;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Th scope="row" className="name" fw={500}>
        {header === '' ? <i>no header</i> : header}
        {fresh && <Text size="sm">new</Text>}
      </Table.Th>
      <Table.Td className="value">
        {examples.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </Table.Td>
      <Table.Td>
        {proposed ? (
          <Select
            aria-label={`What ${title} is`}
            placeholder="say what it is"
            data={choicesOf(column)}
            value={meaning ? JSON.stringify(meaning) : null}
            onChange={(value) => value !== null && onChange(column.column, JSON.parse(value) as Meaning)}
            allowDeselect={false}
            comboboxProps={{ width: 360, position: 'bottom-start' }}
          />
        ) : (
          <Text size="sm">Not stored</Text>
        )}
      </Table.Td>
      <Table.Td>
        <Sureness column={column} />
      </Table.Td>
    </Table.Tr>
  );
}

const MARKS = {
  high: { Mark: CheckIcon, ink: 'var(--good)', word: 'Sure.' },
  middle: { Mark: CheckIcon, ink: 'var(--mantine-color-text)', word: 'Likely.' },
  low: { Mark: TriangleAlertIcon, ink: 'var(--care)', word: 'Please look.' },
};

function Sureness({ column: { chosen, confidence, why } }: { column: MappedColumn }) {
  const { Mark, ink, word } = chosen
    ? { Mark: PencilIcon, ink: 'var(--mantine-color-text)', word: 'You said so.' }
    : MARKS[confidence];
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Mark size={18} color={ink} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">{chosen ? word : `${word} ${why}`}</Text>
    </Group>
  );
}
