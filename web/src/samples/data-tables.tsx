import { Group, Stack, Table, Text } from '@mantine/core';
import { useRemoveTables } from '../api/curations.js';
import type { DataTable } from '../api/samples.js';
import type { Me } from '../session/session.js';
import { ConfirmedButton } from '../show/confirmed-button.js';
import { ErrorNote } from '../show/error-note.js';
import { ScrollBox } from '../show/scroll-box.js';
import { TermLink, termAddress } from '../show/term-link.js';
import { Section } from './section.js';

interface DataTablesProps {
  accession: string;
  tables: readonly DataTable[];
  me: Me | null | undefined;
  /** The sample's owner, or an administrator: may take away what others attached too. */
  mayRemoveAll: boolean;
}

/** Structured data, antibiograms for example: one table each. */
export function DataTables({ accession, tables, me, mayRemoveAll }: DataTablesProps) {
  const remove = useRemoveTables(accession, tables);
  if (tables.length === 0) return null;
  return (
    <Section title="Structured data">
      {remove.error && <ErrorNote error={remove.error} doing="The table was not removed" />}
      {keyed(tables).map(({ key, table }) => (
        <Stack key={key} gap={4}>
          <OneTable table={table} />
          {me && (mayRemoveAll || me.account === table.submissionAccountId) && (
            <Group>
              <ConfirmedButton
                label={`Remove the table ${table.type}`}
                loading={remove.isPending}
                onConfirm={() => remove.mutate(table)}
              />
            </Group>
          )}
        </Stack>
      ))}
    </Section>
  );
}

/** By what is removed together: by its place, the table behind one that is gone would take over the question to remove it. */
function keyed(tables: readonly DataTable[]): { key: string; table: DataTable }[] {
  const known = new Map<string, number>();
  return tables.map((table) => {
    const removed = JSON.stringify([table.submissionAccountId, table.type]);
    const before = known.get(removed) ?? 0;
    known.set(removed, before + 1);
    return { key: `${removed} ${before}`, table };
  });
}

function OneTable({ table }: { table: DataTable }) {
  const columns = [...new Set(table.content.flatMap((row) => Object.keys(row)))];
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} className="name">
        {table.type}
        {table.submissionAccountId && (
          <Text component="span" inherit fw={400} c="dimmed">
            {' '}
            by {table.submissionAccountId}
          </Text>
        )}
      </Text>
      <ScrollBox label={table.type} maxHeight={420}>
        <Table miw={columns.length * 130}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((name) => (
                <Table.Th key={name} className="name">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.content.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
              <Table.Tr key={at}>
                {columns.map((name) => {
                  const cell = Object.hasOwn(row, name) ? row[name] : undefined;
                  return (
                    <Table.Td key={name} className="name">
                      {cell?.value} {cell?.iri && termAddress(cell.iri) !== undefined && <TermLink term={cell.iri} />}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Stack>
  );
}
