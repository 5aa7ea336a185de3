import { Group, Stack, Text, Title } from '@mantine/core';
import { type KeptExport, keptFilePath, useKeptExports, useRemoveExport } from '../api/kept-exports.js';
import { ConfirmedButton } from '../show/confirmed-button.js';
import { DownloadLink } from '../show/download.js';
import { ErrorNote } from '../show/error-note.js';
import { When } from '../show/when.js';
import { bytes, counted } from '../show/words.js';
import { filterWords } from './filter-words.js';
import { formatLabel } from './format-menu.js';

/** Files that were prepared of searches, until they expire; nothing where there are none. */
export function KeptFiles() {
  const kept = useKeptExports();
  const remove = useRemoveExport();
  if (!kept.data?.length) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Prepared files">
      <Title order={2} size="h4">
        Prepared files
      </Title>
      {kept.data.map((one) => (
        <Group key={one.exportId} gap="md">
          <Text size="sm">
            {formatLabel(one.format)}
            {searchOf(one)}, asked for <When iso={one.created} />
          </Text>
          <State one={one} />
          <ConfirmedButton
            label="Remove"
            loading={remove.isPending && remove.variables === one.exportId}
            onConfirm={() => remove.mutate(one.exportId)}
          />
        </Group>
      ))}
      {remove.error && <ErrorNote error={remove.error} doing="The file was not removed" retry={() => remove.reset()} />}
    </Stack>
  );
}

function State({ one: { exportId, state, phase, samples, bytes: size, expires, problem } }: { one: KeptExport }) {
  if (state === 'ACTIVE') return <Text size="sm">{phase === 'QUEUED' ? 'waiting' : 'being made…'}</Text>;
  if (samples === undefined || size === undefined)
    return (
      <Text size="sm" c="red.9">
        {problem?.message ?? 'could not be made; prepare it again'}
      </Text>
    );
  return (
    <Text size="sm">
      <DownloadLink path={keptFilePath(exportId)}>{`Take ${counted(samples, 'sample')}, ${bytes(size)}`}</DownloadLink>{' '}
      until <When iso={expires} />
    </Text>
  );
}

const searchOf = ({ text, filter }: KeptExport): string => {
  const filters = filter.map(filterWords).join(', ');
  const found = text ? `“${text}”` : filters === '' ? 'all samples' : 'samples';
  return ` of ${found}${filters && `: ${filters}`}`;
};
