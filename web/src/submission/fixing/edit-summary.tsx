import { Stack, Table, Text, Title } from '@mantine/core';
import type { SubmissionStatus } from '../../api/contract.js';
import { isDryRun } from '../../api/submission-kind.js';
import { Note } from '../../show/note.js';
import { ScrollBox } from '../../show/scroll-box.js';
import { count, counted } from '../../show/words.js';

type Edit = NonNullable<SubmissionStatus['edit']>;

/** Of a batch edit: each change, and how many samples it concerns. */
export function EditSummary({ submission }: { submission: SubmissionStatus }) {
  const { edit } = submission;
  if (!edit) return null;
  return (
    <Stack gap="sm" component="section" aria-labelledby="edit">
      <Title order={2} id="edit">
        {isDryRun(submission) ? 'What each change would do' : 'What each change did'}
      </Title>
      <ScrollBox label="Changes of this edit">
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Change</Table.Th>
              <Table.Th ta="right">Samples changed</Table.Th>
              <Table.Th ta="right">Have it already</Table.Th>
              <Table.Th ta="right">Lack it</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {edit.changes.map((change) => (
              <Table.Tr key={changeWords(change)}>
                <Table.Th scope="row" fw={400} className="name">
                  {changeWords(change)}
                </Table.Th>
                <Table.Td ta="right">{count(change.changed)}</Table.Td>
                <Table.Td ta="right">{count(change.already)}</Table.Td>
                <Table.Td ta="right">{count(change.lacking)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {edit.leftOut && <LeftOut {...edit.leftOut} />}
    </Stack>
  );
}

function LeftOut({ count: others, examples }: NonNullable<Edit['leftOut']>) {
  const some = examples.length === 0 ? '' : ` ${examples.join(', ')}${others > examples.length ? ' …' : ''}`;
  return (
    <Note tone="plain" title={`${counted(others, 'sample')} of other accounts left out`}>
      <Text size="sm">
        The search finds {others === 1 ? 'it' : 'them'}, and only the owner can make the change.{some}
      </Text>
    </Note>
  );
}

/** `tissue: set to liver` */
function changeWords(change: Edit['changes'][number]): string {
  const { set, values, rename, to, clear, release } = change as {
    set?: string;
    values?: { text?: string; unit?: string }[];
    rename?: string;
    to?: string;
    clear?: string;
    release?: string;
  };
  if (set !== undefined) {
    const said = values?.map(({ text, unit }) => [text, unit].filter(Boolean).join(' ')).join('; ');
    return `${set}: set to ${said}`;
  }
  if (rename !== undefined) return `${rename}: renamed to ${to}`;
  if (clear !== undefined) return `${clear}: cleared`;
  return `Release date: ${release?.slice(0, 10)}`;
}
