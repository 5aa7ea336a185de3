import { Group, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { columnLetter } from '../../../../src/tsv/dialect.js';
import { SpentButton } from '../../show/spent-button.js';
import { counted } from '../../show/words.js';
import type { EditableSheet } from './editable-sheet.js';
import type { Edit, Edits } from './fixing.js';
import { replacements } from './grid-cells.js';

interface ReplaceInSheetProps {
  sheet: EditableSheet;
  edits: Edits;
  onEdit: (edits: readonly Edit[]) => void;
}

const EVERYWHERE = '-1';
/** Columns that are listed at once; of more, those whose letter or header is typed. */
const MOST_LISTED = 200;

/** Find and replace, in one column or in all; an empty search in a column means its empty cells. */
export function ReplaceInSheet({ sheet, edits, onEdit }: ReplaceInSheetProps) {
  const [column, setColumn] = useState(EVERYWHERE);
  const [find, setFind] = useState('');
  const [put, setPut] = useState('');
  const found = useMemo(
    () => replacements(sheet.rows, edits, { column: Number(column), find, put }),
    [sheet, edits, column, find, put],
  );
  const named = sheet.columns.map((header, place) => ({
    value: String(place),
    label: `${columnLetter(place)} ${header}`,
  }));
  return (
    <Group gap="sm" align="flex-end" role="group" aria-label="Find and replace">
      <Select
        label="In column"
        data={[{ value: EVERYWHERE, label: 'every column' }, ...named]}
        value={column}
        onChange={(value) => setColumn(value ?? EVERYWHERE)}
        allowDeselect={false}
        searchable={named.length > MOST_LISTED}
        limit={MOST_LISTED + 1}
        w={{ base: '100%', xs: 230 }}
      />
      <TextInput
        label="Find"
        placeholder={column === EVERYWHERE ? '' : 'its empty cells'}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
        w={{ base: '100%', xs: 180 }}
      />
      <TextInput
        label="Replace by"
        value={put}
        onChange={(event) => setPut(event.currentTarget.value)}
        w={{ base: '100%', xs: 180 }}
      />
      <SpentButton variant="default" spent={found.length === 0} onClick={() => onEdit(found)}>
        {find === '' ? `Fill ${counted(found.length, 'empty cell')}` : `Replace in ${counted(found.length, 'cell')}`}
      </SpentButton>
    </Group>
  );
}
