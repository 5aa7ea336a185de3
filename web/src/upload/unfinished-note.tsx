import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { isSameFile, onUnfinishedUploads, type UnfinishedUpload, unfinishedTexts } from '../api/unfinished-uploads.js';
import { giveUpUpload } from '../api/upload-in-pieces.js';
import { useMe } from '../session/session.js';
import { ConfirmedButton } from '../show/confirmed-button.js';
import { Note } from '../show/note.js';
import { useNow } from '../show/when.js';
import { bytes, dayAndTime } from '../show/words.js';
import type { ChosenFile } from './file-list.js';

interface UnfinishedNotesProps {
  /** Those that are listed say themselves how they go. */
  files: readonly ChosenFile[];
  /** Others are on their way. */
  busy: boolean;
  onGoOn: (file: File, upload: UnfinishedUpload) => void;
}

const LOOK_EVERY_MS = 30_000;

/** Large files that did not come to their end before the page was left: chosen again, they go on from where they were. */
export function UnfinishedNotes({ files, busy, onGoOn }: UnfinishedNotesProps) {
  const account = useMe().data?.account ?? '';
  // Another tab's becomes free without a word when that is closed.
  useNow(LOOK_EVERY_MS);
  const texts = useSyncExternalStore(onUnfinishedUploads, () => unfinishedTexts(account));
  const unfinished = (JSON.parse(texts) as UnfinishedUpload[]).filter(
    (one) => !files.some(({ file }) => isSameFile(file, one)),
  );
  return unfinished.map((one) => (
    <UnfinishedOne
      key={one.id}
      upload={one}
      busy={busy}
      onGoOn={onGoOn}
      onGiveUp={() => giveUpUpload(account, one.id)}
    />
  ));
}

interface UnfinishedOneProps extends Pick<UnfinishedNotesProps, 'busy' | 'onGoOn'> {
  upload: UnfinishedUpload;
  onGiveUp: () => void;
}

function UnfinishedOne({ upload, busy, onGoOn, onGiveUp }: UnfinishedOneProps) {
  const { name, size, lastModified, arrived, options } = upload;
  const [other, setOther] = useState<string>();
  const choose = (file: File | null) => {
    if (!file) return;
    if (isSameFile(file, upload)) return onGoOn(file, upload);
    const it = `${file.name} (${bytes(file.size)}, changed ${dayAndTime(new Date(file.lastModified).toISOString())})`;
    setOther(
      `${it} is not the file that was being sent. Choose ${name} as it was then, or give this up and send yours by “Choose files…”.`,
    );
  };
  return (
    <Note
      tone="care"
      title={`${name} was not sent to its end`}
      role="group"
      aria-label={`${name} was not sent to its end`}
    >
      <Stack gap="xs">
        <Text size="sm">
          {bytes(arrived)} of {bytes(size)} are with the service, which keeps them for a day, with what you chose for
          the file. Choose the same file again (last changed {dayAndTime(new Date(lastModified).toISOString())}) and it
          is {options.dryRun ? 'checked' : 'sent on and registered'} without sending these again.
        </Text>
        {other !== undefined && (
          <Text size="sm" role="alert">
            {other}
          </Text>
        )}
        <Group gap="xs">
          <FileButton onChange={choose} disabled={busy} inputProps={{ 'aria-label': `${name} again` }}>
            {(picker) => (
              <Button {...picker} size="compact-sm" disabled={busy} aria-label={`Choose ${name} and go on`}>
                Choose it and go on…
              </Button>
            )}
          </FileButton>
          <ConfirmedButton label="Give it up" name={`Give it up: ${name}`} loading={false} onConfirm={onGiveUp} />
        </Group>
      </Stack>
    </Note>
  );
}
