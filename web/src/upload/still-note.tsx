import { Affix, Button, Group, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { onStillUploads, type StillUpload, stillUploads } from '../api/still-uploads.js';
import { Note } from '../show/note.js';

/** Over every view: which files are on their way and do not move, and what can be done. */
export function StillNote() {
  const still = useSyncExternalStore(onStillUploads, stillUploads);
  return (
    <Affix position={{ bottom: 16, right: 16 }} maw="min(480px, calc(100vw - 32px))">
      <Stack gap="xs" role="status">
        {still.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
          <Still key={at} upload={one} />
        ))}
      </Stack>
    </Affix>
  );
}

function Still({ upload: { fileName, unanswered, decide } }: { upload: StillUpload }) {
  return (
    <Note
      tone="care"
      title={unanswered ? `No answer for ${fileName} so far` : `${fileName} does not move`}
      role="group"
    >
      <Text size="sm">
        {unanswered
          ? 'It is sent, and the service has not answered for two minutes. It may still be at work on it: wait on, or send it again.'
          : 'For half a minute nothing of it has left your computer. Look at the connection: wait on, or send it again.'}{' '}
        Nothing is registered twice by that.
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={() => decide('again')} aria-label={`Send ${fileName} again`}>
          Send again
        </Button>
        <Button size="xs" variant="default" onClick={() => decide('stop')} aria-label={`Stop sending ${fileName}`}>
          Stop
        </Button>
      </Group>
    </Note>
  );
}
