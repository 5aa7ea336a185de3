import { Group, Radio, Stack, TextInput } from '@mantine/core';
import { type Choices, hasKeySpace, keySpaceProblem } from './chosen-options.js';

interface KeyChoicesProps {
  choices: Choices;
  set: (part: Partial<Choices>) => void;
}

/** By which column rows are known again, where, and which of them are taken. */
export function KeyChoices({ choices, set }: KeyChoicesProps) {
  return (
    <Stack gap="sm" role="group" aria-label="Rows that are known again">
      <TextInput
        label="Column that identifies the rows"
        description="Its header, or Sample Name: a row known from an earlier upload updates its sample."
        placeholder="none: only accessions do"
        value={choices.key}
        onChange={(event) => set({ key: event.currentTarget.value })}
        w={{ base: '100%', xs: 420 }}
      />
      {hasKeySpace(choices) && (
        <TextInput
          label="Key space"
          description="A name, where the same numbers mean other samples in other sheets."
          placeholder="default"
          value={choices.keySpace}
          onChange={(event) => set({ keySpace: event.currentTarget.value })}
          error={keySpaceProblem(choices)}
          w={{ base: '100%', xs: 420 }}
        />
      )}
      {choices.key.trim() !== '' && (
        <Radio.Group
          label="Rows to take"
          value={choices.known}
          onChange={(known) => set({ known: known as Choices['known'] })}
        >
          <Group mt="xs" gap="lg">
            <Radio value="both" label="known and new ones" />
            <Radio value="onlyUpdate" label="known ones: refuse the others" />
            <Radio value="onlyCreate" label="new ones: refuse the others" />
          </Group>
        </Radio.Group>
      )}
    </Stack>
  );
}
