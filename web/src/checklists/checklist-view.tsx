import { Group, Skeleton, Spoiler, Stack, Table, Text, TextInput } from '@mantine/core';
import { SearchIcon } from 'lucide-react';
import { useState } from 'react';
import { type ChecklistField, templatePath, useChecklist } from '../api/checklists.js';
import { DownloadButton } from '../show/download.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { ScrollBox } from '../show/scroll-box.js';
import { View } from '../show/view.js';
import { counted } from '../show/words.js';

/** What one checklist demands, column by column. */
export function ChecklistView({ id }: { id: string }) {
  const checklist = useChecklist(id);
  const [typed, setTyped] = useState('');
  const { data } = checklist;
  if (!data) {
    return (
      <View title={id}>
        {checklist.error ? (
          <ErrorNote error={checklist.error} doing="This checklist cannot be shown" retry={() => checklist.refetch()} />
        ) : (
          <Skeleton h={320} aria-label="Loading the checklist" />
        )}
      </View>
    );
  }
  const fields = data.fields ?? [];
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const wanted = typed.trim().toLowerCase();
  const shown = fields.filter(
    ({ name, description = '' }) => name.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  );
  return (
    <View title={data.title ?? id}>
      <Stack gap="md">
        <Group gap="md">
          <span className="value">{id}</span>
          <Text size="sm" c="dimmed">
            {counted(fields.length, 'column')}, {counted(required.length, 'of them required', 'of them required')}
          </Text>
        </Group>
        {data.description !== undefined && <Text>{data.description}</Text>}
        {required.length > 0 && (
          <Text size="sm">
            <Text component="span" inherit fw={600}>
              Required fields:
            </Text>{' '}
            <span className="name">{required.join(', ')}</span>
          </Text>
        )}
        {data._links?.template && (
          <Group gap="sm">
            <DownloadButton path={templatePath(id, 'xlsx')}>Excel template</DownloadButton>
            <DownloadButton path={templatePath(id, 'tsv')} variant="default">
              TSV template
            </DownloadButton>
          </Group>
        )}
        {fields.length > 12 && (
          <TextInput
            label="Find a column"
            leftSection={<SearchIcon size={16} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maw={320}
          />
        )}
        {wanted !== '' && shown.length === 0 ? (
          <Empty title="No column fits">Try fewer words.</Empty>
        ) : (
          <ScrollBox label="Columns of the checklist">
            <Table miw={760}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th miw={180}>Column</Table.Th>
                  <Table.Th miw={110}>Required</Table.Th>
                  <Table.Th>What goes into it</Table.Th>
                  <Table.Th miw={150}>Example</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((field) => (
                  <FieldRow key={field.name} field={field} />
                ))}
              </Table.Tbody>
            </Table>
          </ScrollBox>
        )}
      </Stack>
    </View>
  );
}

/** JSON Schema's names of forms, for people. */
const FORMATS: Record<string, string> = {
  date: 'a date, such as 2024-05-31',
  'date-time': 'a date with its time, such as 2024-05-31T14:30:00Z',
  time: 'a time, such as 14:30:00Z',
  uri: 'a web address, such as https://example.org/1',
  iri: 'a web address, such as https://example.org/1',
  email: 'an e-mail address',
};

function FieldRow({ field }: { field: ChecklistField }) {
  const {
    name,
    required,
    description,
    allowedValues,
    form,
    format,
    unitRequired,
    allowedUnits,
    termRequired,
    example,
  } = field;
  return (
    <Table.Tr>
      <Table.Th scope="row" style={{ verticalAlign: 'top' }} className="name" fw={500}>
        {name}
      </Table.Th>
      <Table.Td style={{ verticalAlign: 'top' }}>
        {required ? (
          <Text size="sm" fw={600}>
            required
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            optional
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ verticalAlign: 'top' }}>
        <Stack gap={4}>
          {description !== undefined && <Text size="sm">{description}</Text>}
          {allowedValues && allowedValues.length > 0 && (
            <Spoiler
              maxHeight={48}
              showLabel="Show all values"
              hideLabel="Show fewer"
              styles={{ control: { fontSize: 14 } }}
            >
              <Text size="sm" className="name">
                One of: {allowedValues.join(', ')}
              </Text>
            </Spoiler>
          )}
          {format !== undefined && <Text size="sm">Written as {FORMATS[format] ?? format}</Text>}
          {form !== undefined && (
            <Text size="sm">
              Form: <span className="name">{form}</span>
            </Text>
          )}
          {unitRequired && (
            <Text size="sm">
              With a unit
              {allowedUnits && allowedUnits.length > 0 ? `: ${allowedUnits.join(', ')}` : ' in the column beside it'}
            </Text>
          )}
          {termRequired && <Text size="sm">With an ontology term</Text>}
        </Stack>
      </Table.Td>
      <Table.Td style={{ verticalAlign: 'top' }} className="value">
        {example}
      </Table.Td>
    </Table.Tr>
  );
}
