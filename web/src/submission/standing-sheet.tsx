import { Anchor, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SubmissionStatus } from '../api/contract.js';
import { useMissing } from '../api/standing.js';
import { isDryRun } from '../api/submission-kind.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { VirtualRows } from '../show/virtual-rows.js';
import { count, counted } from '../show/words.js';

/** Up to here all missing samples are fetched unasked, beyond it the first few. */
const UNASKED = 2_000;
const FIRST = 20;

type Standing = NonNullable<SubmissionStatus['standing']>;

/** Of a standing sheet: what was decided about its plan, and the samples that the sheet has no more. */
export function StandingSheet({ submission }: { submission: SubmissionStatus }) {
  const { standing } = submission;
  if (!standing) return null;
  if (!isDryRun(submission)) return <CarriedOut standing={standing} />;
  const { missing = 0 } = standing;
  return (
    <>
      <Decision submission={submission} standing={standing} />
      {missing > 0 && <Missing submission={submission} missing={missing} />}
    </>
  );
}

function Decision({ submission, standing }: { submission: SubmissionStatus; standing: Standing }) {
  const { decision, message, samples = 0, missing = 0, commit } = standing;
  const lacks = `${submission.options.standing} had ${counted(samples, 'sample')}; ${
    missing === 0
      ? 'none is missing from the sheet.'
      : `${count(missing)} of them ${isOrAre(missing)} not in the sheet.`
  }`;
  if (decision === 'STOPPED') {
    return (
      <Note tone="care" title="Stopped: nothing was changed">
        <Text size="sm">{message}</Text>
      </Note>
    );
  }
  return (
    <Note tone="plain" title={decision === 'COMMITTED' ? 'The plan carries itself out' : 'The plan waits for you'}>
      <Text size="sm">
        {lacks}
        {commit !== undefined && (
          <>
            {' See '}
            <Anchor component={Link} href={`/submissions/${commit}`} inherit>
              what came of it
            </Anchor>
            .
          </>
        )}
      </Text>
    </Note>
  );
}

function CarriedOut({ standing: { withdrawn = 0, left = 0 } }: { standing: Standing }) {
  if (withdrawn + left === 0) return null;
  const words = [
    ...(withdrawn > 0 ? [`${counted(withdrawn, 'missing sample')} withdrawn, with accession and history kept.`] : []),
    ...(left > 0
      ? [`${counted(left, 'missing sample')} changed since the plan and left as ${left === 1 ? 'it is' : 'they are'}.`]
      : []),
  ];
  return (
    <Note tone="plain" title="Samples that the sheet has no more">
      <Text size="sm">{words.join(' ')}</Text>
    </Note>
  );
}

const isOrAre = (missing: number): string => (missing === 1 ? 'is' : 'are');

function Missing({ submission, missing }: { submission: SubmissionStatus; missing: number }) {
  const [all, setAll] = useState(missing <= UNASKED);
  const list = useMissing(submission.submissionId, all ? undefined : FIRST);
  const samples = list.data ?? [];
  return (
    <Stack gap="sm" component="section" aria-labelledby="missing">
      <Title order={2} id="missing">
        Not in the sheet ({count(missing)})
      </Title>
      <Text size="sm" c="dimmed">
        {submission.options.missing === 'withdraw'
          ? 'Registering withdraws them: no longer public, with accession and history kept.'
          : 'They stay as they are: this upload only lists them.'}
      </Text>
      {!all && (
        <Group>
          <Button variant="default" onClick={() => setAll(true)}>
            Show all {counted(missing, 'missing sample')}
          </Button>
        </Group>
      )}
      {list.error && (
        <ErrorNote error={list.error} doing="The missing samples did not arrive" retry={() => list.refetch()} />
      )}
      {list.isPending && <Skeleton h={120} aria-label="Loading the missing samples" />}
      {samples.length > 0 && (
        <VirtualRows
          label="Not in the sheet"
          columns={3}
          count={samples.length}
          rowHeight={37}
          minWidth={520}
          rowKey={(index) => samples[index]?.accession ?? index}
          head={
            <>
              <Table.Th>Accession</Table.Th>
              <Table.Th>Key</Table.Th>
              <Table.Th>Name</Table.Th>
            </>
          }
          row={(index) => {
            const sample = samples[index];
            if (!sample) return null;
            return (
              <>
                <Table.Td>
                  <Anchor component={Link} href={`/samples/${sample.accession}`} className="value">
                    {sample.accession}
                  </Anchor>
                </Table.Td>
                <Table.Td className="value">{sample.key}</Table.Td>
                <Table.Td className="name">{sample.name}</Table.Td>
              </>
            );
          }}
        />
      )}
    </Stack>
  );
}
