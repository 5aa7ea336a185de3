import { ActionIcon, Table } from '@mantine/core';
import { Trash2Icon } from 'lucide-react';
import { memo } from 'react';
import { CellInput } from '../show/cell-input.js';
import { VirtualRows } from '../show/virtual-rows.js';
import { type EditedRow, type Lacking, lackingIn } from './edited-sample.js';

const ROW_PIXELS = 37;

interface EditedRowsProps {
  rows: readonly EditedRow[];
  /** The same function from one look to the next, so that a row that nobody changed is not drawn again. */
  onChange: (key: number, part: Partial<EditedRow>) => void;
  onRemove: (key: number) => void;
}

/** The characteristics of a sample as a form: of thousands only those in sight are in the document. */
export function EditedRows({ rows, onChange, onRemove }: EditedRowsProps) {
  return (
    <VirtualRows
      label="Characteristics, to be edited"
      columns={5}
      count={rows.length}
      rowHeight={ROW_PIXELS}
      maxHeight="70vh"
      showsAdded
      rowKey={(index) => rows[index]?.key ?? index}
      head={
        <>
          <Table.Th>Characteristic</Table.Th>
          <Table.Th>Value</Table.Th>
          <Table.Th>Unit</Table.Th>
          <Table.Th>Terms</Table.Th>
          <Table.Th w={50}>Remove</Table.Th>
        </>
      }
      row={(index) => {
        const row = rows[index];
        return row && <RowFields row={row} number={index + 1} onChange={onChange} onRemove={onRemove} />;
      }}
    />
  );
}

interface RowFieldsProps extends Pick<EditedRowsProps, 'onChange' | 'onRemove'> {
  row: EditedRow;
  number: number;
}

const RowFields = memo(function RowFields({ row, number, onChange, onRemove }: RowFieldsProps) {
  const lacking = lackingIn(row);
  return (
    <>
      {(['name', 'text', 'unit', 'terms'] as const).map((part) => (
        <Table.Td key={part}>
          <CellInput
            aria-label={`${LABELS[part]} of row ${number}`}
            value={row[part]}
            onText={(text) => onChange(row.key, { [part]: text })}
            error={lacking === part ? LACKING[lacking] : undefined}
          />
        </Table.Td>
      ))}
      <Table.Td>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove row ${number}`} onClick={() => onRemove(row.key)}>
          <Trash2Icon size={16} />
        </ActionIcon>
      </Table.Td>
    </>
  );
});

/** Of the first row that lacks something, which may be out of sight: which it is, and what to do. */
export function lackingSaid(rows: readonly EditedRow[]): string | undefined {
  for (const row of rows) {
    const lacking = lackingIn(row);
    if (lacking)
      return `${[row.name, row.text, row.unit, row.terms].find((part) => part.trim() !== '')}: ${LACKING[lacking]}`;
  }
  return undefined;
}

const LACKING: Record<Lacking, string> = {
  name: 'Say which characteristic it is, or remove the row.',
  text: 'Give it a value, or remove the row.',
};

const LABELS = { name: 'Characteristic', text: 'Value', unit: 'Unit', terms: 'Terms' };
