import { Group, Text } from '@mantine/core';
import { type TaggedSample, useWithdrawal } from '../api/samples.js';
import { serverNow } from '../api/server-clock.js';
import { ConfirmedButton } from '../show/confirmed-button.js';
import { ErrorNote } from '../show/error-note.js';
import { ReleaseDay } from './release-day.js';
import { Section } from './section.js';

/** For who may change the sample: takes it out of sight, or back. A status that an administrator set is no matter of the page. */
export function Withdrawal({ tagged }: { tagged: TaggedSample }) {
  const act = useWithdrawal(tagged);
  const { accession, status, release } = tagged.sample;
  const withdrawn = status === 'WITHDRAWN';
  if (!withdrawn && status !== 'PUBLIC' && status !== 'PRIVATE') return null;
  return (
    <Section title="Withdrawal">
      {act.error && (
        <ErrorNote
          error={act.error}
          doing={act.variables ? `${accession} was not withdrawn` : `The withdrawal of ${accession} was not taken back`}
        />
      )}
      <Text size="sm">{withdrawn ? <BackInSight release={release} /> : OUT_OF_SIGHT}</Text>
      <Group>
        <ConfirmedButton
          key={String(withdrawn)}
          label={withdrawn ? 'Take the withdrawal back' : 'Withdraw this sample'}
          loading={act.isPending}
          onConfirm={() => act.mutate(!withdrawn)}
        />
      </Group>
    </Section>
  );
}

const OUT_OF_SIGHT =
  'Withdrawn, the sample is not public, and searches leave it out. Its accession, content and history stay, and the withdrawal can be taken back.';

function BackInSight({ release }: { release: string | undefined }) {
  if (release !== undefined && Date.parse(release) <= serverNow()) {
    return 'The sample is not public, and searches leave it out. Its release date is past: with the withdrawal taken back, it is public at once.';
  }
  return (
    <>
      The sample is not public, and searches leave it out. With the withdrawal taken back, it becomes public on its
      release date, <ReleaseDay iso={release} />.
    </>
  );
}
