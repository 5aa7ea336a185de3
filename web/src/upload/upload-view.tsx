import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { upload } from '../api/upload.js';
import { Announcer } from '../show/announcer.js';
import { Note } from '../show/note.js';
import { View } from '../show/view.js';
import { counted } from '../show/words.js';
import { type Choices, ChoicesForm, FIRST_CHOICES, optionsOf } from './choices.js';
import { type ChosenFile, useChosenFiles } from './chosen-files.js';
import { useDropTarget } from './drop-target.js';
import { Examples } from './examples.js';
import { FileCard } from './file-card.js';
import { needsReleaseDate } from './file-check.js';
import { takeHandedOver } from './handed-over.js';
import { rememberUpload } from './recent-uploads.js';

const ACCEPTED = '.tsv,.txt,.csv,.tab,.xlsx,text/tab-separated-values,text/csv,text/plain';

/** Choose, look, send. One file leads to its outcome, several stay listed here with a link each. */
export function UploadView() {
  const [choices, setChoices] = useState<Choices>(FIRST_CHOICES);
  const { files, add, remove, setState } = useChosenFiles(choices.encoding);
  const [asked, setAsked] = useState(false);
  const [said, setSaid] = useState('');
  const [, go] = useLocation();
  const resetPicker = useRef<() => void>(null);
  const { over, handlers } = useDropTarget(add);
  useEffect(() => {
    const given = takeHandedOver();
    if (given.length > 0) add(given);
  }, [add]);

  const ready = files.filter(({ state, check }) => state.step === 'ready' && check?.problem === undefined);
  const busy = files.some(({ state }) => state.step === 'sending' || state.step === 'waiting');
  const undated = ready.some(({ check }) => check && needsReleaseDate(check));
  const lacksDate = choices.release === 'date' ? choices.date === '' : undated && choices.release === 'sheet';
  const releaseError = asked && lacksDate ? releaseMend(choices) : undefined;

  const send = async (chosen: ChosenFile, dryRun: boolean): Promise<string | undefined> => {
    const { key, file } = chosen;
    const options = { ...optionsOf(choices), ...(dryRun ? { dryRun } : {}) };
    setState(key, { step: 'sending', sent: 0 });
    try {
      const onSent = (sent: number) =>
        setState(key, sent < file.size ? { step: 'sending', sent } : { step: 'waiting' });
      const { submissionId, replayed } = await upload({ file, options, onSent });
      rememberUpload(submissionId, { file, options, replayed });
      setState(key, { step: 'done', submissionId, replayed });
      return submissionId;
    } catch (error) {
      setState(key, { step: 'failed', error });
      setSaid(`${file.name} was not taken.`);
      return undefined;
    }
  };

  const sendAll = async (dryRun: boolean) => {
    setAsked(true);
    if (lacksDate) return setSaid(releaseMend(choices));
    setSaid(`Sending ${counted(ready.length, 'file')}.`);
    const alone = files.length === 1;
    for (const chosen of ready) {
      const id = await send(chosen, dryRun);
      if (alone && id !== undefined) go(`/submissions/${id}`);
    }
    if (!alone) setSaid('All files are sent; each has a link to its outcome.');
  };

  const choose = (chosen: File[]) => {
    add(chosen);
    resetPicker.current?.();
    setSaid(`${counted(chosen.length, 'file')} chosen.`);
  };

  return (
    <View title="Upload samples">
      <Stack gap="lg" {...handlers}>
        <Paper
          withBorder
          p="xl"
          style={{ borderStyle: 'dashed', borderColor: over ? 'var(--mantine-color-anchor)' : 'var(--line)' }}
          bg={over ? 'var(--surface-quiet)' : undefined}
        >
          <Group gap="md">
            <FileButton
              onChange={choose}
              accept={ACCEPTED}
              multiple
              resetRef={resetPicker}
              inputProps={{ 'aria-label': 'Files to upload' }}
            >
              {(picker) => (
                <Button
                  {...picker}
                  size="md"
                  variant={files.length === 0 ? 'filled' : 'default'}
                  leftSection={<IconFileUpload size={20} aria-hidden />}
                >
                  Choose files…
                </Button>
              )}
            </FileButton>
            <Text>or drop them here</Text>
            <Text size="sm" c="dimmed">
              TSV, CSV or Excel, up to 1 GB each
            </Text>
          </Group>
        </Paper>

        {files.length === 0 && <Examples />}
        {files.length > 0 && (
          <Stack component="ul" gap="xs" p={0} m={0} aria-label="Chosen files">
            {files.map((chosen) => (
              <FileCard
                key={chosen.key}
                chosen={chosen}
                onRemove={() => remove(chosen.key)}
                onRetry={() => setState(chosen.key, { step: 'ready' })}
              />
            ))}
          </Stack>
        )}

        <ChoicesForm choices={choices} onChange={setChoices} releaseError={releaseError} />

        {releaseError !== undefined && <Note tone="bad">{releaseError}</Note>}
        <Group>
          <Button size="md" variant="default" disabled={ready.length === 0 || busy} onClick={() => sendAll(true)}>
            Check first
          </Button>
          <Button
            size="md"
            variant={files.length === 0 ? 'default' : 'filled'}
            disabled={ready.length === 0}
            loading={busy}
            onClick={() => sendAll(false)}
          >
            {registerLabel(ready)}
          </Button>
        </Group>
        <Announcer>{said}</Announcer>
      </Stack>
    </View>
  );
}

const releaseMend = ({ release }: Choices): string =>
  release === 'date'
    ? 'Fill in the release date.'
    : 'Your sheet has no Release Date column: choose "today" or a date, or add the column.';

function registerLabel(ready: ChosenFile[]): string {
  const checks = ready.map(({ check }) => check);
  if (ready.length === 0) return 'Register';
  if (checks.every((check) => check?.rows !== undefined && check.rowsExact)) {
    return `Register ${counted(
      checks.reduce((sum, check) => sum + (check?.rows ?? 0), 0),
      'sample',
    )}`;
  }
  return ready.length === 1 ? 'Register the samples' : `Register ${counted(ready.length, 'file')}`;
}
