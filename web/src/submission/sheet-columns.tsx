import { List, Text } from '@mantine/core';
import type { SubmissionStatus } from '../api/contract.js';
import { Note } from '../show/note.js';
import { counted } from '../show/words.js';

type HeaderList = NonNullable<SubmissionStatus['columns']>['notStored'];

/** What became of columns that the sheet's dialect does not know, and of dates: what nobody should have to find out later. */
export function SheetColumns({ submission }: { submission: SubmissionStatus }) {
  const { columns, becomePublic, options } = submission;
  const check = options.dryRun === true;
  const kept = columns?.fromPlainHeaders;
  const lines = [
    ...(becomePublic > 0
      ? [
          `${counted(becomePublic, 'sample')} that ${becomePublic === 1 ? 'was' : 'were'} not public ${check ? 'would become' : 'became'} public.`,
        ]
      : []),
    ...(columns?.nothingStored
      ? ['Nothing but names and dates is stored: no column of the sheet is a characteristic.']
      : []),
    ...(kept && kept.count > 0
      ? [`${counted(kept.count, 'unrecognised column')} kept as characteristics: ${listed(kept)}.`]
      : []),
    ...(columns && columns.notStored.count > 0
      ? [
          `${counted(columns.notStored.count, 'unrecognised column')} left out of the samples: ${listed(columns.notStored)}.`,
        ]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <Note tone={becomePublic > 0 || columns?.nothingStored ? 'care' : 'plain'}>
      <List size="sm" listStyleType="none">
        {lines.map((text) => (
          <List.Item key={text}>
            <Text size="sm" className="name">
              {text}
            </Text>
          </List.Item>
        ))}
      </List>
    </Note>
  );
}

const listed = ({ headers, count }: HeaderList): string =>
  `${headers.slice(0, 12).join(', ')}${count > Math.min(12, headers.length) ? ' …' : ''}`;
