import { Button, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PlusIcon } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { type BatchEdit, MAX_NAMED, usePreview } from '../api/batch-edit.js';
import { countAll, searchSamples } from '../api/samples.js';
import { isAdmin, useMe } from '../session/session.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { View } from '../show/view.js';
import { count, counted } from '../show/words.js';
import { ChangeFields } from './change-fields.js';
import { useChosenSamples } from './chosen-samples.js';
import { filterWords } from './filter-words.js';
import { useSampleQuery } from './sample-query.js';
import { changeOf, newChange, type TypedChange, useTypedChanges } from './typed-changes.js';

/** Changes to all samples that a search finds, or that were chosen: what is typed here is looked at before it happens. */
export function BatchEditView() {
  const [params] = useSearchParams();
  const [{ text, filters }] = useSampleQuery();
  const { chosen } = useChosenSamples();
  const me = useMe();
  const ofChosen = params.has('chosen');
  const found = useQuery({
    queryKey: ['samples to edit', text, filters],
    queryFn: async ({ signal }) => {
      const [total, { samples }] = await Promise.all([
        countAll({ text, filters }, signal),
        searchSamples({ text, filters }, undefined, signal),
      ]);
      const names = new Set(samples.flatMap(({ characteristics }) => Object.keys(characteristics)));
      return { total, names: [...names].sort((one, other) => one.localeCompare(other)) };
    },
    retry: false,
  });
  const searching = text !== '' || filters.length > 0;
  const total = ofChosen ? chosen.size : found.data?.total;
  const select: BatchEdit['select'] = ofChosen
    ? { accessions: [...chosen] }
    : searching
      ? { text, filter: [...filters] }
      : { all: true };
  return (
    <View title="Edit samples">
      <Stack gap="lg">
        {found.error && (
          <ErrorNote error={found.error} doing="The samples were not counted" retry={() => found.refetch()} />
        )}
        {total === undefined && !found.error && <Skeleton h={48} aria-label="Loading the samples" />}
        {total === 0 && (
          <Empty
            title="There is no sample to edit"
            actions={
              <Button component={Link} href="/samples">
                Go to the samples
              </Button>
            }
          >
            Find samples or choose some, then edit them from there.
          </Empty>
        )}
        {total !== undefined && total > 0 && (
          <>
            <Stack gap={4}>
              <Text fw={600}>
                {ofChosen ? `${counted(total, 'sample')} chosen` : `${counted(total, 'sample')} found`}
              </Text>
              <Text size="sm" c="dimmed" className="name">
                {ofChosen
                  ? ''
                  : `${[text, ...filters.map(filterWords)].filter(Boolean).join(' · ') || 'All samples'}. `}
                {isAdmin(me.data)
                  ? 'As an administrator you change samples of every account.'
                  : 'Only samples of your account are changed; the preview counts the others.'}
              </Text>
            </Stack>
            {ofChosen && total > MAX_NAMED ? (
              <Text role="alert">
                At most {count(MAX_NAMED)} chosen samples are edited at once; find them by a search instead.
              </Text>
            ) : (
              <EditForm select={select} names={found.data?.names ?? []} />
            )}
          </>
        )}
      </Stack>
    </View>
  );
}

function EditForm({ select, names }: { select: BatchEdit['select']; names: readonly string[] }) {
  const [, go] = useLocation();
  const { changes, type } = useTypedChanges();
  const [mode, setMode] = useState<string>('partial');
  const preview = usePreview();
  const ready = changes.map(changeOf).filter((change) => change !== undefined);
  const complete = ready.length === changes.length;
  const alter = (key: number, part: Partial<TypedChange>) =>
    type(changes.map((change) => (change.key === key ? { ...change, ...part } : change)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!complete) return;
    const edit = { select, changes: ready, mode: mode === 'atomic' ? ('atomic' as const) : ('partial' as const) };
    preview.mutate(edit, { onSuccess: (id) => go(`/submissions/${id}`) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {changes.map((change, at) => (
          <ChangeFields
            key={change.key}
            number={at + 1}
            change={change}
            names={names}
            onChange={(part) => alter(change.key, part)}
            onRemove={changes.length > 1 ? () => type(changes.filter(({ key }) => key !== change.key)) : undefined}
          />
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={16} aria-hidden />}
            onClick={() => type([...changes, newChange(Math.max(...changes.map(({ key }) => key)) + 1)])}
          >
            Add another change
          </Button>
        </Group>
        <Radio.Group label="If a sample cannot be changed" value={mode} onChange={setMode}>
          <Group gap="lg" mt="xs">
            <Radio value="partial" label="change the others" />
            <Radio value="atomic" label="change none" />
          </Group>
        </Radio.Group>
        {preview.error && <ErrorNote error={preview.error} doing="There is no preview" />}
        <Group>
          <Button type="submit" size="md" loading={preview.isPending} disabled={!complete}>
            Preview the changes
          </Button>
          <Text size="sm" c="dimmed">
            Nothing is written yet.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
