import { Checkbox, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { memo } from 'react';
import { templatePath, useChecklists } from '../api/checklists.js';
import { DownloadLink } from '../show/download.js';
import { publicFrom } from '../show/words.js';
import { type Choices, releaseDayProblem } from './chosen-options.js';
import { MoreChoices, PlainColumns } from './more-choices.js';

interface ChoicesFormProps {
  choices: Choices;
  onChange: (choices: Choices) => void;
  /** Set when a chosen file has no release date of its own. */
  releaseError: string | undefined;
  /** A release is chosen that may be chosen for the next sheets of this kind, too; whether it is. */
  mayKeepRelease: boolean;
  releaseKept: boolean;
  onKeepRelease: (kept: boolean) => void;
  /** A chosen file has columns with plain headers: what becomes of them is asked in sight. */
  plainHeaders: boolean;
}

export const ChoicesForm = memo(function ChoicesForm(props: ChoicesFormProps) {
  const { choices, onChange, releaseError, mayKeepRelease, releaseKept, onKeepRelease, plainHeaders } = props;
  const set = (part: Partial<Choices>) => onChange({ ...choices, ...part });
  return (
    <Stack gap="lg">
      <ChecklistChoice value={choices.checklist} onChange={(checklist) => set({ checklist })} />
      <Stack gap="xs">
        <Radio.Group
          label="Release"
          description="When a sample becomes public. A date in the sheet always counts first, from midnight in UTC; a sample that is updated keeps its own."
          value={choices.release}
          onChange={(release) => set({ release: release as Choices['release'] })}
          error={releaseError}
        >
          <Group mt="xs" gap="lg">
            <Radio value="sheet" label="as in the sheet" />
            <Radio value="today" label="today" />
            <Radio value="date" label="on a date" />
          </Group>
        </Radio.Group>
        {choices.release === 'date' && (
          <TextInput
            type="date"
            aria-label="Release date"
            description={publicFrom(choices.date)}
            error={releaseDayProblem(choices)}
            value={choices.date}
            onChange={(event) => set({ date: event.currentTarget.value })}
            maw={420}
          />
        )}
        {mayKeepRelease && (
          <Checkbox
            label="also for the next sheets of this kind"
            checked={releaseKept}
            onChange={(event) => onKeepRelease(event.currentTarget.checked)}
          />
        )}
      </Stack>
      <Radio.Group
        label="If a row is wrong"
        value={choices.mode}
        onChange={(mode) => set({ mode: mode as Choices['mode'] })}
      >
        <Group mt="xs" gap="lg">
          <Radio value="partial" label="register the others" />
          <Radio value="atomic" label="register nothing" />
        </Group>
      </Radio.Group>
      {plainHeaders && <PlainColumns choices={choices} set={set} />}
      <MoreChoices choices={choices} set={set} plainHeaders={plainHeaders} />
    </Stack>
  );
});

function ChecklistChoice({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const checklists = useChecklists();
  if (!checklists.data || checklists.data.length === 0) return null;
  const templated = value !== null && checklists.data.some(({ id, _links }) => id === value && _links?.template);
  return (
    <Group align="flex-end" gap="md">
      <Select
        label="Checklist"
        description="Rules that a community lays down for its samples."
        placeholder="none"
        data={checklists.data.map(({ id, title }) => ({ value: id, label: title === id ? id : `${title} (${id})` }))}
        value={value}
        onChange={onChange}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Choose no checklist' }}
        w={{ base: '100%', xs: 360 }}
      />
      {templated && (
        <Group gap="xs" pb={8}>
          <Text size="sm">Get the template:</Text>
          <DownloadLink path={templatePath(value, 'tsv')}>TSV</DownloadLink>
          <DownloadLink path={templatePath(value, 'xlsx')}>Excel</DownloadLink>
        </Group>
      )}
    </Group>
  );
}
