import { ActionIcon, Button, Group, Skeleton, Stack, Table, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, request } from '../api/request.js';
import { type Sample, samplePath, type TaggedSample, useSample } from '../api/samples.js';
import { Trouble } from '../show/trouble.js';
import { ChangeLines } from './change-lines.js';
import { asRows, type EditedRow, editedSample } from './edited-sample.js';
import { differencesOf } from './sample-differences.js';
import { Section } from './section.js';

interface SampleEditProps {
  accession: string;
  onDone: () => void;
}

/** Edits the sample as submitted, curations left out: they are not its owner's to store. */
export function SampleEdit({ accession, onDone }: SampleEditProps) {
  const tagged = useSample(accession, false);
  if (tagged.error) return <Trouble error={tagged.error} retry={() => tagged.refetch()} />;
  if (!tagged.data) return <Skeleton h={300} aria-label="Fetching the sample" />;
  return <EditForm tagged={tagged.data} onDone={onDone} />;
}

function EditForm({ tagged: { sample, etag }, onDone }: { tagged: TaggedSample; onDone: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(sample.name);
  const [release, setRelease] = useState((sample.release ?? '').slice(0, 10));
  const [rows, setRows] = useState<EditedRow[]>(() => asRows(sample));
  const edited = editedSample(sample, { name, release, rows });
  const differences = differencesOf(sample, edited);
  const save = useMutation({
    mutationFn: () =>
      request<Sample>(samplePath(sample.accession), {
        method: 'PUT',
        json: edited,
        headers: etag === undefined ? {} : { 'If-Match': etag },
      }),
    onSuccess: async () => {
      await Promise.all(
        ['sample', 'history', 'version', 'samples'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
      onDone();
    },
  });
  const change = (key: number, part: Partial<EditedRow>) =>
    setRows((present) => present.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const stale = save.error instanceof ApiProblem && save.error.status === 412;
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
              onChange={(event) => setName(event.currentTarget.value)}
              required
              w={{ base: '100%', xs: 360 }}
            />
            <TextInput
              label="Release date"
              type="date"
              value={release}
              onChange={(event) => setRelease(event.currentTarget.value)}
              required
            />
          </Group>
          <div className="scrollbox">
            <Table miw={640}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Characteristic</Table.Th>
                  <Table.Th>Value</Table.Th>
                  <Table.Th>Unit</Table.Th>
                  <Table.Th>Terms</Table.Th>
                  <Table.Th w={50}>Remove</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row, at) => (
                  <Table.Tr key={row.key}>
                    {(['name', 'text', 'unit', 'terms'] as const).map((part) => (
                      <Table.Td key={part}>
                        <TextInput
                          size="xs"
                          aria-label={`${LABELS[part]} of row ${at + 1}`}
                          value={row[part]}
                          onChange={(event) => change(row.key, { [part]: event.currentTarget.value })}
                        />
                      </Table.Td>
                    ))}
                    <Table.Td>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Remove row ${at + 1}`}
                        onClick={() => setRows((present) => present.filter(({ key }) => key !== row.key))}
                      >
                        <IconTrash size={16} />
                      </ActionIcon>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setRows((present) => [...present, emptyRow(present)])}
            >
              Add a characteristic
            </Button>
          </Group>
          {differences.length > 0 && <ChangeLines differences={differences} />}
          {save.error && (
            <Trouble
              error={save.error}
              doing={
                stale
                  ? 'Somebody changed this sample meanwhile. Cancel, look at it, and edit it again.'
                  : 'The change was not stored'
              }
            />
          )}
          <Group>
            <Button type="submit" loading={save.isPending} disabled={differences.length === 0}>
              Store the change
            </Button>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

const LABELS = { name: 'Characteristic', text: 'Value', unit: 'Unit', terms: 'Terms' };

const emptyRow = (rows: readonly EditedRow[]): EditedRow => ({
  key: Math.max(0, ...rows.map(({ key }) => key)) + 1,
  name: '',
  text: '',
  unit: '',
  terms: '',
});
