import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { SearchIcon } from 'lucide-react';
import { backwardsSpan } from '../show/day-bounds.js';
import { useTypedText } from '../show/typed-text.js';
import { isFiltered, type ListFilter, STATES } from './list-filter.js';

interface FilterFieldsProps {
  filter: ListFilter;
  onChange: (part: Partial<ListFilter>) => void;
  withAccount: boolean;
}

export function FilterFields({ filter, onChange, withAccount }: FilterFieldsProps) {
  return (
    <Group gap="sm" align="flex-end">
      <TypedField
        label="Find"
        placeholder="Submission ID or file name"
        value={filter.text}
        onChange={(text) => onChange({ text })}
        width={280}
      />
      <Select
        label="Status"
        data={STATES}
        value={filter.status}
        onChange={(status) => onChange({ status: status ?? '' })}
        allowDeselect={false}
        w={{ base: '100%', xs: 210 }}
      />
      <TextInput
        type="date"
        label="From"
        value={filter.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
        w={{ base: '47%', xs: 150 }}
      />
      <TextInput
        type="date"
        label="To"
        value={filter.to}
        error={backwardsSpan(filter.from, filter.to)}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
        w={{ base: '47%', xs: 150 }}
      />
      {withAccount && (
        <TypedField
          label="Account"
          placeholder="its whole name"
          value={filter.account}
          onChange={(account) => onChange({ account })}
          width={180}
        />
      )}
      <Checkbox
        label="Hide checks"
        checked={filter.checks === 'hidden'}
        onChange={(event) => onChange({ checks: event.currentTarget.checked ? 'hidden' : '' })}
        pb={8}
      />
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          onClick={() => onChange({ text: '', status: '', account: '', from: '', to: '', checks: '' })}
        >
          Show all
        </Button>
      )}
    </Group>
  );
}

interface TypedFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  width: number;
}

/** Asked for once the reader pauses or leaves the field. */
function TypedField({ label, placeholder, value, onChange, width }: TypedFieldProps) {
  const { field } = useTypedText(value, onChange);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      leftSection={<SearchIcon size={16} aria-hidden />}
      {...field}
      w={{ base: '100%', xs: width }}
    />
  );
}
