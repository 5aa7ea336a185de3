import { ActionIcon, Autocomplete, Fieldset, Group, Select, TextInput } from '@mantine/core';
import { Trash2Icon } from 'lucide-react';
import { typedDayProblem } from '../show/typed-day.js';
import { publicFrom } from '../show/words.js';
import type { ChangeKind, TypedChange } from './typed-changes.js';

const KINDS: { value: ChangeKind; label: string }[] = [
  { value: 'set', label: 'Set a characteristic' },
  { value: 'rename', label: 'Rename a characteristic' },
  { value: 'clear', label: 'Clear a characteristic' },
  { value: 'release', label: 'Set the release date' },
];

const EXISTING: Record<'set' | 'rename', { label: string; choices: { value: string; label: string }[] }> = {
  set: {
    label: 'Samples that have it',
    choices: [
      { value: '', label: 'get this value instead' },
      { value: 'keep', label: 'keep what they have' },
      { value: 'append', label: 'get this value as well' },
    ],
  },
  rename: {
    label: 'Samples that have the new one',
    choices: [
      { value: '', label: 'are left alone, and listed' },
      { value: 'replace', label: 'get these values instead' },
      { value: 'append', label: 'get these values as well' },
    ],
  },
};

interface ChangeFieldsProps {
  /** From 1. */
  number: number;
  change: TypedChange;
  /** Characteristics seen so far, to choose from. */
  names: readonly string[];
  onChange: (part: Partial<TypedChange>) => void;
  onRemove?: (() => void) | undefined;
}

/** One change of a batch edit. */
export function ChangeFields({ number, change, names, onChange, onRemove }: ChangeFieldsProps) {
  const { kind } = change;
  const typed = (part: 'value' | 'unit' | 'term') => ({
    value: change[part],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [part]: event.currentTarget.value }),
    w: WIDTH,
  });
  const withExisting = kind === 'set' || kind === 'rename' ? EXISTING[kind] : undefined;
  return (
    <Fieldset legend={`Change ${number}`}>
      <Group gap="sm" align="flex-end">
        <Select
          label="What to do"
          data={KINDS}
          value={kind}
          onChange={(next) => onChange({ kind: (next ?? 'set') as ChangeKind, value: '', existing: '' })}
          allowDeselect={false}
          w={WIDTH}
        />
        {kind !== 'release' && (
          <Autocomplete
            label="Characteristic"
            data={[...names]}
            value={change.name}
            onChange={(name) => onChange({ name })}
            w={WIDTH}
          />
        )}
        {kind === 'set' && (
          <>
            <TextInput label="Value" {...typed('value')} />
            <TextInput label="Unit (optional)" {...typed('unit')} />
            <TextInput label="Ontology term (optional)" placeholder="UBERON:0002107" {...typed('term')} />
          </>
        )}
        {kind === 'rename' && <TextInput label="New name" {...typed('value')} />}
        {kind === 'release' && (
          <TextInput
            label="Release date"
            description={publicFrom(change.value)}
            error={typedDayProblem(change.value)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="date"
            {...typed('value')}
          />
        )}
        {withExisting && (
          <Select
            label={withExisting.label}
            data={withExisting.choices}
            value={change.existing}
            onChange={(existing) => onChange({ existing: existing ?? '' })}
            allowDeselect={false}
            w={WIDTH}
          />
        )}
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove change ${number}`} onClick={onRemove}>
            <Trash2Icon size={18} />
          </ActionIcon>
        )}
      </Group>
    </Fieldset>
  );
}

const WIDTH = { base: '100%', xs: 230 };
