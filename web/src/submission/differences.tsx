import { Anchor, Skeleton, Stack, Table, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { useDifferences } from '../api/differences.js';
import { Trouble } from '../show/trouble.js';
import { VirtualRows } from '../show/virtual-rows.js';
import { count } from '../show/words.js';

/** For each sample that the sheet would change: old → new, cell by cell. */
export function Differences({ submission }: { submission: SubmissionStatus }) {
  const differences = useDifferences(submission.submissionId);
  const lines = differences.data ?? [];
  return (
    <Stack gap="sm" component="section" aria-labelledby="differences">
      <Title order={2} id="differences">
        What would change ({count(submission.counts.updated)})
      </Title>
      {differences.error && (
        <Trouble error={differences.error} doing="The differences did not arrive" retry={() => differences.refetch()} />
      )}
      {differences.isPending && <Skeleton h={200} aria-label="Fetching the differences" />}
      {lines.length > 0 && (
        <VirtualRows
          label="What would change"
          columns={5}
          count={lines.length}
          rowHeight={37}
          minWidth={720}
          rowKey={(index) => index}
          head={
            <>
              <Table.Th>Line</Table.Th>
              <Table.Th>Sample</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Old</Table.Th>
              <Table.Th>New</Table.Th>
            </>
          }
          row={(index) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <>
                <Table.Td>{count(line.line)}</Table.Td>
                <Table.Td>
                  <Anchor component={Link} href={`/samples/${line.accession}`} className="value">
                    {line.accession}
                  </Anchor>
                </Table.Td>
                <Table.Td className="name">{line.column}</Table.Td>
                <Table.Td>
                  {line.before === undefined ? <em>nothing</em> : <del className="value old">{line.before}</del>}
                </Table.Td>
                <Table.Td>
                  {line.after === undefined ? <em>nothing</em> : <ins className="value new">{line.after}</ins>}
                </Table.Td>
              </>
            );
          }}
        />
      )}
    </Stack>
  );
}
