import { Group, Radio, Stack, TextInput } from '@mantine/core';
import type { CeilingName } from '../../../src/submissions/uploads/ceiling.js';
import { type Choices, ceilingProblem, standingProblem } from './chosen-options.js';

interface StandingChoicesProps {
  choices: Choices;
  set: (part: Partial<Choices>) => void;
}

/** Of a file that is the whole export of something that is sent again and again: what it has no more is found. */
export function StandingChoices({ choices, set }: StandingChoicesProps) {
  const named = choices.standing.trim() !== '';
  return (
    <Stack gap="sm" role="group" aria-label="Standing sheet">
      <TextInput
        label="Standing sheet"
        description="A name, when the file is a whole export that comes again and again: it is planned first, with what it has no more."
        placeholder="none: this file is one of many"
        value={choices.standing}
        onChange={(event) => set({ standing: event.currentTarget.value })}
        error={standingProblem(choices)}
        w={{ base: '100%', xs: 420 }}
      />
      {named && (
        <>
          <Radio.Group
            label="Samples that it has no more"
            value={choices.missing}
            onChange={(missing) => set({ missing: missing as Choices['missing'] })}
          >
            <Group mt="xs" gap="lg">
              <Radio value="report" label="list them" />
              <Radio value="withdraw" label="withdraw them, until it has them again" />
            </Group>
          </Radio.Group>
          <Radio.Group
            label="The plan"
            value={choices.commit}
            onChange={(commit) => set({ commit: commit as Choices['commit'] })}
          >
            <Group mt="xs" gap="lg">
              <Radio value="hand" label="waits until I have looked at it" />
              <Radio value="auto" label="carries itself out, below these bounds" />
            </Group>
          </Radio.Group>
          <Group align="flex-start">
            <Ceiling
              name="maxMissing"
              label="At most so many missing"
              description="Samples, such as 50, or a share."
              placeholder="10%"
              choices={choices}
              set={set}
            />
            <Ceiling
              name="maxChanges"
              label="At most so many changes"
              description="New and changed samples, or a share."
              placeholder="any number"
              choices={choices}
              set={set}
            />
          </Group>
        </>
      )}
    </Stack>
  );
}

interface CeilingProps extends StandingChoicesProps {
  name: CeilingName;
  label: string;
  description: string;
  placeholder: string;
}

export function Ceiling({ name, choices, set, ...words }: CeilingProps) {
  return (
    <TextInput
      {...words}
      value={choices[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      error={ceilingProblem(name, choices)}
      w={{ base: '100%', xs: 260 }}
    />
  );
}
