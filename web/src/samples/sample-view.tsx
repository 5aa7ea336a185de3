import { Button, DataList, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FORMAT_IDS, FORMAT_NAMES } from '../../../src/formats/names.js';
import { useCurations } from '../api/curations.js';
import { query } from '../api/request.js';
import { type Sample, useSample } from '../api/samples.js';
import { isAdmin, useMe } from '../session/session.js';
import { Copyable } from '../show/copyable.js';
import { DownloadLink } from '../show/download.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { useReturnedFocus } from '../show/opened-form.js';
import { View } from '../show/view.js';
import { When } from '../show/when.js';
import { CharacteristicsTable } from './characteristics-table.js';
import { Curations } from './curations.js';
import { DataTables } from './data-tables.js';
import { History } from './history.js';
import { Lineage } from './lineage/lineage.js';
import { References } from './references.js';
import { Relationships } from './relationships.js';
import { ReleaseDay } from './release-day.js';
import { useHasSampleDraft } from './sample-draft.js';
import { SampleEdit } from './sample-edit.js';
import { SampleStatus } from './sample-status.js';
import { Section } from './section.js';
import { Withdrawal } from './withdrawal.js';

/** Everything that is known of one sample. */
export function SampleView({ accession }: { accession: string }) {
  const [curated, setCurated] = useState(true);
  const [opened, setOpened] = useState(false);
  const isDrafted = useHasSampleDraft(accession);
  const tagged = useSample(accession, curated);
  const curations = useCurations(accession);
  const me = useMe();
  const sample = tagged.data?.sample;
  const isOwn =
    me.data !== null &&
    me.data !== undefined &&
    sample !== undefined &&
    (isAdmin(me.data) || me.data.account === sample.submissionAccountId);
  const isErased = sample?.status === 'ERASED';
  const mayEdit = isOwn && !isErased;
  const editing = mayEdit && (opened || isDrafted);
  const editButton = useReturnedFocus(editing);
  if (!tagged.data || !sample) {
    return (
      <View title={accession}>
        {tagged.error ? (
          <ErrorNote error={tagged.error} doing="This sample cannot be shown" retry={() => tagged.refetch()} />
        ) : (
          <Skeleton h={360} aria-label="Loading the sample" />
        )}
      </View>
    );
  }
  const hasCurations = (curations.data?.pages[0]?.total ?? 0) > 0;
  return (
    <View
      title={accession}
      tabTitle={`${sample.name} ${accession}`.trim()}
      heading={<Copyable text={accession} what="accession" size="lg" />}
      aside={
        <Group gap="sm">
          {hasCurations && (
            <SegmentedControl
              aria-label="Show the sample"
              value={curated ? 'curated' : 'submitted'}
              onChange={(value) => setCurated(value === 'curated')}
              data={[
                { value: 'curated', label: 'Curated' },
                { value: 'submitted', label: 'As submitted' },
              ]}
            />
          )}
          {mayEdit && !editing && (
            <Button ref={editButton} variant="default" onClick={() => setOpened(true)}>
              Edit
            </Button>
          )}
        </Group>
      }
    >
      <Stack gap="lg">
        <Head sample={sample} />
        {isErased ? (
          <Note tone="plain" title="This sample was erased">
            <Text size="sm">
              Nothing of it is kept but its accession, which is not given again, and when versions of it were written.
            </Text>
          </Note>
        ) : (
          <>
            <Group gap="md">
              {mayEdit && (
                <DownloadLink path={`/samples/template${query({ accession, format: 'tsv' })}`}>
                  As a sheet to edit
                </DownloadLink>
              )}
              <DownloadLink path={`/samples/${accession}`} name={`${accession}.json`}>
                As JSON
              </DownloadLink>
              {FORMAT_IDS.map((id) => (
                <DownloadLink
                  key={id}
                  path={`/samples/${accession}${query({ format: id })}`}
                  name={`${accession}.${FORMAT_NAMES[id].fileEnding}`}
                >
                  {FORMAT_NAMES[id].title}
                </DownloadLink>
              ))}
            </Group>
            {editing ? (
              <SampleEdit accession={accession} takesFocus={opened} onDone={() => setOpened(false)} />
            ) : (
              <CharacteristicsTable characteristics={sample.characteristics} />
            )}
            <Relationships sample={sample} />
            <Lineage accession={accession} />
            <References sample={sample} />
            <DataTables accession={accession} tables={sample.data ?? []} me={me.data} mayRemoveAll={mayEdit} />
            <Curations accession={accession} curations={curations} me={me.data} mayDecline={mayEdit} />
            {mayEdit && !editing && <Withdrawal tagged={tagged.data} />}
          </>
        )}
        {isOwn && (
          <Section title="History">
            <History sample={sample} />
          </Section>
        )}
      </Stack>
    </View>
  );
}

function Head({ sample }: { sample: Sample }) {
  const { name, status, submissionAccountId, release, create, update, taxId } = sample;
  return (
    <Stack gap="sm" mt={-16}>
      <Text size="lg" className="name">
        {name}
      </Text>
      <DataList withDivider={false} orientation="horizontal">
        <DataList.Item>
          <DataList.ItemLabel c="dimmed">Status</DataList.ItemLabel>
          <DataList.ItemValue>
            <SampleStatus status={status} />
          </DataList.ItemValue>
        </DataList.Item>
        {submissionAccountId !== undefined && <Fact label="Owner">{submissionAccountId}</Fact>}
        <DataList.Item>
          <DataList.ItemLabel c="dimmed">Release</DataList.ItemLabel>
          <DataList.ItemValue>
            <ReleaseDay iso={release} />
          </DataList.ItemValue>
        </DataList.Item>
        <DataList.Item>
          <DataList.ItemLabel c="dimmed">Registered</DataList.ItemLabel>
          <DataList.ItemValue>
            <When iso={create} />
          </DataList.ItemValue>
        </DataList.Item>
        <DataList.Item>
          <DataList.ItemLabel c="dimmed">Last change</DataList.ItemLabel>
          <DataList.ItemValue>
            <When iso={update} />
          </DataList.ItemValue>
        </DataList.Item>
        {taxId !== undefined && <Fact label="Taxon">{String(taxId)}</Fact>}
      </DataList>
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel c="dimmed">{label}</DataList.ItemLabel>
      <DataList.ItemValue className="name">{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
