import { Anchor, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { SearchIcon } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { type ChecklistSummary, templatePath, useChecklists } from '../api/checklists.js';
import { DownloadLink } from '../show/download.js';
import { Empty } from '../show/empty.js';
import { ErrorNote } from '../show/error-note.js';
import { ScrollBox } from '../show/scroll-box.js';
import { useTypedText } from '../show/typed-text.js';
import { View } from '../show/view.js';

function TemplateLinks({ id }: { id: string }) {
  return (
    <>
      <DownloadLink path={templatePath(id, 'tsv')}>TSV</DownloadLink>
      {' · '}
      <DownloadLink path={templatePath(id, 'xlsx')}>Excel</DownloadLink>
    </>
  );
}

/** The rules that sheets can be held to, each with its template. */
export function ChecklistsView() {
  const checklists = useChecklists();
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const { typed, field } = useTypedText(text, (next) => setParams(next ? { text: next } : {}, { replace: true }));
  const shown = (checklists.data ?? []).filter((one) => fits(one, typed));
  const templated = checklists.data?.some(({ _links }) => _links?.template);
  return (
    <View title="Checklists">
      <Stack gap="md">
        <Text c="dimmed">
          A checklist is a community's rules for its samples: what must be said, and in which words. Choose one when you
          upload, and every row is held to it.
        </Text>
        {checklists.error && <ErrorNote error={checklists.error} retry={() => checklists.refetch()} />}
        {checklists.isPending && <Skeleton h={200} aria-label="Loading the checklists" />}
        {checklists.data?.length === 0 && (
          <Empty title="This registry has no checklists">
            Sheets need a Sample Name and a Release Date, nothing else.
          </Empty>
        )}
        {checklists.data && checklists.data.length > 0 && (
          <TextInput
            label="Find a checklist"
            placeholder="Its name, id, or a field that it requires"
            leftSection={<SearchIcon size={16} aria-hidden />}
            {...field}
            maw={420}
          />
        )}
        {checklists.data && checklists.data.length > 0 && shown.length === 0 && (
          <Empty title="No checklist fits">Try fewer words.</Empty>
        )}
        {shown.length > 0 && (
          <ScrollBox label="Checklists">
            <Table miw={680}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Checklist</Table.Th>
                  <Table.Th>Required fields</Table.Th>
                  {templated && <Table.Th>Template</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map(({ id, title, description, required = [], _links }) => (
                  <Table.Tr key={id}>
                    <Table.Td valign="top">
                      <Anchor component={Link} href={`/checklists/${encodeURIComponent(id)}`} fw={600}>
                        {title}
                      </Anchor>{' '}
                      <span className="value">{id}</span>
                      {description !== undefined && (
                        <Text size="sm" c="dimmed" lineClamp={3}>
                          {description}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td valign="top" maw={300}>
                      <Text size="sm" className="name" lineClamp={3}>
                        {required.length === 0 ? 'none' : required.join(', ')}
                      </Text>
                    </Table.Td>
                    {templated && (
                      <Table.Td valign="top" style={{ whiteSpace: 'nowrap' }}>
                        {_links?.template && <TemplateLinks id={id} />}
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollBox>
        )}
      </Stack>
    </View>
  );
}

/** Every word stands in its name, its id, its description or the fields that it requires. */
function fits({ id, title, description = '', required = [] }: ChecklistSummary, text: string): boolean {
  const all = [id, title, description, ...required].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
