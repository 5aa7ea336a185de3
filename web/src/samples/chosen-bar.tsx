import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { DownloadIcon } from 'lucide-react';
import { printFile, saveFile } from '../api/files.js';
import { ErrorNote } from '../show/error-note.js';
import { count, counted } from '../show/words.js';

/** What a sheet of existing samples holds (the service's own limit). */
const MAX_SHEET_SAMPLES = 10_000;

interface ChosenBarProps {
  chosen: ReadonlySet<string>;
  shown: number;
  onClear: () => void;
}

/** How many are chosen, and the sheet of them to edit. */
export function ChosenBar({ chosen, shown, onClear }: ChosenBarProps) {
  const sheet = useMutation({
    mutationFn: () => printFile('/samples/template', { accessions: [...chosen], format: 'tsv' }),
    onSuccess: saveFile,
  });
  const tooMany = chosen.size > MAX_SHEET_SAMPLES;
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="sm">
        <Text size="sm" role="status">
          {chosen.size > 0 ? `${counted(chosen.size, 'sample')} chosen` : `${counted(shown, 'sample')} shown`}
        </Text>
        {chosen.size > 0 && (
          <>
            <Button variant="subtle" size="xs" onClick={onClear}>
              Choose none
            </Button>
            <Button
              leftSection={<DownloadIcon size={18} aria-hidden />}
              loading={sheet.isPending}
              disabled={tooMany}
              onClick={() => sheet.mutate()}
            >
              Download as a sheet to edit
            </Button>
          </>
        )}
      </Group>
      {tooMany && (
        <Text size="sm" role="alert">
          A sheet holds at most {count(MAX_SHEET_SAMPLES)} samples; choose fewer at a time.
        </Text>
      )}
      {sheet.error && (
        <ErrorNote error={sheet.error} doing="The sheet was not downloaded" retry={() => sheet.mutate()} />
      )}
    </Stack>
  );
}
