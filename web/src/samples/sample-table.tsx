import { Anchor, Checkbox, Table } from '@mantine/core';
import { Link } from 'wouter';
import type { Sample } from '../api/samples.js';
import { ScrollBox } from '../show/scroll-box.js';
import { Day } from './day.js';
import { SampleStatus } from './sample-status.js';

interface SampleTableProps {
  samples: readonly Sample[];
  columns: readonly string[];
  chosen: ReadonlySet<string>;
  onToggle: (accession: string) => void;
  onToggleAll: (all: boolean) => void;
}

export function SampleTable({ samples, columns, chosen, onToggle, onToggleAll }: SampleTableProps) {
  const all = samples.every(({ accession }) => chosen.has(accession));
  const some = !all && samples.some(({ accession }) => chosen.has(accession));
  return (
    <ScrollBox label="Samples" maxHeight={'70vh'}>
      <Table miw={640 + columns.length * 120} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                aria-label="Choose all samples shown"
                checked={all}
                indeterminate={some}
                onChange={() => onToggleAll(!all)}
              />
            </Table.Th>
            <Table.Th>Accession</Table.Th>
            <Table.Th>Name</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name} className="name">
                {name}
              </Table.Th>
            ))}
            <Table.Th>Status</Table.Th>
            <Table.Th>Changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {samples.map((sample) => (
            <Table.Tr key={sample.accession}>
              <Table.Td>
                <Checkbox
                  aria-label={`Choose ${sample.accession}`}
                  checked={chosen.has(sample.accession)}
                  onChange={() => onToggle(sample.accession)}
                />
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} href={`/samples/${sample.accession}`} className="value">
                  {sample.accession}
                </Anchor>
              </Table.Td>
              <Table.Td className="name">{sample.name}</Table.Td>
              {columns.map((name) => (
                <Table.Td key={name} className="name">
                  {(Object.hasOwn(sample.characteristics, name) ? sample.characteristics[name] : undefined)
                    ?.map(({ text, unit }) => [text, unit].filter(Boolean).join(' '))
                    .join('; ')}
                </Table.Td>
              ))}
              <Table.Td>
                <SampleStatus status={sample.status} />
              </Table.Td>
              <Table.Td>
                <Day iso={sample.update} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
