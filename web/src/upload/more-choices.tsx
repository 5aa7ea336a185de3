import { Collapse, Group, Radio, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDownIcon, ChevronRightIcon } from 'lucide-react';
import { ENCODINGS } from '../sheet/encodings.js';
import { type Choices, ceilingProblem, choicesProblem, saysMore } from './chosen-options.js';
import { useProfileList } from './import-profiles.js';
import { KeyChoices } from './key-choices.js';
import { StandingChoices } from './standing-choices.js';

export interface MoreChoicesProps {
  choices: Choices;
  set: (part: Partial<Choices>) => void;
}

/** What becomes of columns whose header is no word of the sheet's dialect. */
export function PlainColumns({ choices, set }: MoreChoicesProps) {
  return (
    <Radio.Group
      label="Unrecognised columns"
      description="Those with a plain header, such as organism or tissue."
      value={choices.unknownColumns}
      onChange={(unknown) => set({ unknownColumns: unknown as Choices['unknownColumns'] })}
    >
      <Group mt="xs" gap="lg">
        <Radio value="characteristics" label="keep them as characteristics" />
        <Radio value="ignore" label="leave them out of the samples" />
        <Radio value="reject" label="refuse the file" />
      </Group>
    </Radio.Group>
  );
}

const NO_PROFILE = { value: 'none', label: 'none: read headers as they stand' };

function ProfileChoice({ value, onChange }: { value: string | null; onChange: (name: string | null) => void }) {
  const { data = [] } = useProfileList();
  return (
    <Select
      label="Import profile"
      description="Says what the columns of a sheet are that was made for something else."
      placeholder="the one whose columns the sheet has"
      data={[...data.map(({ name, title }) => ({ value: name, label: `${title} (${name})` })), NO_PROFILE]}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Choose no import profile' }}
      w={{ base: '100%', xs: 420 }}
    />
  );
}

/** What few uploads need, out of sight until somebody asks for it. */
export function MoreChoices({ choices, set, plainHeaders }: MoreChoicesProps & { plainHeaders: boolean }) {
  // What was chosen before the reader came back is in sight, and so is what must be put right.
  const [wanted, { toggle }] = useDisclosure(saysMore(choices));
  const open = wanted || choicesProblem(choices) !== undefined;
  return (
    <div>
      <UnstyledButton onClick={toggle} aria-expanded={open} aria-controls="more-choices">
        <Group gap={4}>
          {open ? <ChevronDownIcon size={16} aria-hidden /> : <ChevronRightIcon size={16} aria-hidden />}
          <Text size="sm">More choices</Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={open} id="more-choices">
        <Stack mt="md">
          <Radio.Group
            label="Rows that update a sample"
            value={choices.update}
            onChange={(update) => set({ update: update as Choices['update'] })}
          >
            <Group mt="xs" gap="lg">
              <Radio value="replace" label="replace the whole sample" />
              <Radio value="merge" label="keep what the sheet does not mention" />
            </Group>
          </Radio.Group>
          {choices.update === 'merge' && (
            <TextInput
              label="Cell that takes its value away"
              description="An empty cell keeps what the sample has; a cell with this text takes it away. none for no such cell."
              placeholder="[clear]"
              value={choices.clearMarker}
              onChange={(event) => set({ clearMarker: event.currentTarget.value })}
              w={{ base: '100%', xs: 420 }}
            />
          )}
          {!plainHeaders && <PlainColumns choices={choices} set={set} />}
          <ProfileChoice value={choices.profile} onChange={(profile) => set({ profile })} />
          <KeyChoices choices={choices} set={set} />
          <Radio.Group
            label="Relationships to samples that are not there yet"
            value={choices.relationships}
            onChange={(when) => set({ relationships: when as Choices['relationships'] })}
          >
            <Group mt="xs" gap="lg">
              <Radio value="now" label="refuse the row" />
              <Radio value="later" label="wait for a later upload to bring them" />
            </Group>
          </Radio.Group>
          <StandingChoices choices={choices} set={set} />
          <TextInput
            label="Stop when more rows are wrong than"
            description="A number such as 50, or a share such as 2%. What was registered before stays."
            placeholder="never: every row is looked at"
            value={choices.maxRejected}
            onChange={(event) => set({ maxRejected: event.currentTarget.value })}
            error={ceilingProblem('maxRejected', choices)}
            w={{ base: '100%', xs: 420 }}
          />
          <Group align="flex-start">
            <Select
              label="Encoding of the text"
              description="Only for files that are not UTF-8."
              placeholder="as the file says"
              data={ENCODINGS}
              value={choices.encoding}
              onChange={(encoding) => set({ encoding })}
              clearable
              clearButtonProps={{ 'aria-label': 'Name no encoding' }}
              w={{ base: '100%', xs: 260 }}
            />
            <TextInput
              label="Sheet of a workbook"
              description="Empty: the first with a header that fits."
              value={choices.sheet}
              onChange={(event) => set({ sheet: event.currentTarget.value })}
              w={{ base: '100%', xs: 260 }}
            />
          </Group>
        </Stack>
      </Collapse>
    </div>
  );
}
