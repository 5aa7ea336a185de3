import { Anchor, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { useDifferences } from '../api/differences.js';
import { isDryRun } from '../api/submission-kind.js';
import { ErrorNote } from '../show/error-note.js';
import { VirtualRows } from '../show/virtual-rows.js';
import { count, counted } from '../show/words.js';

/** Up to here all changes are fetched unasked, beyond it the first few. */
const UNASKED = 2_000;
const FIRST = 20;

/** For each sample that the sheet changes: old → new, cell by cell. */
export function Differences({ submission }: { submission: SubmissionStatus }) {
  const { updated } = submission.counts;
  const [all, setAll] = useState(updated <= UNASKED);
  const differences = useDifferences(submission.submissionId, all ? undefined : FIRST);
  const lines = differences.data ?? [];
  const title = isDryRun(submission) ? 'What would change' : 'What has changed';
  return (
    <Stack gap="sm" component="section" aria-labelledby="differences">
      <Title order={2} id="differences">
        {title} ({count(updated)})
      </Title>
      {!all && (
        <Group>
          {lines.length > 0 && <Text size="sm">The first {counted(lines.length, 'change')}:</Text>}
          <Button variant="default" onClick={() => setAll(true)}>
            Show the changes of all {counted(updated, 'sample')}
          </Button>
        </Group>
      )}
      {differences.error && (
        <ErrorNote
          error={differences.error}
          doing="The differences did not arrive"
          retry={() => differences.refetch()}
        />
      )}
      {differences.isPending && <Skeleton h={200} aria-label="Loading the differences" />}
      {lines.length > 0 && (
        <VirtualRows
          label={title}
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
