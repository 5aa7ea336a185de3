import { Anchor, Button, Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Sample, useHistory, useVersion, type Version } from '../api/samples.js';
import { ErrorNote } from '../show/error-note.js';
import { When } from '../show/when.js';
import { count, shortId } from '../show/words.js';
import { ChangeLines } from './change-lines.js';
import { changesBetween } from './sample-differences.js';

const FIRST_SHOWN = 5;
/** Shown by a click: each is asked for by itself, and may be as long as the sample. */
const MORE = 20;

/** Who changed what, when, from which file and line; newest first. */
export function History({ sample }: { sample: Sample }) {
  const history = useHistory(sample.accession, true);
  const [shown, setShown] = useState(FIRST_SHOWN);
  if (history.error)
    return <ErrorNote error={history.error} doing="The history did not arrive" retry={() => history.refetch()} />;
  if (!history.data) return <Skeleton h={120} aria-label="Loading the history" />;
  const versions = history.data;
  return (
    <Stack gap="sm">
      <Timeline bulletSize={14} lineWidth={1} active={versions.length}>
        {versions.slice(0, shown).map((version) => (
          <Timeline.Item key={version.version} title={<Title version={version} />}>
            {sample.status === 'ERASED' && version !== versions[0] ? (
              <Text size="sm">What it said was erased.</Text>
            ) : (
              <Changes accession={sample.accession} version={version.version} />
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      {versions.length > shown && (
        <Group>
          <Button variant="default" size="xs" onClick={() => setShown(shown + MORE)}>
            {versions.length - shown > MORE
              ? `Show ${MORE} more of ${count(versions.length)} versions`
              : `Show all ${count(versions.length)} versions`}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Title({ version: { version, update, submissionAccountId, submissionId, line } }: { version: Version }) {
  return (
    <Text size="sm" component="span">
      Version {version} · <When iso={update} /> · <span className="name">{submissionAccountId}</span>
      {submissionId !== undefined && (
        <>
          {' · '}
          <Anchor component={Link} href={`/submissions/${submissionId}`} inherit>
            submission {shortId(submissionId)}
          </Anchor>
          {line !== undefined && `, line ${count(line)}`}
        </>
      )}
    </Text>
  );
}

function Changes({ accession, version }: { accession: string; version: number }) {
  const after = useVersion(accession, version);
  const before = useVersion(accession, version - 1);
  const error = after.error ?? before.error;
  if (error) return <ErrorNote error={error} />;
  if (!after.data || (version > 1 && !before.data)) return <Skeleton h={24} />;
  if (version === 1) return <Text size="sm">Registered.</Text>;
  const differences = before.data ? changesBetween(before.data, after.data) : [];
  return differences.length === 0 ? (
    <Text size="sm">Sent again with the same content; nothing of the sample was changed.</Text>
  ) : (
    <ChangeLines differences={differences} />
  );
}
