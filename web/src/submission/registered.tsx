import { Anchor, Button, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SearchIcon } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { kindOf } from '../api/submission-kind.js';
import { useMapping } from '../api/submissions.js';
import { Copyable } from '../show/copyable.js';
import { ErrorNote } from '../show/error-note.js';
import { VirtualRows } from '../show/virtual-rows.js';
import { count, counted } from '../show/words.js';
import { CopyColumn } from './copy-column.js';
import { useRowsBelowHeader } from './rows-below-header.js';

/** Up to here the list is fetched unasked. */
const UNASKED = 2_000;

/** Name → accession of every row that is a sample now: searchable, copyable. */
export function Registered({ submission }: { submission: SubmissionStatus }) {
  const { created, updated, unchanged } = submission.counts;
  const total = created + updated + unchanged;
  const [wanted, setWanted] = useState(total <= UNASKED);
  const mapping = useMapping(submission.submissionId, wanted && total > 0);
  const pairs = mapping.data;
  const below = useRowsBelowHeader(submission, pairs !== undefined);
  if (total === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-labelledby="registered">
      <Title order={2} id="registered">
        {kindOf(submission) === 'undo' ? 'Taken back' : 'Registered'} ({count(total)})
      </Title>
      {!wanted && (
        <Group>
          <Button variant="default" onClick={() => setWanted(true)}>
            Show all {counted(total, 'accession')}
          </Button>
        </Group>
      )}
      {mapping.error && (
        <ErrorNote error={mapping.error} doing="The accessions did not arrive" retry={() => mapping.refetch()} />
      )}
      {wanted && mapping.isPending && <Text size="sm">Loading the accessions…</Text>}
      {pairs && <Pairs pairs={pairs} aligned={pairs.length === below} />}
    </Stack>
  );
}

interface PairsProps {
  pairs: { sampleName: string; sampleAccession: string }[];
  /** Each row below the header is one of them. */
  aligned: boolean;
}

function Pairs({ pairs, aligned }: PairsProps) {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim().toLowerCase(), 120);
  const found = useMemo(
    () =>
      wanted === ''
        ? pairs
        : pairs.filter(
            ({ sampleName, sampleAccession }) =>
              sampleName.toLowerCase().includes(wanted) || sampleAccession.toLowerCase().includes(wanted),
          ),
    [pairs, wanted],
  );
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <TextInput
          aria-label="Find a sample by name or accession"
          placeholder="Find by name or accession"
          leftSection={<SearchIcon size={16} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          w={{ base: '100%', xs: 320 }}
        />
        {wanted === '' ? (
          <CopyColumn pairs={pairs} aligned={aligned} />
        ) : (
          <Text size="sm" role="status">
            {count(found.length)} of {count(pairs.length)}
          </Text>
        )}
      </Group>
      <VirtualRows
        label="Registered samples"
        columns={2}
        count={found.length}
        rowHeight={41}
        maxHeight={420}
        minWidth={320}
        rowKey={(index) => index}
        head={
          <>
            <Table.Th>Sample name</Table.Th>
            <Table.Th>Accession</Table.Th>
          </>
        }
        row={(index) => {
          const pair = found[index];
          return pair ? <Cells name={pair.sampleName} accession={pair.sampleAccession} /> : null;
        }}
      />
    </Stack>
  );
}

/** Drawn once: scrolling draws the table anew at every step. */
const Cells = memo(function Cells({ name, accession }: { name: string; accession: string }) {
  return (
    <>
      <Table.Td className="name">{name}</Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Anchor component={Link} href={`/samples/${accession}`} className="value">
            {accession}
          </Anchor>
          <Copyable text={accession} what={`accession ${accession}`} shown="" />
        </Group>
      </Table.Td>
    </>
  );
});
