import { Autocomplete, Button, Popover, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FunnelPlusIcon } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { backwardsSpan } from '../show/day-bounds.js';
import { type FilterKind, spellFilter } from './spell-filter.js';

const KINDS: { value: FilterKind; label: string }[] = [
  { value: 'attr', label: 'Characteristic' },
  { value: 'name', label: 'Sample name' },
  { value: 'release', label: 'Release date' },
  { value: 'update', label: 'Date of last change' },
  { value: 'rel', label: 'Relationship' },
  { value: 'descendantOf', label: 'What came of a sample' },
  { value: 'ancestorOf', label: 'Where a sample comes from' },
  { value: 'account', label: 'Account' },
  { value: 'status', label: 'Withdrawn samples' },
];

interface AddFilterProps {
  /** Characteristics seen so far, to choose from. */
  names: string[];
  onAdd: (filter: string) => void;
}

/** A small form that adds one filter. */
export function AddFilter({ names, onAdd }: AddFilterProps) {
  const [opened, { toggle, close, open }] = useDisclosure(false);
  const [kind, setKind] = useState<FilterKind>('attr');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const dates = kind === 'release' || kind === 'update';
  const backwards = dates ? backwardsSpan(first, second) : undefined;
  const filter = backwards === undefined ? spellFilter(kind, first.trim(), second.trim()) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (filter === undefined) return;
    onAdd(filter);
    setFirst('');
    setSecond('');
    close();
  };
  const onFirst = (event: { currentTarget: { value: string } }) => setFirst(event.currentTarget.value);
  const onSecond = (event: { currentTarget: { value: string } }) => setSecond(event.currentTarget.value);
  return (
    <Popover
      opened={opened}
      onChange={(next) => (next ? open() : close())}
      trapFocus
      position="bottom-start"
      shadow="md"
      withRoles
    >
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<FunnelPlusIcon size={16} aria-hidden />} onClick={toggle}>
          Add a filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Add a filter">
        <form onSubmit={submit}>
          <Stack gap="sm" w={260}>
            <Select
              label="Filter by"
              data={KINDS}
              value={kind}
              onChange={(value) => {
                setKind((value ?? 'attr') as FilterKind);
                setFirst('');
                setSecond('');
              }}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
            />
            {kind === 'attr' && (
              <>
                <Autocomplete
                  label="Characteristic"
                  data={names}
                  value={first}
                  onChange={setFirst}
                  comboboxProps={{ withinPortal: false }}
                />
                <TextInput label="Value" description="Empty: any" value={second} onChange={onSecond} />
              </>
            )}
            {dates && (
              <>
                <TextInput type="date" label="From" value={first} onChange={onFirst} />
                <TextInput type="date" label="Until" value={second} onChange={onSecond} error={backwards} />
              </>
            )}
            {kind === 'rel' && (
              <>
                <TextInput label="Kind" placeholder="derived from" value={first} onChange={onFirst} />
                <TextInput label="Accession" description="Empty: any" value={second} onChange={onSecond} />
              </>
            )}
            {kind === 'status' && (
              <Radio.Group label="Samples that were withdrawn" value={first || 'any'} onChange={setFirst}>
                <Stack gap="xs" mt="xs">
                  <Radio value="any" label="show them too" />
                  <Radio value="withdrawn" label="show only them" />
                </Stack>
              </Radio.Group>
            )}
            {(kind === 'descendantOf' || kind === 'ancestorOf') && (
              <TextInput label="Accession" value={first} onChange={onFirst} />
            )}
            {(kind === 'name' || kind === 'account') && (
              <TextInput label={kind === 'name' ? 'Sample name' : 'Account'} value={first} onChange={onFirst} />
            )}
            <Button type="submit" disabled={filter === undefined}>
              Add
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
