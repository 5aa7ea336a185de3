import { Anchor, Checkbox, Table } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'wouter';
import type { Sample } from '../api/samples.js';
import { VirtualRows } from '../show/virtual-rows.js';
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
    <VirtualRows
      label="Samples"
      columns={columns.length + 5}
      count={samples.length}
      rowHeight={38}
      maxHeight="70vh"
      minWidth={640 + columns.length * 120}
      rowKey={(index) => samples[index]?.accession ?? index}
      head={
        <>
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
        </>
      }
      row={(index) => {
        const sample = samples[index];
        if (!sample) return null;
        return <Cells sample={sample} columns={columns} chosen={chosen.has(sample.accession)} onToggle={onToggle} />;
      }}
    />
  );
}

interface CellsProps {
  sample: Sample;
  columns: readonly string[];
  chosen: boolean;
  onToggle: (accession: string) => void;
}

/** Drawn anew only when what they show changes: the view does so at every key that is typed and every page that comes. */
const Cells = memo(function Cells({ sample, columns, chosen, onToggle }: CellsProps) {
  const { accession } = sample;
  return (
    <>
      <Table.Td>
        <Checkbox aria-label={`Choose ${accession}`} checked={chosen} onChange={() => onToggle(accession)} />
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} href={`/samples/${accession}`} className="value">
          {accession}
        </Anchor>
      </Table.Td>
      <Table.Td className="name">{sample.name}</Table.Td>
      {columns.map((name) => (
        <Table.Td key={name} className="name">
          {valuesOf(sample, name)}
        </Table.Td>
      ))}
      <Table.Td>
        <SampleStatus status={sample.status} />
      </Table.Td>
      <Table.Td>
        <Day iso={sample.update} />
      </Table.Td>
    </>
  );
});

/** All entries of one characteristic, `34 year; 35 year`. */
function valuesOf({ characteristics }: Sample, name: string): string | undefined {
  const entries = Object.hasOwn(characteristics, name) ? characteristics[name] : undefined;
  return entries?.map(({ text, unit }) => [text, unit].filter(Boolean).join(' ')).join('; ');
}
