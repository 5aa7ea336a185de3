import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PlusIcon } from 'lucide-react';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import { ApiProblem, request } from '../api/request.js';
import { type Sample, sampleChanged, samplePath, type TaggedSample, useSample } from '../api/samples.js';
import { DraftNote } from '../drafts/draft-note.js';
import { ErrorNote } from '../show/error-note.js';
import { Note } from '../show/note.js';
import { typedDayProblem } from '../show/typed-day.js';
import { publicFrom } from '../show/words.js';
import { ChangeLines } from './change-lines.js';
import { EditedRows, lackingSaid } from './edited-rows.js';
import { asRows, type EditedRow, editedSample, keptRelease } from './edited-sample.js';
import { differencesOf } from './sample-differences.js';
import { type SampleDraft, useSampleDraft } from './sample-draft.js';
import { isNotShown, statusWord } from './sample-status.js';
import { Section } from './section.js';

interface SampleEditProps {
  accession: string;
  /** Somebody has just opened it: its first field takes the focus. */
  takesFocus: boolean;
  onDone: () => void;
}

/** Edits the sample as submitted, curations left out: they are not its owner's to store. */
export function SampleEdit({ accession, takesFocus, onDone }: SampleEditProps) {
  const tagged = useSample(accession, false);
  if (tagged.error) return <ErrorNote error={tagged.error} retry={() => tagged.refetch()} />;
  if (!tagged.data) return <Skeleton h={300} aria-label="Loading the sample" />;
  return <EditForm tagged={tagged.data} takesFocus={takesFocus} onDone={onDone} />;
}

interface EditFormProps extends Omit<SampleEditProps, 'accession'> {
  tagged: TaggedSample;
}

/** What is typed is a draft of this browser's until it is stored or discarded. */
function EditForm({ tagged: { sample, etag }, takesFocus, onDone }: EditFormProps) {
  const client = useQueryClient();
  const draft = useSampleDraft(sample.accession);
  const [begun] = useState(() => ({
    etag,
    name: sample.name,
    release: (sample.release ?? '').slice(0, 10),
    rows: asRows(sample),
  }));
  const edit = draft.value ?? begun;
  const { name, release, rows } = edit;
  const keep = (part: Partial<SampleDraft>) => draft.keep({ ...edit, ...part });
  const edited = editedSample(sample, edit);
  // One that is stored is no typing error of now.
  const releaseProblem = release === begun.release ? undefined : typedDayProblem(release);
  const lacking = lackingSaid(rows);
  const differences = differencesOf(sample, edited);
  const done = () => {
    draft.discard();
    onDone();
  };
  const save = useMutation({
    mutationFn: () =>
      request<Sample>(samplePath(sample.accession), {
        method: 'PUT',
        // The status follows from the release date, and one that does not is no owner's to set.
        json: { ...edited, status: undefined },
        headers: edit.etag === undefined ? {} : { 'If-Match': edit.etag },
      }),
    onSuccess: async () => {
      draft.discard();
      await sampleChanged(client);
      onDone();
    },
  });
  const latest = useRef({ rows, keep });
  latest.current = { rows, keep };
  const change = useCallback((key: number, part: Partial<EditedRow>) => {
    const { rows, keep } = latest.current;
    keep({ rows: rows.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  }, []);
  const remove = useCallback((key: number) => {
    const { rows, keep } = latest.current;
    keep({ rows: rows.filter((row) => row.key !== key) });
  }, []);
  const refused = save.error instanceof ApiProblem && save.error.status === 412;
  const overtaken = edit.etag !== undefined && etag !== undefined && edit.etag !== etag;
  const isHeld = differences.length === 0 || overtaken || releaseProblem !== undefined || lacking !== undefined;
  const lookAgain = async () => {
    save.reset();
    await sampleChanged(client);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section title="Edit">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Group align="flex-end">
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => keep({ name: event.currentTarget.value })}
              required
              autoFocus={takesFocus}
              w={{ base: '100%', xs: 360 }}
            />
            <TextInput
              label="Release date"
              description={publicFrom(keptRelease(sample, release) ?? '')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="date"
              value={release}
              error={releaseProblem}
              onChange={(event) => keep({ release: event.currentTarget.value })}
              required
            />
          </Group>
          <EditedRows rows={rows} onChange={change} onRemove={remove} />
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<PlusIcon size={16} aria-hidden />}
              onClick={() => keep({ rows: [...rows, emptyRow(rows)] })}
            >
              Add a characteristic
            </Button>
          </Group>
          {differences.length > 0 && <ChangeLines differences={differences} />}
          {overtaken && !refused && (
            <Note tone="care" title="Somebody has changed this sample since you began">
              <Text size="sm">
                The list above compares what you would store with the sample as it is now. What they changed and you do
                not want to undo, change here too.
              </Text>
              {isNotShown(sample) && (
                <Text size="sm" mt="xs">
                  It is {statusWord(sample.status)} now. It stays so when your change is stored.
                </Text>
              )}
              <Group mt="sm">
                <Button size="xs" variant="default" onClick={() => keep({ etag })}>
                  I have looked: store mine over it
                </Button>
              </Group>
            </Note>
          )}
          {refused && (
            <Note tone="bad" title="Somebody changed this sample meanwhile.">
              <Text size="sm">Nothing was stored, and what you typed is kept.</Text>
              <Group mt="sm">
                <Button size="xs" variant="default" onClick={lookAgain}>
                  Compare with the sample as it is now
                </Button>
              </Group>
            </Note>
          )}
          {save.error && !refused && <ErrorNote error={save.error} doing="The change was not stored" />}
          {lacking !== undefined && (
            <Text size="sm" role="status" className="name">
              {lacking}
            </Text>
          )}
          <DraftNote draft={draft} />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={isHeld}>
              Store the change
            </Button>
            <Button variant="default" onClick={done}>
              {draft.value === undefined ? 'Cancel' : 'Discard the draft'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

const emptyRow = (rows: readonly EditedRow[]): EditedRow => ({
  key: Math.max(0, ...rows.map(({ key }) => key)) + 1,
  name: '',
  text: '',
  unit: '',
  terms: '',
});
