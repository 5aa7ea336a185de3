import { Button, Group, Select, Table, Text } from '@mantine/core';
import { CheckIcon, PencilIcon, TriangleAlertIcon } from 'lucide-react';
import { useState } from 'react';
import { ScrollBox } from '../../show/scroll-box.js';
import { count, counted } from '../../show/words.js';
import { choicesOf, type MappedColumn, type Mapping, type Meaning } from './mapping.js';

/** Each has a control of its own: with thousands the browser stood still. */
const SHOWN_AT_ONCE = 100;

interface MappingColumnsProps {
  mapping: Mapping;
  fileName: string;
  onChange: (column: number, meaning: Meaning) => void;
}

/** Each column with values, what it is taken for and why, and one control to say otherwise. */
export function MappingColumns({ mapping, fileName, onChange }: MappingColumnsProps) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const others = mapping.columns.length - shown;
  return (
    <>
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
            {mapping.columns.slice(0, shown).map((column) => (
              <ColumnRow key={column.column} column={column} onChange={onChange} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {others > 0 && (
        <Group gap="sm">
          <Text size="sm">{counted(others, 'more column is', 'more columns are')} taken for what they seem to be.</Text>
          <Button size="compact-sm" variant="default" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            Show {count(Math.min(others, SHOWN_AT_ONCE))} more
          </Button>
        </Group>
      )}
    </>
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
