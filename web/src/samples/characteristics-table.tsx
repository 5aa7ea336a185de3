import { Group, Table, Text } from '@mantine/core';
import type { Characteristic } from '../api/samples.js';
import { ScrollBox } from '../show/scroll-box.js';
import { TermLink } from '../show/term-link.js';
import { Section } from './section.js';

export function CharacteristicsTable({ characteristics }: { characteristics: Record<string, Characteristic[]> }) {
  const rows = Object.entries(characteristics).flatMap(([name, entries]) =>
    entries.map((entry, at) => ({ key: `${at} ${name}`, name, entry, first: at === 0 })),
  );
  return (
    <Section title="Characteristics">
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          This sample has none.
        </Text>
      ) : (
        <ScrollBox label="Characteristics">
          <Table miw={520}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Value</Table.Th>
                <Table.Th>Unit</Table.Th>
                <Table.Th>Term</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ key, name, entry, first }) => (
                <Table.Tr key={key}>
                  <Table.Th scope="row" fw={500} className="name" style={{ verticalAlign: 'top' }}>
                    {first ? name : ''}
                  </Table.Th>
                  <Table.Td className="name" style={{ verticalAlign: 'top', whiteSpace: 'pre-wrap' }}>
                    {entry.text}
                  </Table.Td>
                  <Table.Td className="name" style={{ verticalAlign: 'top' }}>
                    {entry.unit}
                    <Terms terms={entry.unitOntologyTerms} />
                  </Table.Td>
                  <Table.Td style={{ verticalAlign: 'top' }}>
                    <Terms terms={entry.ontologyTerms} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
    </Section>
  );
}

function Terms({ terms = [] }: { terms?: string[] | undefined }) {
  if (terms.length === 0) return null;
  return (
    <Group gap={8}>
      {terms.map((term) => (
        <TermLink key={term} term={term} />
      ))}
    </Group>
  );
}
