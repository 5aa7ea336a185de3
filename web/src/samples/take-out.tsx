import { Button, Menu, Stack, Text } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  FORMAT_NAMES,
  isSheet,
  type SheetFormat,
} from '../../../src/formats/names.js';
import { saveAddress } from '../api/files.js';
import { address } from '../api/request.js';
import { countAll, exportPath, type SampleSearch } from '../api/samples.js';
import { ErrorNote } from '../show/error-note.js';
import { count, counted } from '../show/words.js';

const LABELS: Record<SheetFormat | 'ndjson', string> = {
  tsv: 'Sheet (TSV)',
  csv: 'Sheet with commas (CSV)',
  xlsx: 'Excel workbook',
  ndjson: 'JSON, a sample on each line',
};

const FORMATS = EXPORT_FORMATS.map((format) => ({
  format,
  label: isSheet(format) || format === 'ndjson' ? LABELS[format] : FORMAT_NAMES[format].title,
  most: format === 'xlsx' ? 1_048_575 : Number.POSITIVE_INFINITY,
}));

/** All that the search finds, shown or not, as one file; counted when somebody asks for it. */
export function TakeOut({ text, filters }: SampleSearch) {
  const search = { text, filters };
  const [opened, setOpened] = useState(false);
  const found = useQuery({
    queryKey: ['count of samples', text, filters],
    queryFn: ({ signal }) => countAll(search, signal),
    enabled: opened,
    retry: false,
  });
  const take = useMutation({
    // Counted once more: a browser that saves a file shows nothing of a refusal.
    mutationFn: async (format: ExportFormat) => {
      await countAll({ ...search, format });
      return format;
    },
    onSuccess: (format) => saveAddress(address(exportPath({ ...search, format })), ''),
  });
  const error = found.error ?? take.error;
  return (
    <Stack gap="xs" align="flex-end">
      <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<IconFileExport size={18} aria-hidden />} loading={take.isPending}>
            Take all as a file
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{found.data === undefined ? 'Counting the samples…' : `Take ${these(found.data)} as`}</Menu.Label>
          {FORMATS.map(({ format, label, most }) => (
            <Menu.Item
              key={format}
              disabled={found.data === undefined || found.data === 0 || found.data > most}
              onClick={() => take.mutate(format)}
            >
              {label}
              {found.data !== undefined && found.data > most && (
                <Text size="xs">holds at most {count(most)}; narrow the search</Text>
              )}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {error && (
        <ErrorNote
          error={error}
          doing="The samples were not taken out"
          retry={() => (found.error ? found.refetch() : take.reset())}
        />
      )}
    </Stack>
  );
}

const these = (samples: number): string => (samples === 1 ? 'this sample' : `these ${counted(samples, 'sample')}`);
